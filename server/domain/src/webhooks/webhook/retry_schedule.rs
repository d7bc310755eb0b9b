//! The pauses before retries to an endpoint that didn't accept an event.

use std::fmt;
use std::str::FromStr;

use multirail_kernel::random::Random;

/// The largest number of retries of a schedule.
const MOST_RETRIES: u32 = 1_000;

/// The longest single pause: thirty days, in seconds.
const LONGEST_PAUSE: i64 = 30 * 86_400;

/// The pauses before each automatic retry. After the last one the delivery is given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule {
    /// The number of repetitions, and the pause in seconds.
    steps: Vec<(u32, i64)>,
}

/// The error for a text that is not a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must list pauses such as \"1m, 2x5m, 3x6h\" (s, m, h or d; at most 1000 pauses of at most 30 days each), or be \"none\""
)]
pub struct UnreadableSchedule;

impl RetrySchedule {
    /// Returns the pause before a retry, in seconds. Retries are counted from 1; `None` if there is no such retry.
    pub fn pause_before(&self, retry_number: u32) -> Option<i64> {
        let mut left = retry_number.checked_sub(1)?;
        for (times, pause) in &self.steps {
            match left.checked_sub(*times) {
                Some(rest) => left = rest,
                None => return Some(*pause),
            }
        }
        None
    }

    /// Returns the number of retries.
    pub fn retries(&self) -> u32 {
        self.steps.iter().map(|(times, _)| times).sum()
    }
}

/// Returns 16 retries over somewhat more than a day. (Facts 5.6)
impl Default for RetrySchedule {
    fn default() -> Self {
        RetrySchedule {
            steps: vec![(1, 60), (2, 300), (5, 600), (5, 3_600), (3, 21_600)],
        }
    }
}

impl FromStr for RetrySchedule {
    type Err = UnreadableSchedule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "none" {
            return Ok(RetrySchedule { steps: Vec::new() });
        }
        let steps: Vec<(u32, i64)> = text
            .split(',')
            .map(|step| read_step(step.trim()))
            .collect::<Option<_>>()
            .ok_or(UnreadableSchedule)?;
        let retries = steps
            .iter()
            .try_fold(0_u32, |sum, (times, _)| sum.checked_add(*times));
        match retries {
            Some(1..=MOST_RETRIES) => Ok(RetrySchedule { steps }),
            Some(_) | None => Err(UnreadableSchedule),
        }
    }
}

impl fmt::Display for RetrySchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("none");
        }
        for (index, (times, pause)) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            if *times > 1 {
                write!(f, "{times}x")?;
            }
            let (size, unit) = UNITS
                .into_iter()
                .find(|(size, _)| pause % size == 0)
                .unwrap_or((1, "s"));
            write!(f, "{}{unit}", pause / size)?;
        }
        Ok(())
    }
}

const UNITS: [(i64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];

/// Reads `5m` or `2x5m`.
fn read_step(step: &str) -> Option<(u32, i64)> {
    let (times, pause) = match step.split_once('x') {
        Some((times, pause)) => (times.trim().parse().ok()?, pause.trim()),
        None => (1, step),
    };
    let (size, number) = UNITS
        .into_iter()
        .find_map(|(size, unit)| Some((size, pause.strip_suffix(unit)?)))?;
    let seconds = number.parse::<i64>().ok()?.checked_mul(size)?;
    let is_fit = times > 0 && (1..=LONGEST_PAUSE).contains(&seconds);
    is_fit.then_some((times, seconds))
}

/// The largest random extension of a pause, in percent, so that deliveries that failed together aren't retried together. Pauses
/// are never shortened. 0 switches the extension off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jitter(pub u32);

impl Jitter {
    /// Returns a pause of so many seconds with a random extension, in microseconds.
    pub fn draw_out(self, seconds: i64, random: &dyn Random) -> i64 {
        let pause = seconds.saturating_mul(1_000_000);
        let most = pause / 100 * i64::from(self.0.min(100));
        if most == 0 {
            return pause;
        }
        let mut bytes = [0_u8; 8];
        random.fill(&mut bytes);
        let drawn = u64::from_le_bytes(bytes) % (most as u64 + 1);
        pause.saturating_add(drawn as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::random::SeededRandom;

    fn pauses(schedule: &RetrySchedule) -> Vec<i64> {
        (1..).map_while(|n| schedule.pause_before(n)).collect()
    }

    #[test]
    fn the_default_is_the_contracts_table() {
        let schedule = RetrySchedule::default();
        let pauses = pauses(&schedule);
        assert_eq!(pauses[..3], [60, 300, 300]);
        assert_eq!(pauses[3..8], [600; 5]);
        assert_eq!(pauses[8..13], [3_600; 5]);
        assert_eq!(pauses[13..], [21_600; 3]);
        assert_eq!(pauses.iter().sum::<i64>(), 86_460, "a day and a minute");
        assert_eq!(schedule.retries(), 16);
        assert_eq!(schedule.pause_before(0), None);
    }

    #[test]
    fn it_reads_what_it_shows() {
        let shown = RetrySchedule::default().to_string();
        assert_eq!(shown, "1m, 2x5m, 5x10m, 5x1h, 3x6h");
        assert_eq!(shown.parse(), Ok(RetrySchedule::default()));
        for text in ["none", "90s", "2x1d, 30d", "1s, 1000s"] {
            let schedule: RetrySchedule = text.parse().expect(text);
            assert_eq!(schedule.to_string().parse(), Ok(schedule), "{text}");
        }
        assert_eq!(pauses(&"none".parse().expect("none")), [0_i64; 0]);
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in [
            "",
            "5",
            "m",
            "0m",
            "-1m",
            "0x5m",
            "5m,",
            "31d",
            "5 minutes",
            "1001x1s",
            "999x1s, 2x1s",
            "4294967295x1s, 1s",
            "99999999999999999d",
        ] {
            assert_eq!(
                text.parse::<RetrySchedule>(),
                Err(UnreadableSchedule),
                "{text}"
            );
        }
    }

    #[test]
    fn a_pause_is_drawn_out_by_a_little_and_never_shortened() {
        let random = SeededRandom::new(5);
        let drawn: Vec<i64> = (0..1_000)
            .map(|_| Jitter(10).draw_out(60, &random))
            .collect();
        let (least, most) = (drawn.iter().min(), drawn.iter().max());
        assert!(least < Some(&61_000_000) && least >= Some(&60_000_000));
        assert!(most > Some(&65_000_000) && most <= Some(&66_000_000));
        assert_eq!(Jitter(0).draw_out(60, &random), 60_000_000);
        assert_eq!(Jitter(10).draw_out(0, &random), 0);
    }
}
