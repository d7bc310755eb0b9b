//! The unified error categories. Each connector maps its processor's codes to them. The texts that
//! callers and payers read for a category are defined only here.

use multirail_kernel::words::words;

use super::Decline;

words! {
    /// The unified reason of a decline, independent of processor and issuer (`standardised_code`).
    pub enum DeclineCategory {
        AccountClosedOrInvalid = "account_closed_or_invalid",
        AuthenticationFailed = "authentication_failed",
        AuthenticationRequired = "authentication_required",
        AuthorizationMissingOrRevoked = "authorization_missing_or_revoked",
        CardLostOrStolen = "card_lost_or_stolen",
        CardNotSupportedRestricted = "card_not_supported_restricted",
        CfgPmNotEnabledOrMisconfigured = "cfg_pm_not_enabled_or_misconfigured",
        ComplianceOrSanctionsRestriction = "compliance_or_sanctions_restriction",
        ConfigurationIssue = "configuration_issue",
        CreditLimitExceeded = "credit_limit_exceeded",
        CurrencyOrCorridorNotEnabled = "currency_or_corridor_not_enabled",
        DoNotHonor = "do_not_honor",
        DownstreamTechnicalIssue = "downstream_technical_issue",
        DuplicateRequest = "duplicate_request",
        GenericUnknownError = "generic_unknown_error",
        IncorrectAuthenticationCode = "incorrect_authentication_code",
        InsufficientFunds = "insufficient_funds",
        IntegCryptographicIssue = "integ_cryptographic_issue",
        IntegrationIssue = "integration_issue",
        InvalidCardNumber = "invalid_card_number",
        /// The processor refuses the account's credentials.
        InvalidCredentials = "invalid_credentials",
        InvalidCvv = "invalid_cvv",
        InvalidExpiryDate = "invalid_expiry_date",
        InvalidState = "invalid_state",
        IssuerUnavailable = "issuer_unavailable",
        MerchantInactive = "merchant_inactive",
        MissingOrInvalidParam = "missing_or_invalid_param",
        OperationNotAllowed = "operation_not_allowed",
        PaymentCancelledByUser = "payment_cancelled_by_user",
        PaymentMethodIssue = "payment_method_issue",
        PaymentSessionTimeout = "payment_session_timeout",
        PmAddressMismatch = "pm_address_mismatch",
        PspAcquirerError = "psp_acquirer_error",
        PspFraudEngineDecline = "psp_fraud_engine_decline",
        RateLimit = "rate_limit",
        StoredCredentialOrMitNotEnabled = "stored_credential_or_mit_not_enabled",
        SubscriptionPlanInactive = "subscription_plan_inactive",
        SuspectedFraud = "suspected_fraud",
        ThreeDsAuthenticationServiceIssue = "three_ds_authentication_service_issue",
        ThreeDsConfigurationIssue = "three_ds_configuration_issue",
        ThreeDsDataOrProtocolInvalid = "three_ds_data_or_protocol_invalid",
        TransactionNotPermitted = "transaction_not_permitted",
        TransactionTimedOut = "transaction_timed_out",
        VelocityLimitExceeded = "velocity_limit_exceeded",
        WalletOrTokenConfigIssue = "wallet_or_token_config_issue",
    }
}

/// The area of the problem, to which programs react (`unified_code`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclineGroup {
    /// The payer's card or account.
    PaymentMethod,
    /// The payer's authentication.
    Authentication,
    /// The setup of the merchant's account at the processor.
    Configuration,
    /// Systems of the processor, the issuer or a scheme.
    Technical,
    /// A request in a form that the processor doesn't accept.
    Integration,
    /// A processor's code that is unknown here.
    Unmapped,
}

impl DeclineGroup {
    /// Returns the `unified_code`.
    pub fn code(self) -> &'static str {
        match self {
            DeclineGroup::PaymentMethod => "UE_1000",
            DeclineGroup::Authentication => "UE_2000",
            DeclineGroup::Configuration => "UE_3000",
            DeclineGroup::Technical => "UE_4000",
            DeclineGroup::Integration => "UE_5000",
            DeclineGroup::Unmapped => "UE_9000",
        }
    }

    /// Returns the message for the payer about a payment (`unified_message`).
    pub fn payment_message(self) -> &'static str {
        match self {
            DeclineGroup::PaymentMethod => "The card or account was not accepted for this payment",
            DeclineGroup::Authentication => "The payment was not authenticated",
            DeclineGroup::Configuration => "The shop can't take this payment in this way",
            DeclineGroup::Technical => "A technical problem kept the payment from going through",
            DeclineGroup::Integration => "The payment can't be made as it was requested",
            DeclineGroup::Unmapped => "The processor did not let the payment through",
        }
    }

    /// Returns the message for the payer about a refund.
    pub fn refund_message(self) -> &'static str {
        match self {
            DeclineGroup::PaymentMethod => "The card or account did not take the refund",
            DeclineGroup::Configuration => "The shop can't make this refund in this way",
            DeclineGroup::Technical => "A technical problem kept the refund from going through",
            DeclineGroup::Integration => "The refund can't be made as it was requested",
            DeclineGroup::Authentication | DeclineGroup::Unmapped => {
                "The processor did not carry out the refund as it was asked to"
            }
        }
    }

    /// Returns the recommended action for the merchant, if there is any (`recommended_action`).
    pub fn recommended_action(self) -> Option<&'static str> {
        match self {
            DeclineGroup::PaymentMethod => Some("Ask the payer for another card or account"),
            DeclineGroup::Authentication => Some("Let the payer authenticate once more"),
            DeclineGroup::Configuration => {
                Some("Check the connector account, here and at the processor")
            }
            DeclineGroup::Technical => Some("Try again later, or through another processor"),
            DeclineGroup::Integration => {
                Some("Compare the request with what the processor says against it")
            }
            DeclineGroup::Unmapped => None,
        }
    }
}

impl DeclineCategory {
    /// Returns the area of the problem.
    pub fn group(self) -> DeclineGroup {
        match self {
            DeclineCategory::AccountClosedOrInvalid
            | DeclineCategory::AuthorizationMissingOrRevoked
            | DeclineCategory::CardLostOrStolen
            | DeclineCategory::CardNotSupportedRestricted
            | DeclineCategory::CreditLimitExceeded
            | DeclineCategory::DoNotHonor
            | DeclineCategory::InsufficientFunds
            | DeclineCategory::InvalidCardNumber
            | DeclineCategory::InvalidCvv
            | DeclineCategory::InvalidExpiryDate
            | DeclineCategory::PaymentMethodIssue
            | DeclineCategory::PmAddressMismatch
            | DeclineCategory::PspFraudEngineDecline
            | DeclineCategory::SuspectedFraud
            | DeclineCategory::TransactionNotPermitted
            | DeclineCategory::VelocityLimitExceeded => DeclineGroup::PaymentMethod,
            DeclineCategory::AuthenticationFailed
            | DeclineCategory::AuthenticationRequired
            | DeclineCategory::IncorrectAuthenticationCode
            | DeclineCategory::PaymentCancelledByUser
            | DeclineCategory::PaymentSessionTimeout
            | DeclineCategory::ThreeDsDataOrProtocolInvalid => DeclineGroup::Authentication,
            DeclineCategory::CfgPmNotEnabledOrMisconfigured
            | DeclineCategory::ComplianceOrSanctionsRestriction
            | DeclineCategory::ConfigurationIssue
            | DeclineCategory::CurrencyOrCorridorNotEnabled
            | DeclineCategory::InvalidCredentials
            | DeclineCategory::MerchantInactive
            | DeclineCategory::StoredCredentialOrMitNotEnabled
            | DeclineCategory::SubscriptionPlanInactive
            | DeclineCategory::ThreeDsConfigurationIssue
            | DeclineCategory::WalletOrTokenConfigIssue => DeclineGroup::Configuration,
            DeclineCategory::DownstreamTechnicalIssue
            | DeclineCategory::IssuerUnavailable
            | DeclineCategory::PspAcquirerError
            | DeclineCategory::RateLimit
            | DeclineCategory::ThreeDsAuthenticationServiceIssue
            | DeclineCategory::TransactionTimedOut => DeclineGroup::Technical,
            DeclineCategory::DuplicateRequest
            | DeclineCategory::IntegCryptographicIssue
            | DeclineCategory::IntegrationIssue
            | DeclineCategory::InvalidState
            | DeclineCategory::MissingOrInvalidParam
            | DeclineCategory::OperationNotAllowed => DeclineGroup::Integration,
            DeclineCategory::GenericUnknownError => DeclineGroup::Unmapped,
        }
    }
}

impl DeclineCategory {
    /// Returns the guidance for the payer, if they can do anything (`user_guidance_message`). It
    /// never reveals that a card is suspected or reported.
    pub fn guidance(self) -> Option<&'static str> {
        match self {
            DeclineCategory::InvalidCardNumber
            | DeclineCategory::InvalidCvv
            | DeclineCategory::InvalidExpiryDate
            | DeclineCategory::PmAddressMismatch => {
                Some("Check the card's data and the billing address, and try again")
            }
            DeclineCategory::CreditLimitExceeded
            | DeclineCategory::InsufficientFunds
            | DeclineCategory::VelocityLimitExceeded => {
                Some("Pay with another card, or ask your bank about your limit")
            }
            DeclineCategory::AccountClosedOrInvalid
            | DeclineCategory::AuthorizationMissingOrRevoked
            | DeclineCategory::CardLostOrStolen
            | DeclineCategory::CardNotSupportedRestricted
            | DeclineCategory::CurrencyOrCorridorNotEnabled
            | DeclineCategory::DoNotHonor
            | DeclineCategory::PaymentMethodIssue
            | DeclineCategory::PspFraudEngineDecline
            | DeclineCategory::SuspectedFraud
            | DeclineCategory::TransactionNotPermitted => {
                Some("Pay with another card or method, or ask your bank")
            }
            DeclineCategory::AuthenticationFailed
            | DeclineCategory::AuthenticationRequired
            | DeclineCategory::IncorrectAuthenticationCode
            | DeclineCategory::PaymentCancelledByUser
            | DeclineCategory::PaymentSessionTimeout => {
                Some("Try again and approve the payment with your bank")
            }
            DeclineCategory::DownstreamTechnicalIssue
            | DeclineCategory::IssuerUnavailable
            | DeclineCategory::PspAcquirerError
            | DeclineCategory::RateLimit
            | DeclineCategory::ThreeDsAuthenticationServiceIssue
            | DeclineCategory::TransactionTimedOut => Some("Try again later"),
            DeclineCategory::CfgPmNotEnabledOrMisconfigured
            | DeclineCategory::ComplianceOrSanctionsRestriction
            | DeclineCategory::ConfigurationIssue
            | DeclineCategory::DuplicateRequest
            | DeclineCategory::GenericUnknownError
            | DeclineCategory::IntegCryptographicIssue
            | DeclineCategory::IntegrationIssue
            | DeclineCategory::InvalidCredentials
            | DeclineCategory::InvalidState
            | DeclineCategory::MerchantInactive
            | DeclineCategory::MissingOrInvalidParam
            | DeclineCategory::OperationNotAllowed
            | DeclineCategory::StoredCredentialOrMitNotEnabled
            | DeclineCategory::SubscriptionPlanInactive
            | DeclineCategory::ThreeDsConfigurationIssue
            | DeclineCategory::ThreeDsDataOrProtocolInvalid
            | DeclineCategory::WalletOrTokenConfigIssue => None,
        }
    }
}

impl Decline {
    /// Returns the area of the problem.
    pub fn group(&self) -> DeclineGroup {
        self.category
            .map_or(DeclineGroup::Unmapped, DeclineCategory::group)
    }

    /// Checks whether the processor refused the request or the merchant's account, without judging
    /// card or payer.
    pub fn is_of_request(&self) -> bool {
        match self.group() {
            DeclineGroup::Configuration => {
                self.category != Some(DeclineCategory::ComplianceOrSanctionsRestriction)
            }
            DeclineGroup::Integration => true,
            DeclineGroup::PaymentMethod
            | DeclineGroup::Authentication
            | DeclineGroup::Technical
            | DeclineGroup::Unmapped => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_categories() {
        let of = |group| {
            let all = DeclineCategory::ALL.iter();
            all.filter(|category| category.group() == group).count()
        };
        let counts = [
            DeclineGroup::PaymentMethod,
            DeclineGroup::Authentication,
            DeclineGroup::Configuration,
            DeclineGroup::Technical,
            DeclineGroup::Integration,
            DeclineGroup::Unmapped,
        ]
        .map(|group| (group.code(), of(group)));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 45);
        assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
        assert_eq!(Decline::default().group().code(), "UE_9000");
    }
}
