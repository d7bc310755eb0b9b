//! The pause before a request that the processor turned away (429) is repeated under the same key.

use std::time::Duration;

use crate::wire::WireAnswer;

/// The maximum number of repetitions of one request.
const MOST_REPEATS: u32 = 4;
/// The first pause, if the processor names none. Each further pause is twice as long.
const FIRST: Duration = Duration::from_millis(250);
/// The shortest pause, even if the processor asks for none.
const SHORTEST: Duration = Duration::from_millis(50);

/// Returns the pause before the next try, after `repeats` repetitions. Returns `None` if the answer
/// isn't 429, or if after the pause less than a quarter of the `deadline` would remain of `left`.
pub fn before_repeat(
    answer: &WireAnswer,
    repeats: u32,
    left: Duration,
    deadline: Duration,
) -> Option<Duration> {
    if answer.status != 429 || repeats >= MOST_REPEATS {
        return None;
    }
    let unsaid = FIRST.saturating_mul(1 << repeats);
    let pause = retry_after(answer).unwrap_or(unsaid).max(SHORTEST);
    let enough = pause.saturating_add(deadline / 4);
    (enough <= left).then_some(pause)
}

/// Reads `Retry-After`: a number of seconds, or a date. A date is compared with the answer's own
/// `Date`.
pub fn retry_after(answer: &WireAnswer) -> Option<Duration> {
    let said = answer.header("retry-after")?.trim();
    if let Ok(seconds) = said.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(said).ok()?;
    let now = httpdate::parse_http_date(answer.header("date")?.trim()).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::answer_with;

    const DEADLINE: Duration = Duration::from_secs(20);

    fn pause(status: u16, headers: &[(&'static str, &'static str)], repeats: u32) -> String {
        let answer = answer_with(status, headers, "").expect("an answer");
        let pause = before_repeat(&answer, repeats, DEADLINE, DEADLINE);
        pause.map_or("none".to_owned(), |pause| format!("{pause:?}"))
    }

    #[test]
    fn a_throttled_request_waits_as_requested() {
        let date = ("date", "Sat, 28 Nov 2026 03:00:00 GMT");
        let lines = [
            pause(429, &[("retry-after", "3")], 0),
            pause(429, &[("retry-after", "0")], 0),
            pause(
                429,
                &[("retry-after", "Sat, 28 Nov 2026 03:00:07 GMT"), date],
                0,
            ),
            pause(
                429,
                &[("retry-after", "Sat, 28 Nov 2026 02:00:00 GMT"), date],
                0,
            ),
            pause(429, &[("retry-after", "Sat, 28 Nov 2026 03:00:07 GMT")], 0),
            pause(429, &[("retry-after", "soon")], 1),
            pause(429, &[], 0),
            pause(429, &[], 3),
            pause(429, &[], 4),
            pause(429, &[("retry-after", "15")], 0),
            pause(429, &[("retry-after", "16")], 0),
            pause(503, &[("retry-after", "1")], 0),
            pause(200, &[], 0),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        3s
        50ms
        7s
        50ms
        250ms
        500ms
        250ms
        2s
        none
        15s
        none
        none
        none
        ");
    }
}
