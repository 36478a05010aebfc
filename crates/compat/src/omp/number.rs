//! JavaScript's numbers, and how JavaScript prints them.

/// What JavaScript's `String(value)` returns.
///
/// ```
/// use hashline_compat::omp::js_number;
/// assert_eq!(js_number(12.0), "12");
/// assert_eq!(js_number(1e21), "1e+21");
/// assert_eq!(js_number(f64::INFINITY), "Infinity");
/// ```
pub fn js_number(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}Infinity")
    } else if size == 0.0 {
        // JavaScript prints minus zero without its sign.
        "0".to_owned()
    } else if (1e-6..1e21).contains(&size) {
        format!("{value}")
    } else if size < 1.0 {
        format!("{value:e}")
    } else {
        format!("{value:e}").replace('e', "e+")
    }
}

/// A count of lines or bytes as a JavaScript number.
#[expect(clippy::cast_precision_loss, reason = "nothing in memory is counted beyond 2^53")]
pub(super) fn whole(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::js_number;

    #[test]
    fn numbers_print_as_in_javascript() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-3.0, "-3"),
            (1.5, "1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (18_446_744_073_709_551_615.0, "18446744073709552000"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (1e21, "1e+21"),
            (-1.25e300, "-1.25e+300"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(js_number(value), text);
        }
    }
}
