//! Reads bytes as they are, in the place of the crate `encoding_rs_io`.
//!
//! `grep-searcher` can decode files in other encodings, and uses that crate for it. We search UTF-8
//! only, so the decoder and its tables, 120 KB of each binary, are never needed. If another encoding
//! is asked for, building the reader is an error.

use std::io::{self, Read};

use encoding_rs::Encoding;

/// Options of a reader. All but the encoding change nothing here.
#[derive(Clone, Debug, Default)]
pub struct DecodeReaderBytesBuilder {
    encoding: Option<&'static Encoding>,
    sniffs: bool,
}

impl DecodeReaderBytesBuilder {
    /// No encoding, no search for a mark.
    pub fn new() -> Self {
        Self::default()
    }

    /// The encoding of the bytes; none is known here.
    pub fn encoding(&mut self, encoding: Option<&'static Encoding>) -> &mut Self {
        self.encoding = encoding;
        self
    }

    /// UTF-8 always passes.
    pub fn utf8_passthru(&mut self, _yes: bool) -> &mut Self {
        self
    }

    /// A byte-order mark stays.
    pub fn strip_bom(&mut self, yes: bool) -> &mut Self {
        self.sniffs |= yes;
        self
    }

    /// A byte-order mark says nothing.
    pub fn bom_override(&mut self, _yes: bool) -> &mut Self {
        self
    }

    /// Whether a byte-order mark chooses the encoding; it cannot.
    pub fn bom_sniffing(&mut self, yes: bool) -> &mut Self {
        self.sniffs |= yes;
        self
    }

    /// A reader of the bytes as they are.
    pub fn build_with_buffer<R: Read, B>(&self, reader: R, _buffer: B) -> io::Result<AsTheyAre<R>> {
        if self.encoding.is_some() || self.sniffs {
            return Err(io::ErrorKind::Unsupported.into());
        }
        Ok(AsTheyAre(reader))
    }
}

/// Reads bytes as they are.
#[derive(Debug)]
pub struct AsTheyAre<R>(R);

impl<R: Read> Read for AsTheyAre<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_are() {
        let bytes = b"\xef\xbb\xbfa\xff\x00".as_slice();
        let mut read = Vec::new();
        let mut reader = DecodeReaderBytesBuilder::new().build_with_buffer(bytes, ()).unwrap();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    #[test]
    fn what_it_cannot_do_it_refuses() {
        let refused = |builder: &DecodeReaderBytesBuilder| {
            builder
                .build_with_buffer(io::empty(), ())
                .is_err_and(|error| error.kind() == io::ErrorKind::Unsupported)
        };
        assert!(refused(DecodeReaderBytesBuilder::new().encoding(Some(encoding_rs::UTF_16LE))));
        assert!(refused(DecodeReaderBytesBuilder::new().bom_sniffing(true)));
        assert!(refused(DecodeReaderBytesBuilder::new().strip_bom(true)));
    }
}
