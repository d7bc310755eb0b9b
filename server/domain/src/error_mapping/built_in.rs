//! What connectors' own categories come to where no operator says otherwise.

use super::{Decision, ErrorCategory, ErrorMapping, MappingKey, Said};
use crate::connector::{Decline, DeclineCategory, Description};
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// The mapping that the connector brings along for a code of its processor, whatever the words beside it. `None` where the
/// code alone says nothing.
pub fn built_in(description: &Description, code: &str) -> Option<ErrorMapping> {
    let category = (description.category_of)(code)?;
    let (error_category, decision, steps_up) = of_category(category);
    let decline = Decline {
        category: Some(category),
        ..Decline::default()
    };
    let group = decline.group();
    let said = Said {
        status: "failure".to_owned(),
        decision,
        step_up_possible: steps_up,
        router_error: None,
        error_category: Some(error_category),
        unified_code: Some(group.code().to_owned()),
        unified_message: Some(group.payment_message().to_owned()),
        standardised_code: Some(category),
        description: None,
        user_guidance_message: category.guidance().map(str::to_owned),
        unread: UnreadMembers::default(),
    };
    let key = MappingKey::of(description.name, code, "");
    Some(ErrorMapping::create(key, said, Timestamp::EPOCH))
}

/// What a category comes to: its kind, whether another processor is worth a try, whether 3-D Secure is.
///
/// Another processor may take what this one can't or may not, and what an issuer refused without a reason. What the issuer
/// means for good, what depends on the payer, and what may have been done under another request is left alone.
pub fn of_category(category: DeclineCategory) -> (ErrorCategory, Decision, bool) {
    use Decision::{DoDefault, Retry};
    match category {
        DeclineCategory::DownstreamTechnicalIssue
        | DeclineCategory::PspAcquirerError
        | DeclineCategory::RateLimit
        | DeclineCategory::ThreeDsAuthenticationServiceIssue => {
            (ErrorCategory::ProcessorDowntime, Retry, false)
        }
        // Whether something was done on the other side of the silence only the processor knows.
        DeclineCategory::TransactionTimedOut => {
            (ErrorCategory::ProcessorDowntime, DoDefault, false)
        }
        DeclineCategory::CfgPmNotEnabledOrMisconfigured
        | DeclineCategory::ConfigurationIssue
        | DeclineCategory::CurrencyOrCorridorNotEnabled
        | DeclineCategory::InvalidCredentials
        | DeclineCategory::MerchantInactive
        | DeclineCategory::StoredCredentialOrMitNotEnabled
        | DeclineCategory::ThreeDsConfigurationIssue
        | DeclineCategory::WalletOrTokenConfigIssue => {
            (ErrorCategory::ProcessorDeclineUnauthorized, Retry, false)
        }
        DeclineCategory::DoNotHonor | DeclineCategory::IssuerUnavailable => {
            (ErrorCategory::SoftDecline, Retry, false)
        }
        DeclineCategory::CardNotSupportedRestricted => {
            (ErrorCategory::IssueWithPaymentMethod, Retry, false)
        }
        DeclineCategory::IntegCryptographicIssue | DeclineCategory::IntegrationIssue => {
            (ErrorCategory::ProcessorDeclineIncorrectData, Retry, false)
        }
        DeclineCategory::AuthenticationRequired => (ErrorCategory::SoftDecline, DoDefault, true),
        DeclineCategory::AuthenticationFailed
        | DeclineCategory::CreditLimitExceeded
        | DeclineCategory::GenericUnknownError
        | DeclineCategory::InsufficientFunds
        | DeclineCategory::PaymentCancelledByUser
        | DeclineCategory::PaymentSessionTimeout
        | DeclineCategory::VelocityLimitExceeded => (ErrorCategory::SoftDecline, DoDefault, false),
        DeclineCategory::PspFraudEngineDecline | DeclineCategory::SuspectedFraud => {
            (ErrorCategory::FrmDecline, DoDefault, false)
        }
        DeclineCategory::AccountClosedOrInvalid
        | DeclineCategory::AuthorizationMissingOrRevoked
        | DeclineCategory::CardLostOrStolen
        | DeclineCategory::ComplianceOrSanctionsRestriction
        | DeclineCategory::SubscriptionPlanInactive
        | DeclineCategory::TransactionNotPermitted => {
            (ErrorCategory::HardDecline, DoDefault, false)
        }
        DeclineCategory::IncorrectAuthenticationCode
        | DeclineCategory::InvalidCardNumber
        | DeclineCategory::InvalidCvv
        | DeclineCategory::InvalidExpiryDate
        | DeclineCategory::PaymentMethodIssue
        | DeclineCategory::PmAddressMismatch => {
            (ErrorCategory::IssueWithPaymentMethod, DoDefault, false)
        }
        // An earlier request may have taken the money.
        DeclineCategory::DuplicateRequest
        | DeclineCategory::InvalidState
        | DeclineCategory::MissingOrInvalidParam
        | DeclineCategory::OperationNotAllowed
        | DeclineCategory::ThreeDsDataOrProtocolInvalid => (
            ErrorCategory::ProcessorDeclineIncorrectData,
            DoDefault,
            false,
        ),
    }
}
