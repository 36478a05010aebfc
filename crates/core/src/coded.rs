//! Encoding values as bytes that say where they end, for journals and saved memories.

use hashline_text::SharedBytes;

/// A value that can be written as bytes.
pub(crate) trait Coded: Sized {
    /// Appends the value to `out`.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads a value from the beginning of `from` and removes its bytes; `None` if they are
    /// invalid.
    fn take(from: &mut &[u8]) -> Option<Self>;
}

/// Implements [`Coded`] for structs by encoding these fields in order.
macro_rules! fields_in_order {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl $crate::coded::Coded for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::coded::Coded::take(from)?),* })
            }
        }
    )*};
}

pub(crate) use fields_in_order;

impl Coded for u8 {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        from.split_off_first().copied()
    }
}

impl Coded for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        match u8::take(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Coded for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(Self::from_le_bytes(*bytes))
    }
}

impl Coded for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::try_from(u64::take(from)?).ok()
    }
}

impl Coded for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::try_from(u64::take(from)?).ok()
    }
}

impl Coded for SharedBytes {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self, out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(take_bytes(from)?.to_vec().into())
    }
}

impl Coded for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::from_utf8(take_bytes(from)?.to_vec()).ok()
    }
}

pub(crate) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    bytes.len().put(out);
    out.extend_from_slice(bytes);
}

pub(crate) fn take_bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::take(from)?;
    from.split_off(..len)
}

pub(crate) fn put_all<T: Coded>(items: &[T], out: &mut Vec<u8>) {
    items.len().put(out);
    for item in items {
        item.put(out);
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self, out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let len = usize::take(from)?;
        (0..len).map(|_| T::take(from)).collect()
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(item) = self {
            item.put(out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        if bool::take(from)? { T::take(from).map(Some) } else { Some(None) }
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}
