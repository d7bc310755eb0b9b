//! The advice that is stored with a decline. It answers three questions: retry at another
//! processor, ask for authentication, and which unified message to show.

use multirail_kernel::record_object::record_object;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use crate::connector::{Decline, DeclineCategory};

words! {
    /// The next step after this decline.
    pub enum Decision {
        /// Try the next eligible account, if the profile allows automatic retries.
        Retry = "retry",
        /// The payment has failed.
        DoDefault = "do_default",
    }
}

words! {
    /// The kind of decline.
    pub enum ErrorCategory {
        FrmDecline = "frm_decline",
        ProcessorDowntime = "processor_downtime",
        ProcessorDeclineUnauthorized = "processor_decline_unauthorized",
        IssueWithPaymentMethod = "issue_with_payment_method",
        ProcessorDeclineIncorrectData = "processor_decline_incorrect_data",
        HardDecline = "hard_decline",
        SoftDecline = "soft_decline",
    }
}

impl ErrorCategory {
    /// Checks whether the processor or the account caused the decline, independent of payer and
    /// card.
    pub fn is_the_processors(self) -> bool {
        match self {
            ErrorCategory::ProcessorDowntime | ErrorCategory::ProcessorDeclineUnauthorized => true,
            ErrorCategory::FrmDecline
            | ErrorCategory::IssueWithPaymentMethod
            | ErrorCategory::ProcessorDeclineIncorrectData
            | ErrorCategory::HardDecline
            | ErrorCategory::SoftDecline => false,
        }
    }
}

record_object! {
    /// The advice on a decline, fixed when the decline arrives. Later changes of the error mapping
    /// don't change stored advice.
    #[derive(Eq)]
    pub struct Advice {
        decision: Decision,
    } and maybe {
        step_up_possible: bool,
        error_category: ErrorCategory,
        /// A unified code that replaces the category's own.
        unified_code: String,
        unified_message: String,
        description: String,
        user_guidance_message: String,
    }
}

impl Advice {
    /// Returns the advice for a connector's code of which only the category is known.
    pub fn from_category(category: DeclineCategory) -> Self {
        let (error_category, decision, steps_up) = of_category(category);
        Advice {
            decision,
            step_up_possible: steps_up.then_some(true),
            error_category: Some(error_category),
            unified_code: None,
            unified_message: None,
            description: None,
            user_guidance_message: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the advice for an unknown decline: no retry, no authentication.
    pub fn none() -> Self {
        Advice {
            decision: Decision::DoDefault,
            step_up_possible: None,
            error_category: None,
            unified_code: None,
            unified_message: None,
            description: None,
            user_guidance_message: None,
            unread: UnreadMembers::default(),
        }
    }
}

impl Decline {
    /// Checks whether the scheme or the processor forbids another try with this card or with these
    /// data. No mapping overrules this.
    pub fn forbids_another_try(&self) -> bool {
        // Mastercard's advice to get new card data, and Stripe's equivalent.
        let wants_others = |word: &str| matches!(word, "01" | "confirm_card_data");
        self.forbids_the_card() || self.is_advised(wants_others)
    }

    /// Checks whether the scheme or the processor forbids every further try with this card.
    pub fn forbids_the_card(&self) -> bool {
        // Mastercard's "never again" (03) and "stopped by the cardholder" (21), and Stripe's
        // equivalent.
        self.is_advised(|word| matches!(word, "03" | "21" | "do_not_try_again"))
    }

    fn is_advised(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let issuer = self.issuer.as_deref();
        let code = issuer.and_then(|issuer| issuer.advice_code.as_deref());
        let words = issuer.and_then(|issuer| issuer.advice_message.as_deref());
        [code, words]
            .into_iter()
            .flatten()
            .any(|word| is_meant(word.trim()))
    }
}

/// Maps a category to its kind, its decision, and whether 3-D Secure may help.
///
/// Declines that are specific to this processor are retried at another one, and so are declines
/// without a reason. Final declines of the issuer and declines that depend on the payer are not
/// retried. The same holds where an earlier request may have taken the money.
pub fn of_category(category: DeclineCategory) -> (ErrorCategory, Decision, bool) {
    use Decision::{DoDefault, Retry};
    match category {
        DeclineCategory::DownstreamTechnicalIssue
        | DeclineCategory::PspAcquirerError
        | DeclineCategory::RateLimit
        | DeclineCategory::ThreeDsAuthenticationServiceIssue => {
            (ErrorCategory::ProcessorDowntime, Retry, false)
        }
        // The request timed out, and only the processor knows its outcome.
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
