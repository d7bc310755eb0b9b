use multirail_kernel::ids::ConnectorAccountId;

use super::*;

#[test]
fn a_rate_is_a_share_to_the_hundredth_of_a_percent() {
    let rate = |decided, approved| {
        let counted = Counted {
            parameters: String::new(),
            account: ConnectorAccountId::parse("mca_1").expect("an id"),
            blocks: 1,
            decided,
            approved,
        };
        super::rate(&counted)
    };
    assert_eq!(
        [rate(3, 3), rate(3, 2), rate(3, 1), rate(3, 0), rate(0, 0)],
        [10_000, 6_667, 3_333, 0, 0]
    );
}
