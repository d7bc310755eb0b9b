use proptest::prelude::*;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH
        .plus_seconds(1_000_000 + seconds)
        .expect("a moment")
}

/// Five drops, of which one leaks each minute.
fn usual() -> EliminationConfig {
    EliminationConfig::default()
}

fn filled(config: &EliminationConfig, seconds: &[i64]) -> Bucket {
    seconds.iter().fold(Bucket::EMPTY, |bucket, second| {
        bucket.with_drop(at(*second), config)
    })
}

#[test]
fn five_failures_within_a_minute_fill_it_and_a_minute_frees_one_place() {
    let config = usual();
    let bucket = filled(&config, &[0, 10, 20, 30, 40]);
    assert_eq!(bucket.drops(at(40), &config), 5);
    assert!(bucket.is_full(at(59), &config));
    assert!(!bucket.is_full(at(60), &config), "the first has leaked");
    assert_eq!(bucket.drops(at(60), &config), 4);
    assert_eq!(bucket.drops(at(300), &config), 0);
}

#[test]
fn four_dont_fill_it_nor_do_five_that_come_slowly() {
    let config = usual();
    assert!(!filled(&config, &[0, 1, 2, 3]).is_full(at(3), &config));
    let slowly = filled(&config, &[0, 60, 120, 180, 240, 300]);
    assert_eq!(slowly.drops(at(300), &config), 1);
}

#[test]
fn what_comes_to_a_full_one_runs_over() {
    let config = usual();
    let over = filled(&config, &[0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(over.drops(at(0), &config), 5);
    assert!(!over.is_full(at(60), &config));
}

#[test]
fn what_is_out_of_bounds_is_refused_by_name() {
    let refused = |input| usual().with(input).expect_err("out of bounds").to_string();
    let input = EliminationInput::default;
    let lines = [
        refused(EliminationInput {
            threshold: Some(1.5),
            ..input()
        }),
        refused(EliminationInput {
            threshold: Some(f64::NAN),
            ..input()
        }),
        refused(EliminationInput {
            bucket_size: Some(0),
            ..input()
        }),
        refused(EliminationInput {
            bucket_leak_interval_in_secs: Some(0),
            ..input()
        }),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    decision_engine_configs.threshold has to lie between 0 and 1
    decision_engine_configs.threshold has to lie between 0 and 1
    elimination_analyser_config.bucket_size has to lie between 1 and 10000
    elimination_analyser_config.bucket_leak_interval_in_secs has to lie between 1 and 604800
    ");
}

/// Simulates the bucket drop by drop.
fn drawn(config: &EliminationConfig, times: &[i64], now: i64) -> u64 {
    let leak = config.bucket_leak_interval_in_secs as i64;
    let (mut level, mut next_leak) = (0_u64, i64::MAX);
    let until = |time: i64, level: &mut u64, next_leak: &mut i64| {
        while *level > 0 && *next_leak <= time {
            *level -= 1;
            *next_leak += leak;
        }
    };
    for time in times {
        until(*time, &mut level, &mut next_leak);
        if level == 0 {
            next_leak = time + leak;
        }
        level = (level + 1).min(config.bucket_size);
    }
    until(now, &mut level, &mut next_leak);
    level
}

proptest! {
    #[test]
    fn it_is_the_bucket_that_one_would_draw(
        size in 1..8_u64,
        leak in 1..90_u64,
        gaps in prop::collection::vec(0..120_i64, 0..30),
        later in 0..600_i64,
    ) {
        let config = EliminationConfig { bucket_size: size, bucket_leak_interval_in_secs: leak, ..usual() };
        let times: Vec<i64> = gaps.iter().scan(0, |time, gap| { *time += gap; Some(*time) }).collect();
        let now = times.last().copied().unwrap_or(0) + later;
        let bucket = filled(&config, &times);
        prop_assert_eq!(bucket.drops(at(now), &config), drawn(&config, &times, now));
        prop_assert_eq!(bucket.is_full(at(now), &config), bucket.drops(at(now), &config) >= size);
    }
}
