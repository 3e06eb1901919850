//! A process that does nothing: what every other process is measured against.
fn main() {}
