//! The features of a connector by name, for people who choose one.

use multirail_kernel::words::words;

use super::{Capabilities, ConnectorType, Description};

words! {
    /// An ability that not every connector has.
    pub enum Feature {
        Refunds = "refunds",
        ThreeDs = "three_ds",
        CardVerification = "card_verification",
        StoredMethods = "stored_methods",
        NetworkTokens = "network_tokens",
        IncrementalAuthorization = "incremental_authorization",
        ExtendedAuthorization = "extended_authorization",
        Overcapture = "overcapture",
        CancelPostCapture = "cancel_post_capture",
        ManualReview = "manual_review",
        DisputeAcceptance = "dispute_acceptance",
        DisputeEvidence = "dispute_evidence",
        DisputeList = "dispute_list",
    }
}

impl Description {
    /// Checks whether the connector has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        let able: &Capabilities = &self.capabilities;
        match feature {
            // Every connector of payments implements refunds.
            Feature::Refunds => self.offers.contains(&ConnectorType::PaymentProcessor),
            Feature::ThreeDs => able.redirects,
            Feature::CardVerification => able.verifies_cards,
            Feature::StoredMethods => able.charges_kept,
            Feature::NetworkTokens => able.wallets.network_tokens,
            Feature::IncrementalAuthorization => able.raises_authorizations.is_some(),
            Feature::ExtendedAuthorization => able.extends_authorizations,
            Feature::Overcapture => able.overcaptures,
            Feature::CancelPostCapture => able.voids_captured.is_some(),
            Feature::ManualReview => able.holds_for_review,
            Feature::DisputeAcceptance => able.disputes.accepts.is_some(),
            Feature::DisputeEvidence => able.disputes.challenges.is_some(),
            Feature::DisputeList => able.disputes.lists.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connector::description::EXAMPLE;

    #[test]
    fn features_follow_from_capabilities() {
        let has = |description: &Description| -> Vec<&str> {
            let all = Feature::ALL.iter().copied();
            let own = all.filter(|feature| description.has(*feature));
            own.map(Feature::as_str).collect()
        };
        assert_eq!(has(&EXAMPLE), ["refunds"]);
        let able = Description {
            offers: &[ConnectorType::VaultProcessor],
            capabilities: Capabilities {
                redirects: true,
                overcaptures: true,
                ..Capabilities::NONE
            },
            ..EXAMPLE.clone()
        };
        assert_eq!(has(&able), ["three_ds", "overcapture"]);
    }
}
