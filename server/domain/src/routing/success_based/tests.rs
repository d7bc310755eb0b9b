use super::*;

fn refused(input: SuccessBasedInput) -> String {
    let config = SuccessBasedConfig::default();
    config.with(input).expect_err("out of bounds").to_string()
}

#[test]
fn what_is_out_of_bounds_is_refused_by_name() {
    let input = SuccessBasedInput::default;
    let lines = [
        refused(SuccessBasedInput {
            default_success_rate: Some(100.5),
            ..input()
        }),
        refused(SuccessBasedInput {
            exploration_percent: Some(f64::NAN),
            ..input()
        }),
        refused(SuccessBasedInput {
            min_aggregates_size: Some(0),
            ..input()
        }),
        refused(SuccessBasedInput {
            max_aggregates_size: Some(101),
            ..input()
        }),
        refused(SuccessBasedInput {
            min_aggregates_size: Some(9),
            ..input()
        }),
        refused(SuccessBasedInput {
            block_minutes: Some(1_441),
            ..input()
        }),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    config.default_success_rate has to lie between 0 and 100
    config.exploration_percent has to lie between 0 and 100
    config.min_aggregates_size has to lie between 1 and 100
    config.max_aggregates_size has to lie between 1 and 100
    config.min_aggregates_size can't be above config.max_aggregates_size
    config.current_block_threshold.duration_in_mins has to lie between 1 and 1440
    ");
}

#[test]
fn the_window_is_the_block_under_way_and_those_before_it() {
    let config = SuccessBasedConfig {
        max_aggregates_size: 3,
        block_minutes: 10,
        ..SuccessBasedConfig::default()
    };
    let at = |minutes: i64| Timestamp::from_micros(minutes * MICROS_A_MINUTE);
    assert_eq!(config.block_start(at(47)), at(40));
    assert_eq!(config.window_start(at(47)), at(20));
    assert_eq!(config.window_start(at(49)), at(20));
    assert_eq!(config.window_start(at(50)), at(30));
    // A block counts as long as a window includes it.
    assert_eq!(config.counts_until(at(20)), at(50));
}
