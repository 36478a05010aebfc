//! The encodings of files, from the settings and from earlier answers.

use std::path::Path;
use std::sync::Arc;

use super::Session;
use crate::content::Texts;
use crate::grep::{BadFilter, Filter};
use crate::snapshot::Snapshot;
use hashline_text::{Encoding, EncodingChoice};

/// The encodings that the settings give to files.
#[derive(Clone, Default, Debug)]
pub struct Encodings {
    /// The encoding of a file without a byte order mark that is not UTF-8 and that no glob names;
    /// if `None`, it is guessed from the bytes.
    otherwise: Option<Encoding>,
    /// The encodings of files that a glob names; the last matching glob counts.
    named: Vec<(Filter, Encoding)>,
}

impl Encodings {
    /// Sets the encoding of files that are not UTF-8 and have no byte order mark.
    pub fn otherwise(encoding: Option<Encoding>) -> Self {
        Self { otherwise: encoding, named: Vec::new() }
    }

    /// Sets the encoding of all files that a glob matches; it overrides earlier globs.
    pub fn name(&mut self, glob: &str, encoding: Encoding) -> Result<(), BadFilter> {
        self.named.push((Filter::new(&[glob.to_owned()], &[])?, encoding));
        Ok(())
    }
}

impl Session {
    /// The encoding of a new file at `path`.
    pub(super) fn encoding_of_new(&self, path: &Path) -> Encoding {
        match self.choice(path) {
            EncodingChoice::Always(encoding) => encoding,
            _ => Encoding::UTF_8,
        }
    }
}

impl Texts for Session {
    fn choice(&self, path: &Path) -> EncodingChoice {
        let Encodings { otherwise, named } = &self.options.encodings;
        let bases = [self.workspace.root(), self.workspace.base()];
        let fitting = named.iter().rev().find(|(glob, _)| glob.wants(path, bases));
        match (fitting, otherwise) {
            (Some((_, encoding)), _) => EncodingChoice::Always(*encoding),
            (None, Some(encoding)) => EncodingChoice::Otherwise(*encoding),
            (None, None) => EncodingChoice::Auto,
        }
    }

    fn newest(&self, path: &Path, utf8: bool) -> Option<Arc<Snapshot>> {
        if !utf8 {
            return self.remembered.versions(&self.workspace.key(path)).into_iter().next();
        }
        // Nearly always every file is UTF-8, and nothing has to be looked up.
        if self.remembered.is_all_utf8() {
            None
        } else {
            self.remembered.newest(&self.workspace.key(path))
        }
    }
}
