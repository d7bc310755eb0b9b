use super::*;
use proptest::prelude::*;

fn schedule(anchor: &str, count: u16, unit: IntervalUnit, zone: &str) -> Schedule {
    Schedule::new(
        Timestamp::parse_rfc3339(anchor).expect(anchor),
        Interval::new(unit, count).expect("an interval"),
        Zone::parse(zone).expect(zone),
    )
}

fn starts(schedule: &Schedule, periods: u32) -> Vec<String> {
    (0..periods)
        .map(|k| schedule.boundary(k).expect("a date").to_string())
        .collect()
}

#[test]
fn months_are_reckoned_from_the_anchor_and_dont_drift() {
    use IntervalUnit::{Day, Month, Week, Year};
    let table = [
        (
            "2027-01-31T10:00:00Z",
            1,
            Month,
            "UTC",
            "2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31",
        ),
        (
            "2028-01-30T10:00:00Z",
            1,
            Month,
            "UTC",
            "2028-01-30 2028-02-29 2028-03-30 2028-04-30 2028-05-30",
        ),
        (
            "2028-02-29T10:00:00Z",
            1,
            Year,
            "UTC",
            "2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29",
        ),
        (
            "2026-11-30T10:00:00Z",
            3,
            Month,
            "UTC",
            "2026-11-30 2027-02-28 2027-05-30 2027-08-30 2027-11-30",
        ),
        (
            "2026-12-31T10:00:00Z",
            2,
            Week,
            "UTC",
            "2026-12-31 2027-01-14 2027-01-28 2027-02-11 2027-02-25",
        ),
        (
            "2027-02-27T10:00:00Z",
            1,
            Day,
            "UTC",
            "2027-02-27 2027-02-28 2027-03-01 2027-03-02 2027-03-03",
        ),
    ];
    for (anchor, count, unit, zone, expected) in table {
        let shown: Vec<String> = starts(&schedule(anchor, count, unit, zone), 5)
            .iter()
            .map(|moment| moment.replace("T10:00:00.000Z", ""))
            .collect();
        assert_eq!(shown.join(" "), expected, "{anchor} {count} {unit}");
    }
}

#[test]
fn the_day_is_the_one_of_the_zone() {
    // The evening of 31 January in New York is 1 February in UTC.
    let schedule = schedule(
        "2027-02-01T04:30:00Z",
        1,
        IntervalUnit::Month,
        "America/New_York",
    );
    assert_eq!(
        starts(&schedule, 3),
        [
            "2027-02-01T04:30:00.000Z",
            "2027-03-01T04:30:00.000Z",
            "2027-04-01T03:30:00.000Z"
        ]
    );
}

#[test]
fn the_time_of_day_stays_when_the_clocks_change() {
    // Berlin's clocks go forward on 28 March 2027 from 02:00 to 03:00, and back on 31 October from 03:00 to 02:00.
    let daily = schedule(
        "2027-03-27T01:30:00Z",
        1,
        IntervalUnit::Day,
        "Europe/Berlin",
    );
    assert_eq!(
        starts(&daily, 4),
        [
            "2027-03-27T01:30:00.000Z",
            "2027-03-28T01:30:00.000Z", // 03:30, an hour later than 02:30, which isn't there
            "2027-03-29T00:30:00.000Z",
            "2027-03-30T00:30:00.000Z",
        ]
    );
    let daily = schedule(
        "2027-10-30T00:30:00Z",
        1,
        IntervalUnit::Day,
        "Europe/Berlin",
    );
    assert_eq!(
        starts(&daily, 3),
        [
            "2027-10-30T00:30:00.000Z",
            "2027-10-31T00:30:00.000Z", // the first 02:30 of two
            "2027-11-01T01:30:00.000Z",
        ]
    );
    // A schedule anchored at the second 02:30 of that night keeps its anchor.
    let second = schedule(
        "2027-10-31T01:30:00Z",
        1,
        IntervalUnit::Year,
        "Europe/Berlin",
    );
    assert_eq!(second.boundary(0), Ok(second.anchor));
}

#[test]
fn a_day_that_a_country_leaves_out_is_an_empty_period() {
    let samoa = schedule("2011-12-28T20:00:00Z", 1, IntervalUnit::Day, "Pacific/Apia");
    let lengths: Vec<i64> = (0..4)
        .map(|k| samoa.period(k).expect("a period").micros() / 3_600_000_000)
        .collect();
    assert_eq!(lengths, [24, 24, 0, 24]);
}

#[test]
fn a_trial_comes_before_the_first_period() {
    let mut schedule = schedule(
        "2027-03-14T01:30:00Z",
        1,
        IntervalUnit::Month,
        "Europe/Berlin",
    );
    schedule.lead_days = 14;
    assert_eq!(
        starts(&schedule, 2),
        ["2027-03-28T01:30:00.000Z", "2027-04-28T00:30:00.000Z"],
        "02:30, as it began, although the first day has no such time"
    );
}

#[test]
fn the_calendar_ends() {
    let schedule = schedule("2027-01-31T10:00:00Z", 3, IntervalUnit::Year, "UTC");
    assert!(schedule.boundary(2_600).is_ok());
    for k in [2_700, 1_000_000, u32::MAX] {
        assert_eq!(schedule.boundary(k), Err(BillingError::BeyondCalendar));
    }
    assert_eq!(schedule.period(u32::MAX), Err(BillingError::BeyondCalendar));
}

#[test]
fn what_is_stored_is_read_again() {
    let schedule = schedule(
        "2027-01-31T10:00:00Z",
        1,
        IntervalUnit::Month,
        "Europe/Berlin",
    );
    let stored = serde_json::to_string(&schedule).expect("a text");
    insta::assert_snapshot!(stored, @r#"{"anchor":1801389600000000,"interval":{"unit":"month","count":1},"zone":"Europe/Berlin"}"#);
    assert_eq!(
        serde_json::from_str::<Schedule>(&stored).ok(),
        Some(schedule)
    );
}

const ZONES: [&str; 8] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Pacific/Chatham",
];

proptest! {
    /// Periods of any schedule follow one another and none is empty. Each begins at the anchor's local time, wherever
    /// that time exists.
    #[test]
    fn periods_join_and_keep_the_time_of_day(
        anchor in 1_700_000_000_i64..4_000_000_000,
        unit in proptest::sample::select(IntervalUnit::ALL),
        count in 1_u16..4,
        zone in proptest::sample::select(&ZONES[..]),
        k in 0_u32..400,
    ) {
        let zone = Zone::parse(zone).expect("a zone");
        let anchor = Timestamp::from_micros(anchor * 1_000_000);
        let schedule = Schedule::new(anchor, Interval::new(unit, count).expect("an interval"), zone.clone());
        let (this, next) = (schedule.period(k).expect("a period"), schedule.period(k + 1).expect("a period"));
        prop_assert_eq!(this.end, next.start);
        prop_assert!(!this.is_empty());
        let (began, starts) = (zone.wall(anchor).expect("a date"), zone.wall(this.start).expect("a date"));
        let put_forward = starts.time().duration_since(began.time()).as_mins();
        prop_assert!([0, 30, 60].contains(&put_forward), "{} minutes", put_forward);
    }
}
