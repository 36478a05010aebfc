//! Instructions that work on many bytes or numbers at once, for every kind of processor.
//!
//! A hot loop is written once, as a `Kernel` over any `Vectors`, and compiled for each set of
//! instructions: it processes 64 bytes or sixteen numbers at once, in as many registers as that
//! takes. `chosen` says which set this process uses. All sets give the same results; tests compare
//! each set that the processor has with `Portable`.
//!
//! `Avx2` and `Neon` are proofs: a value exists only if the processor was asked, and every
//! operation needs one, so that no safe function depends on a check by its caller ([ADR
//! 11](../../docs/adr/0011-one-kernel-for-every-vector-width.md)).

#![expect(clippy::inline_always, reason = "a kernel is compiled anew for each set of features")]

/// Calls instructions that the processor is known to have.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! proven {
    ($instructions:expr) => {
        // SAFETY: only methods of the proof use this macro, so the processor has the instructions.
        unsafe { $instructions }
    };
}

/// Calls the same instruction for each of the four registers of 16 bytes that hold sixteen numbers.
#[cfg(target_arch = "aarch64")]
macro_rules! four {
    ($instruction:path, $($operand:expr),+) => {
        [
            $instruction($($operand[0]),+),
            $instruction($($operand[1]),+),
            $instruction($($operand[2]),+),
            $instruction($($operand[3]),+),
        ]
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use std::fmt;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "aarch64")]
use neon::Neon;
pub(super) use portable::Portable;

/// How many bytes are processed at once: as many as a `u64` has bits.
pub(crate) const BLOCK: usize = 64;

/// How many numbers are processed at once.
pub(crate) const LANES: usize = 16;

/// Masks of the kinds of bytes in a block: one bit for each byte, the first byte has the lowest
/// bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kinds {
    /// A mask of the newlines.
    pub newlines: u64,
    /// A mask of ASCII white space, including newlines.
    pub spaces: u64,
    /// A mask of the bytes that are not ASCII.
    pub foreign: u64,
}

/// A set of vector instructions.
///
/// `Words` are [`LANES`] numbers in four quarters of four numbers each.
pub(crate) trait Vectors: Copy {
    /// Sixteen numbers of 32 bits, in as many registers as they need.
    type Words: Copy;
    /// A yes or no for each of the numbers.
    type Mask: Copy;

    /// Whether computing with sixteen numbers at once is faster than with one after another.
    const SIDE_BY_SIDE: bool = true;

    /// A mask of the newlines of a block.
    fn newlines(self, block: &[u8; BLOCK]) -> u64;
    /// Masks of the kinds of bytes in a block.
    fn kinds(self, block: &[u8; BLOCK]) -> Kinds;
    /// A mask of the bytes for which [`is_suspect`] holds.
    fn suspects(self, block: &[u8; BLOCK]) -> u64;
    /// Writes the bytes in the mask `kept` to the start of `out`, in order, and returns how many
    /// there are. The rest of `out` is then meaningless.
    fn compress(self, block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize;

    /// Loads these numbers.
    fn words(self, numbers: [u32; LANES]) -> Self::Words;
    /// Returns the numbers as an array.
    fn numbers(self, words: Self::Words) -> [u32; LANES];
    /// Repeats the same number.
    fn splat(self, number: u32) -> Self::Words;
    /// Loads each quarter from sixteen bytes in little-endian order.
    fn quarters(self, from: [&[u8; 16]; 4]) -> Self::Words;
    /// Four vectors: each quarter filled with its first number, then with its second, third and
    /// fourth.
    fn spread(self, words: Self::Words) -> [Self::Words; 4];
    /// In each quarter, the number at index `n` of vector `m` goes to index `m` of vector `n`.
    fn transpose(self, rows: [Self::Words; 4]) -> [Self::Words; 4];
    /// Wrapping sums.
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Wrapping products.
    fn mul(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bits that are set in exactly one of the two.
    fn xor(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bits that are set in both.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Shifts each number left.
    fn shift_left<const BITS: u32>(self, words: Self::Words) -> Self::Words;
    /// Shifts each number right.
    fn shift_right<const BITS: u32>(self, words: Self::Words) -> Self::Words;
    /// Rotates each number left.
    fn rotate_left<const BITS: u32>(self, words: Self::Words) -> Self::Words;
    /// Where `a` is greater than `b`; both are below 2^31.
    fn is_greater(self, a: Self::Words, b: Self::Words) -> Self::Mask;
    /// `yes` where the mask says so, elsewhere `no`.
    fn select(self, mask: Self::Mask, yes: Self::Words, no: Self::Words) -> Self::Words;

    /// Runs a kernel, compiled for these instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// Work that is written once and compiled for every set of instructions.
pub(crate) trait Kernel {
    /// The result of the work.
    type Output;

    /// Does the work. It and everything that it calls with `vectors` must be `#[inline(always)]`:
    /// code that is not inlined would be compiled without the instructions.
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// Whether this byte can begin half of a surrogate pair, or a non-ASCII character that is white
/// space or folded.
pub(super) const fn is_suspect(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xed | 0xef)
}

/// A set of instructions that this processor has.
#[derive(Clone, Copy)]
pub(crate) enum Cpu {
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    Portable(Portable),
}

/// The names of all sets, for any processor; the widest comes first.
pub(crate) const NAMES: [&str; 3] = ["avx2", "neon", "portable"];

impl Cpu {
    /// The set with this name, if the processor has it.
    fn named(name: &str) -> Option<Self> {
        match name {
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "aarch64")]
            "neon" => Neon::detect().map(Self::Neon),
            "portable" => Some(Self::Portable(Portable)),
            _ => None,
        }
    }

    /// The name of the set.
    fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
            Self::Portable(_) => "portable",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(vectors) => vectors.run(kernel),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(vectors) => vectors.run(kernel),
            Self::Portable(vectors) => vectors.run(kernel),
        }
    }
}

static CHOSEN: OnceLock<Cpu> = OnceLock::new();

/// The instructions that this process uses: the widest available, unless [`choose`] chose others.
#[inline]
pub(crate) fn chosen() -> Cpu {
    *CHOSEN.get_or_init(|| {
        NAMES.into_iter().find_map(Cpu::named).expect("every processor runs portable code")
    })
}

/// The name of the instructions that this process uses.
pub fn chosen_name() -> &'static str {
    chosen().name()
}

/// Makes the process use the instructions of this name, for tests and benchmarks; must be called
/// before anything is hashed.
pub fn choose(name: &str) -> Result<(), CannotChoose> {
    if !NAMES.contains(&name) {
        return Err(CannotChoose::Unknown(name.to_owned()));
    }
    let cpu = Cpu::named(name).ok_or_else(|| CannotChoose::Absent(name.to_owned()))?;
    let used = CHOSEN.get_or_init(|| cpu).name();
    if used == name { Ok(()) } else { Err(CannotChoose::Late { name: name.to_owned(), used }) }
}

/// Why instructions cannot be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CannotChoose {
    /// No set has this name.
    Unknown(String),
    /// The processor does not have it.
    Absent(String),
    /// The process already uses others.
    Late {
        /// The name that was asked for.
        name: String,
        /// The name of the instructions in use.
        used: &'static str,
    },
}

impl fmt::Display for CannotChoose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "there are no instructions `{name}`: use one of {}", NAMES.join(", "))
            }
            Self::Absent(name) => write!(f, "this processor does not have `{name}`"),
            Self::Late { name, used } => {
                write!(f, "`{name}` was asked for when `{used}` was in use already")
            }
        }
    }
}

impl std::error::Error for CannotChoose {}

/// For every mask of eight bytes to keep: the indexes of the kept bytes in the lower half of a
/// register, then in the upper half. The first index is in the lowest byte.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static KEPT_INDEXES: [[u64; 256]; 2] = {
    let mut tables = [[0; 256]; 2];
    let mut kept = 0;
    while kept < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 8 {
            if kept >> from & 1 == 1 {
                tables[0][kept] |= from << (8 * to);
                to += 1;
            }
            from += 1;
        }
        tables[1][kept] = tables[0][kept] | 0x0808_0808_0808_0808;
        kept += 1;
    }
    tables
};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::on_every_cpu;
