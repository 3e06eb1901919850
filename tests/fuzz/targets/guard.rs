#![no_main]

#[path = "../check.rs"]
#[allow(dead_code, reason = "each target uses one of the checks")]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::guard(bytes));
