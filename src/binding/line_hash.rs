//! One line's hash for JavaScript, with nothing in between: the string goes into a buffer on the stack
//! and a number comes back. The strings of the 256 tags stay on the JavaScript side.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use napi::bindgen_prelude::Result;

use super::js_text::{self, JsText};
use super::raw::{Arguments, RawFunction};
use crate::text::line_hashes::{Folding, line_hash};

/// Longer lines take the general path.
const ON_STACK: usize = 1024;
/// The largest scratch buffer that is kept from one call to the next.
const KEPT: usize = 64 * 1024;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// `lineHash(line)`: the byte that oh-my-pi's tag of `line` stands for.
pub struct LineHash;

impl RawFunction<1> for LineHash {
    const NAME: &'static str = "lineHash";

    type Output = u32;

    fn call(arguments: &Arguments<1>) -> Result<u32> {
        let value = arguments.value(0);
        let mut buffer = [MaybeUninit::uninit(); ON_STACK];
        let line = js_text::start_of(arguments.env, &value, &mut buffer)?;
        // A character that does not fit is left out whole, so a text that was cut may end 3 bytes early;
        // and the engine may have replaced a lone surrogate, which only the general path can see.
        let whole =
            line.len() + 4 < ON_STACK && (line.is_ascii() || !js_text::may_hide_surrogates(line));
        SCRATCH.with_borrow_mut(|scratch| {
            if whole {
                return Ok(line_hash(line, Folding::None, scratch) & 0xff);
            }
            let line = JsText::of(arguments.env, &value)?;
            let hash = line_hash(&line.0, Folding::None, scratch);
            if scratch.capacity() > KEPT {
                *scratch = Vec::new();
            }
            Ok(hash & 0xff)
        })
    }
}
