//! What a refusal comes to, kept with it: whether another processor is worth a try at once, whether the payer should authenticate,
//! and in which words it is told.

use multirail_kernel::record_object::record_object;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use crate::connector::{Decline, DeclineCategory};

words! {
    /// What becomes of a payment that was refused so.
    pub enum Decision {
        /// The next eligible account is tried, where the profile lets payments be tried again by themselves.
        Retry = "retry",
        /// It has failed.
        DoDefault = "do_default",
    }
}

words! {
    /// What kind of refusal it is.
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
    /// The fault lies with the processor or the account there, whoever pays with whatever.
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
    /// What a refusal came to when it was heard of. Later changes of the mapping leave it as it is.
    #[derive(Eq)]
    pub struct Advice {
        decision: Decision,
    } and maybe {
        step_up_possible: bool,
        error_category: ErrorCategory,
        /// In the place of the group's own.
        unified_code: String,
        unified_message: String,
        description: String,
        user_guidance_message: String,
    }
}

impl Advice {
    /// What is known of a connector's code by its category alone.
    pub fn of(category: DeclineCategory) -> Self {
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

    /// Nothing is known, so nothing is tried.
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
    /// The scheme or the processor says not to try this card again, or not with these data; no mapping overrules it.
    pub fn forbids_another_try(&self) -> bool {
        // Mastercard's new data, and the same of Stripe's.
        let wants_others = |word: &str| matches!(word, "01" | "confirm_card_data");
        self.forbids_the_card() || self.is_advised(wants_others)
    }

    /// The scheme or the processor says not to try this card again, whoever does.
    pub fn forbids_the_card(&self) -> bool {
        // Mastercard's never again, and that the payer has stopped it. Stripe's, in words.
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
