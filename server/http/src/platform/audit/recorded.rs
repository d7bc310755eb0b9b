//! Decides how requests of each operation are recorded. The compiler finds a missing operation.

use multirail_api::{Mutation, OpInfo};

/// The way in which requests of an operation are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// The commit of the first change stores the entry.
    WithItsChange,
    /// A commit before the change stores the entry, because the change needs no change-set.
    Before,
    /// The commit of the first change stores the entry where a platform acts for a merchant. Otherwise there is none,
    /// for this reason.
    OfPlatforms(&'static str),
    /// There is no entry, for this reason.
    Not(&'static str),
}

/// Decides how requests of an operation are recorded.
pub(crate) fn recorded(operation: &OpInfo) -> Recorded {
    let Some(mutation) = operation.mutation else {
        return Recorded::Not("changes nothing");
    };
    match mutation {
        Mutation::PaymentsCreate
        | Mutation::PaymentsUpdate
        | Mutation::PaymentsConfirm
        | Mutation::PaymentsCompleteAuthorize => {
            Recorded::OfPlatforms("payments tell it themselves")
        }
        Mutation::UsersForgotPassword
        | Mutation::OidcBegin
        | Mutation::ConsoleSessionsBeginOidc => {
            Recorded::Not("anybody may ask, and nothing is changed by it")
        }
        Mutation::NoticesReceive => {
            Recorded::Not("a processor's word, which has an inbox of its own")
        }
        Mutation::KeysRotate
        | Mutation::EventsRetry
        | Mutation::EventsReplay
        | Mutation::NoticesReplay
        | Mutation::WebhookEndpointsReplay
        | Mutation::BusinessProfilesResumeWebhookDelivery => Recorded::Before,
        Mutation::PaymentsCapture
        | Mutation::PaymentsIncrementalAuthorization
        | Mutation::PaymentsCancel
        | Mutation::PaymentsCancelPostCapture
        | Mutation::PaymentsApprove
        | Mutation::PaymentsReject
        | Mutation::PaymentsUpdateMetadata
        | Mutation::RefundsCreate
        | Mutation::RefundsUpdate
        | Mutation::SubscriptionsCreateAndConfirm
        | Mutation::SubscriptionsCreate
        | Mutation::SubscriptionsConfirm
        | Mutation::SubscriptionsUpdate
        | Mutation::SubscriptionsPause
        | Mutation::SubscriptionsResume
        | Mutation::SubscriptionsCancel
        | Mutation::SubscriptionsRefundCredit
        | Mutation::SubscriptionsVoidInvoice
        | Mutation::SubscriptionsCollectInvoice
        | Mutation::CustomersCreate
        | Mutation::CustomersUpdate
        | Mutation::CustomersDelete
        | Mutation::PaymentMethodsSetDefault
        | Mutation::PaymentMethodsCreate
        | Mutation::PaymentMethodsDelete
        | Mutation::PaymentMethodsUpdate
        | Mutation::MandatesRevoke
        | Mutation::DisputesChallenge
        | Mutation::DisputesAttach
        | Mutation::DisputesDeleteEvidence
        | Mutation::DisputesAccept
        | Mutation::RoutingCreate
        | Mutation::RoutingDeactivate
        | Mutation::RoutingDefaultUpdate
        | Mutation::RoutingDefaultUpdateOfProfile
        | Mutation::RoutingActivate
        | Mutation::SubscriptionProductsCreate
        | Mutation::SubscriptionProductsArchive
        | Mutation::SubscriptionItemsCreate
        | Mutation::SubscriptionItemsArchive
        | Mutation::SubscriptionItemPricesCreate
        | Mutation::SubscriptionItemPricesArchive
        | Mutation::SubscriptionCouponsCreate
        | Mutation::SubscriptionCouponsArchive
        | Mutation::ConnectorAccountsCreate
        | Mutation::ConnectorAccountsUpdate
        | Mutation::ConnectorAccountsDelete
        | Mutation::OrganizationsCreate
        | Mutation::OrganizationsUpdate
        | Mutation::MerchantAccountsCreate
        | Mutation::MerchantAccountsUpdate
        | Mutation::MerchantAccountsDelete
        | Mutation::BusinessProfilesCreate
        | Mutation::BusinessProfilesUpdate
        | Mutation::BusinessProfilesRotateWebhookSecret
        | Mutation::WebhookEndpointsCreate
        | Mutation::WebhookEndpointsUpdate
        | Mutation::WebhookEndpointsDelete
        | Mutation::ApiKeysCreate
        | Mutation::ApiKeysUpdate
        | Mutation::ApiKeysRevoke
        | Mutation::DynamicRoutingEliminationCreate
        | Mutation::DynamicRoutingEliminationToggle
        | Mutation::DynamicRoutingEliminationUpdate
        | Mutation::DynamicRoutingSuccessBasedCreate
        | Mutation::DynamicRoutingSuccessBasedToggle
        | Mutation::DynamicRoutingSuccessBasedUpdate
        | Mutation::DynamicRoutingSetVolumeSplit
        | Mutation::GsmCreate
        | Mutation::GsmUpdate
        | Mutation::GsmDelete
        | Mutation::UsersSignUp
        | Mutation::UsersSignIn
        | Mutation::UsersSignInAlternative
        | Mutation::UsersSignOut
        | Mutation::UserSessionsEndOthers
        | Mutation::TwoFactorBegin
        | Mutation::TwoFactorConfirm
        | Mutation::TwoFactorEnd
        | Mutation::TwoFactorRenewRecoveryCodes
        | Mutation::TwoFactorSignIn
        | Mutation::OidcSignIn
        | Mutation::OidcLink
        | Mutation::OidcUnlink
        | Mutation::UserSessionsEnd
        | Mutation::ConsoleSessionsBegin
        | Mutation::ConsoleSessionsEndOperator
        | Mutation::ConsoleSessionsSwitchMerchant
        | Mutation::UsersChangePassword
        | Mutation::UsersResetPassword
        | Mutation::UsersInvite
        | Mutation::UsersRemoveRole
        | Mutation::UsersResetSignIn
        | Mutation::UsersCreatePlatform
        | Mutation::UsersCreateMerchant
        | Mutation::TeamInvite
        | Mutation::TeamUpdate
        | Mutation::TeamRemove
        | Mutation::TeamEndSessions
        | Mutation::TeamSettingsUpdate
        | Mutation::SavedViewsCreate
        | Mutation::SavedViewsDelete
        | Mutation::UsersSwitchMerchant
        | Mutation::UserPaymentsCreate
        | Mutation::UserPaymentsCapture
        | Mutation::UserPaymentsCancel
        | Mutation::UserPaymentsIncrementalAuthorization
        | Mutation::UserPaymentsApprove
        | Mutation::UserPaymentsReject
        | Mutation::UserSubscriptionsUpdate
        | Mutation::UserSubscriptionsPause
        | Mutation::UserSubscriptionsResume
        | Mutation::UserSubscriptionsCancel
        | Mutation::UserSubscriptionsRefundCredit
        | Mutation::UserSubscriptionsVoidInvoice
        | Mutation::UserSubscriptionsCollectInvoice
        | Mutation::SandboxClockAdvance => Recorded::WithItsChange,
    }
}

#[cfg(test)]
mod tests {
    use multirail_api::OPERATIONS;

    use super::*;

    /// A new operation changes this list: decide whether and how its requests are recorded.
    #[test]
    fn of_every_operation_it_is_decided_how_it_is_recorded() {
        let mut lines = String::new();
        for operation in OPERATIONS {
            let how = match recorded(operation) {
                Recorded::WithItsChange => "with its change",
                Recorded::Before => "before",
                Recorded::OfPlatforms(why) => &format!("of platforms, else {why}"),
                Recorded::Not(why) => why,
            };
            lines.push_str(&format!("{}: {how}\n", operation.id));
        }
        insta::assert_snapshot!(lines);
    }
}
