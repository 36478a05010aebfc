//! The instructions that work on many bytes or numbers at once, whatever the processor calls them.
//!
//! A hot loop is written once, as a `Kernel` over any `Vectors`, and compiled for each of them: 64
//! bytes are looked at together, and sixteen numbers reckoned with together, in as many registers as
//! that takes. `chosen` says which set this process uses. Every set gives the same results; tests hold
//! each that the processor has to `Portable`.
//!
//! `Avx2` and `Neon` are proofs: only asking the processor makes one, and every
//! operation takes one, so that no safe function depends on what its caller has checked
//! ([ADR 11](../../docs/adr/0011-one-kernel-for-every-vector-width.md)).

#![expect(clippy::inline_always, reason = "a kernel is compiled anew for each set of features")]

/// Calls instructions that the processor is known to have.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! proven {
    ($instructions:expr) => {
        // SAFETY: a method of the proof calls them, so the processor has the instructions.
        unsafe { $instructions }
    };
}

/// The same instruction for each of the four registers of 16 bytes that sixteen numbers take.
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

/// How many bytes are looked at together: as many as a `u64` has bits.
pub(crate) const BLOCK: usize = 64;

/// How many numbers are reckoned with together.
pub(crate) const LANES: usize = 16;

/// What the bytes of a block are: a bit for each, the first byte has the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kinds {
    /// Newlines.
    pub newlines: u64,
    /// The white space of ASCII, newlines included.
    pub spaces: u64,
    /// Bytes beyond ASCII.
    pub foreign: u64,
}

/// A set of vector instructions.
///
/// `Words` are [`LANES`] numbers in four quarters of four.
pub(crate) trait Vectors: Copy {
    /// Sixteen numbers of 32 bits, in as many registers as they need.
    type Words: Copy;
    /// A yes or no for each of them.
    type Mask: Copy;

    /// Whether reckoning with sixteen numbers together is faster than with one after the other.
    const SIDE_BY_SIDE: bool = true;

    /// Where the newlines of a block are.
    fn newlines(self, block: &[u8; BLOCK]) -> u64;
    /// What the bytes of a block are.
    fn kinds(self, block: &[u8; BLOCK]) -> Kinds;
    /// Where the bytes are for which [`is_suspect`] holds.
    fn suspects(self, block: &[u8; BLOCK]) -> u64;
    /// Writes the bytes that are `kept` to the start of `out`, in order, and returns how many there are.
    /// The rest of `out` is then meaningless.
    fn compress(self, block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize;

    /// These numbers.
    fn words(self, numbers: [u32; LANES]) -> Self::Words;
    /// The numbers again.
    fn numbers(self, words: Self::Words) -> [u32; LANES];
    /// The same number everywhere.
    fn splat(self, number: u32) -> Self::Words;
    /// Each quarter from sixteen bytes, the lowest byte first.
    fn quarters(self, from: [&[u8; 16]; 4]) -> Self::Words;
    /// Each quarter filled with its first number, with its second, its third, and its fourth.
    fn spread(self, words: Self::Words) -> [Self::Words; 4];
    /// In each quarter, the number at index `n` of vector `m` becomes that at index `m` of vector `n`.
    fn transpose(self, rows: [Self::Words; 4]) -> [Self::Words; 4];
    /// Sums that wrap around.
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Products that wrap around.
    fn mul(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bits that are set in one of both only.
    fn xor(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bits that are set in both.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Shifted to higher bits.
    fn shift_left<const BITS: u32>(self, words: Self::Words) -> Self::Words;
    /// Shifted to lower bits.
    fn shift_right<const BITS: u32>(self, words: Self::Words) -> Self::Words;
    /// Rotated to higher bits.
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
    /// What comes of it.
    type Output;

    /// Does it. To be `#[inline(always)]`, as everything that it calls with `vectors`: what is not
    /// inlined would be compiled without the instructions.
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// Whether half of a surrogate pair can begin with this byte, or a character beyond ASCII that is white
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

/// The names of all sets, on any processor, the widest first.
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

    /// Its name.
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

/// The instructions that this process uses: the widest there are, unless [`choose`] said otherwise.
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

/// Has the process use the instructions of this name, for tests and benchmarks; to be called before
/// anything is hashed.
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
    /// The process has begun to use others.
    Late {
        /// The name that was asked for.
        name: String,
        /// The instructions in use.
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

/// For every set of eight bytes to keep, where the kept ones are in the lower half of a register, and where in
/// the upper: the first in the lowest byte.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static PLACES: [[u64; 256]; 2] = {
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
