//! Maps Checkout.com's codes to categories. Codes that give no reason are left out.

use multirail_sdk::connector::DeclineCategory;

/// Returns the category of a response code. Codes 20xxx may succeed later, 30xxx won't, and 40xxx
/// come from the risk settings.
pub fn of_response(code: &str) -> Option<DeclineCategory> {
    Some(match code {
        "20001" | "20002" | "20005" | "20021" | "20046" | "20060" | "20182" => {
            DeclineCategory::DoNotHonor
        }
        "20003" | "20102" | "20157" => DeclineCategory::ConfigurationIssue,
        "20006" | "20025" | "20030" | "20107" | "20113" | "20123" => {
            DeclineCategory::MissingOrInvalidParam
        }
        "20009" | "20019" | "20022" | "20088" | "20089" | "20090" | "20096" | "20099" => {
            DeclineCategory::DownstreamTechnicalIssue
        }
        "20012" | "20013" | "20057" | "20058" | "30020" | "30045" => {
            DeclineCategory::TransactionNotPermitted
        }
        "20014" | "20056" | "30015" => DeclineCategory::InvalidCardNumber,
        "20017" => DeclineCategory::PaymentCancelledByUser,
        "20026" | "20094" => DeclineCategory::DuplicateRequest,
        "20031" | "20091" | "20092" => DeclineCategory::IssuerUnavailable,
        "20038" | "20055" | "20075" | "30038" => DeclineCategory::IncorrectAuthenticationCode,
        "20039" | "20044" | "20052" | "20053" | "20083" | "20179" => {
            DeclineCategory::PaymentMethodIssue
        }
        "20040" | "20156" => DeclineCategory::OperationNotAllowed,
        "20051" => DeclineCategory::InsufficientFunds,
        "20054" | "20100" | "30033" => DeclineCategory::InvalidExpiryDate,
        "20059" | "20063" | "20183" | "30034" => DeclineCategory::SuspectedFraud,
        "20061" | "200P1" | "30021" => DeclineCategory::CreditLimitExceeded,
        "20062" | "20078" | "20081" | "20103" | "200T3" | "30016" => {
            DeclineCategory::CardNotSupportedRestricted
        }
        "20064" | "20093" | "30044" => DeclineCategory::ComplianceOrSanctionsRestriction,
        "20065" | "20121" | "30022" => DeclineCategory::VelocityLimitExceeded,
        "20068" => DeclineCategory::TransactionTimedOut,
        "20087" | "20124" | "200N7" => DeclineCategory::InvalidCvv,
        "20101" | "30046" => DeclineCategory::AccountClosedOrInvalid,
        "20104" | "20105" | "20112" => DeclineCategory::IntegrationIssue,
        "20106" => DeclineCategory::CurrencyOrCorridorNotEnabled,
        "20109" | "20110" | "20111" | "20158" => DeclineCategory::InvalidState,
        "20150" => DeclineCategory::ThreeDsConfigurationIssue,
        "20151" => DeclineCategory::AuthenticationFailed,
        "20152" => DeclineCategory::PaymentSessionTimeout,
        "20153" | "20159" => DeclineCategory::ThreeDsAuthenticationServiceIssue,
        "20154" => DeclineCategory::AuthenticationRequired,
        "20155" => DeclineCategory::ThreeDsDataOrProtocolInvalid,
        "200R1" | "200R3" => DeclineCategory::AuthorizationMissingOrRevoked,
        "20067" | "30004" | "30007" | "30041" | "30043" => DeclineCategory::CardLostOrStolen,
        "30035" | "30036" | "30037" | "20066" => DeclineCategory::PspAcquirerError,
        _ if code.starts_with("40") => DeclineCategory::PspFraudEngineDecline,
        _ => return None,
    })
}

/// Returns the category of a code of either kind.
pub fn of_code(code: &str) -> Option<DeclineCategory> {
    of_response(code).or_else(|| of_error(code))
}

/// Returns the category of a request's error code.
pub fn of_error(code: &str) -> Option<DeclineCategory> {
    Some(match code {
        "card_number_invalid" | "card_number_required" => DeclineCategory::InvalidCardNumber,
        "card_expired"
        | "card_expiry_month_invalid"
        | "card_expiry_month_required"
        | "card_expiry_year_invalid"
        | "card_expiry_year_required" => DeclineCategory::InvalidExpiryDate,
        "cvv_invalid" | "cvv_required" => DeclineCategory::InvalidCvv,
        "card_disabled" | "card_not_found" | "card_authorization_failed" => {
            DeclineCategory::PaymentMethodIssue
        }
        "currency_invalid" | "currency_required" => DeclineCategory::CurrencyOrCorridorNotEnabled,
        "business_invalid"
        | "business_settings_missing"
        | "channel_details_invalid"
        | "no_authorization_enabled_processors_available"
        | "processing_channel_id_invalid"
        | "processing_channel_id_required" => DeclineCategory::ConfigurationIssue,
        "velocity_amount_limit_exceeded" | "velocity_count_limit_exceeded" => {
            DeclineCategory::VelocityLimitExceeded
        }
        "action_failure_limit_exceeded" | "api_calls_quota_exceeded" => DeclineCategory::RateLimit,
        "address_invalid" | "zip_invalid" => DeclineCategory::PmAddressMismatch,
        "payment_expired" => DeclineCategory::InvalidState,
        _ => return None,
    })
}
