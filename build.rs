//! Tells the linker that Node.js provides the Node-API symbols.

fn main() {
    if std::env::var_os("CARGO_FEATURE_NAPI").is_some() {
        napi_build::setup();
    }
}
