use multirail_domain::routing::elimination::{EliminationConfig, Full};

use super::*;

#[test]
fn a_full_bucket_alone_decides_about_its_account_and_its_parameters() {
    let account = |id| ConnectorAccountId::parse(id).expect("an id");
    for threshold in [0.0, 0.35, 1.0] {
        let full = Full {
            parameters: "card".to_owned(),
            account: account("mca_1"),
        };
        let elimination = Elimination {
            config: EliminationConfig {
                threshold,
                ..EliminationConfig::default()
            },
            full: vec![full],
        };
        assert!(
            moves(&elimination, "card", &account("mca_1")),
            "{threshold}"
        );
        assert!(!moves(&elimination, "wallet", &account("mca_1")));
        assert!(!moves(&elimination, "card", &account("mca_2")));
    }
}
