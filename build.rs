//! Tells the linker that Node.js provides the Node-API symbols.

use std::env::var;

fn main() {
    // With GNU tools napi-build links Node's own library, which nobody has. The addon does not need
    // it there: it looks the functions up when it is loaded (feature `dyn-symbols`).
    let windows_gnu = var("CARGO_CFG_TARGET_OS").as_deref() == Ok("windows")
        && var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu");
    if !windows_gnu {
        napi_build::setup();
    }
}
