use std::cell::Cell;
use std::future::{Ready, ready};
use std::panic::AssertUnwindSafe;

use futures::FutureExt;

use super::*;

/// Returns the panic message of a wait that fails.
async fn complaint(waiting: impl Future) -> String {
    let ended = AssertUnwindSafe(waiting).catch_unwind().await;
    let said = ended.err().expect("nothing came");
    *said.downcast::<String>().expect("a text")
}

/// Returns a look at a number that grows by one each time.
fn growing() -> impl FnMut() -> Ready<u32> {
    let mut figure = 0;
    move || {
        figure += 1;
        ready(figure)
    }
}

#[tokio::test(start_paused = true)]
async fn a_present_value_is_returned_at_once() {
    let began = Instant::now();
    assert_eq!(until("one", growing(), |figure| *figure > 0).await, 1);
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_later_value_is_returned_as_seen() {
    let began = Instant::now();
    assert_eq!(until("four", growing(), |figure| *figure == 4).await, 4);
    assert_eq!(began.elapsed(), 3 * PAUSE);
}

#[tokio::test(start_paused = true)]
async fn a_failed_wait_reports_the_last_value() {
    let began = Instant::now();
    let (line, waiting) = (line!(), until("a miracle", growing(), |_| false));
    let said = complaint(waiting).await;
    let looks = PATIENCE.as_millis() / PAUSE.as_millis() + 1;
    assert_eq!(began.elapsed(), PATIENCE);
    let here = format!("{}:{line}:", file!());
    assert!(said.starts_with(&here), "{said}");
    let end = format!(": not in 60s: a miracle; seen last: {looks}");
    assert!(said.ends_with(&end), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_stood_still_looks_once_more() {
    let is_awake = Cell::new(false);
    let found = until_found("somebody", async || {
        if is_awake.replace(true) {
            return Ok("somebody");
        }
        tokio::time::advance(2 * PATIENCE).await;
        Err("nobody")
    });
    assert_eq!(found.await, "somebody");
}
