//! Comparing every set of instructions that this processor has with plain code.

use proptest::prelude::*;

use super::*;
use hashline_testing::{size, skipped};

/// Calls `check` with every set of instructions that this processor has.
pub(crate) fn on_every_cpu(mut check: impl FnMut(Cpu)) {
    for cpu in NAMES.into_iter().filter_map(Cpu::named) {
        check(cpu);
    }
}

/// All results for a block and two sets of numbers.
#[derive(PartialEq, Debug)]
struct Results {
    newlines: u64,
    kinds: Kinds,
    suspects: u64,
    compressed: Vec<u8>,
    words: Vec<[u32; LANES]>,
}

#[derive(Debug)]
struct Inputs {
    block: [u8; BLOCK],
    kept: u64,
    a: [u32; LANES],
    b: [u32; LANES],
}

impl Kernel for &Inputs {
    type Output = Results;

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) -> Results {
        let Inputs { block, kept, a, b } = self;
        let mut out = [0; BLOCK];
        let len = v.compress(block, *kept, &mut out);
        let (a, b) = (v.words(*a), v.words(*b));
        let small = [v.shift_right::<1>(a), v.shift_right::<1>(b)];
        let bytes = block.as_chunks::<16>().0;
        let quarters = v.quarters([&bytes[0], &bytes[1], &bytes[2], &bytes[3]]);
        let words = [
            [v.add(a, b), v.mul(a, b), v.xor(a, b), v.and(a, b)],
            [v.rotate_left::<13>(a), v.rotate_left::<1>(b), small[0], v.splat(self.a[3])],
            v.spread(a),
            v.transpose([a, b, small[0], quarters]),
            [
                v.select(v.is_greater(small[0], small[1]), a, b),
                quarters,
                v.shift_right::<16>(a),
                v.shift_left::<8>(b),
            ],
        ];
        let mut numbers = Vec::new();
        for word in words.into_iter().flatten() {
            numbers.push(v.numbers(word));
        }
        Results {
            newlines: v.newlines(block),
            kinds: v.kinds(block),
            suspects: v.suspects(block),
            compressed: out[..len].to_vec(),
            words: numbers,
        }
    }
}

impl Inputs {
    fn check(&self, cpu: Cpu) {
        assert_eq!(cpu.run(self), Portable.run(self));
    }

    /// A mask of the bytes for which `is` returns true.
    fn bits(&self, is: impl Fn(u8) -> bool) -> u64 {
        (0..BLOCK).filter(|at| is(self.block[*at])).fold(0, |bits, at| bits | 1 << at)
    }

    /// Compares the results with those of handling bytes one by one.
    fn check_plainly(&self) {
        let results = Portable.run(self);
        assert_eq!(results.newlines, self.bits(|byte| byte == b'\n'));
        let spaces = self.bits(|byte| matches!(byte, 9..=13 | 32));
        let foreign = self.bits(|byte| !byte.is_ascii());
        assert_eq!(results.kinds, Kinds { newlines: results.newlines, spaces, foreign });
        assert_eq!(results.suspects, self.bits(is_suspect));
        let kept = (0..BLOCK).filter(|at| self.kept >> at & 1 == 1);
        assert_eq!(results.compressed, kept.map(|at| self.block[at]).collect::<Vec<_>>());
    }
}

fn any_inputs() -> impl Strategy<Value = Inputs> {
    let byte = prop_oneof![any::<u8>(), 9..=13_u8, Just(32), 0xc0..=0xef_u8];
    let bytes = prop::collection::vec(byte, BLOCK);
    let numbers = || prop::array::uniform16(any::<u32>());
    (bytes, any::<u64>(), numbers(), numbers()).prop_map(|(bytes, kept, a, b)| Inputs {
        block: bytes.try_into().expect("a block has this many bytes"),
        kept,
        a,
        b,
    })
}

/// Compares the set of this name with portable code, or reports that the processor does not have
/// it.
fn check(name: &str) {
    let Some(cpu) = Cpu::named(name) else {
        return skipped(&format!("this processor does not have `{name}`"));
    };
    for byte in (0..=255).step_by(size(1, 31)) {
        let mut numbers = 1..=16_u32;
        let numbers: [u32; LANES] = std::array::from_fn(|_| numbers.next().unwrap_or_default());
        for kept in [0, u64::MAX, 1 << (byte % 64), 0x5555_5555_5555_5555 << (byte % 3)] {
            let [a, b] = [0x9e37_79b1, u32::MAX].map(|by: u32| numbers.map(|n| n.wrapping_mul(by)));
            Inputs { block: [byte; BLOCK], kept, a, b }.check(cpu);
        }
    }
    proptest!(|(inputs in any_inputs())| inputs.check(cpu));
}

#[test]
fn avx2_equals_portable_code() {
    check("avx2");
}

#[test]
fn neon_equals_portable_code() {
    check("neon");
}

proptest! {
    #[test]
    fn portable_code_equals_handling_bytes_one_by_one(inputs in any_inputs()) {
        inputs.check_plainly();
    }
}

#[test]
fn an_unknown_name_of_instructions_is_refused() {
    assert_eq!(choose("avx3"), Err(CannotChoose::Unknown("avx3".to_owned())));
    let absent = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    assert_eq!(choose(absent), Err(CannotChoose::Absent(absent.to_owned())));
    assert_eq!(
        choose("avx3").unwrap_err().to_string(),
        "there are no instructions `avx3`: use one of avx2, neon, portable"
    );
}

#[test]
fn instructions_in_use_cannot_be_changed() {
    let used = chosen_name();
    assert_eq!(choose(used), Ok(()));
    if used != "portable" {
        let name = "portable".to_owned();
        assert_eq!(choose("portable"), Err(CannotChoose::Late { name, used }));
    }
}
