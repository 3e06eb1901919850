//! The app in a real terminal, on a core in memory. The program under test is this test binary: it runs one of its own
//! ignored tests, which is the app.

use crate::support::facts;
use crate::support::fake::Fake;

#[test]
#[ignore = "is the app itself, to be run in a terminal"]
fn the_app_on_a_core_in_memory() {
    let fake = Fake::new(facts::desk());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(sayso::tui::run(fake, sayso::tui::Options::default())).unwrap();
}
