//! One line's hash for JavaScript, without overhead: the string is copied into memory that is
//! already allocated, and a number returns. JavaScript keeps the strings of the 256 tags.

use std::cell::RefCell;

use napi::bindgen_prelude::Result;

use crate::dropin::js_text::{self, JsText};
use crate::dropin::raw::{Arguments, RawFunction};
use hashline_text::kernel::line_hashes::{Folding, LineUnits, line_hash};

thread_local! {
    static UNITS: RefCell<LineUnits> = const { RefCell::new(LineUnits::EMPTY) };
}

/// `lineHash(line)`: the byte that oh-my-pi's tag of `line` stands for.
pub struct LineHash;

impl RawFunction<1> for LineHash {
    const NAME: &'static str = "lineHash";

    type Output = u32;

    fn call(arguments: &Arguments<1>) -> Result<u32> {
        let value = arguments.value(0);
        let ascii = UNITS.with_borrow_mut(|units| {
            // Engines copy UTF-16 faster than they encode UTF-8, even of ASCII.
            let len = js_text::start_of(arguments.env, &value, units.room())?;
            Result::Ok(units.hash(len))
        })?;
        let hash = if let Some(hash) = ascii {
            hash
        } else {
            let line = JsText::of(arguments.env, &value)?;
            line_hash(&line.0, Folding::None, &mut Vec::new())
        };
        Ok(hash & 0xff)
    }
}
