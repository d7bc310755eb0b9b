//! Maps Stripe's codes to categories. Codes that give no reason are left out.

use multirail_sdk::connector::DeclineCategory;

use super::wire::{ErrorBody, ErrorKind};

/// Returns the category of a refusal: by the card's decline code, or else by the error code.
pub fn of_error(error: &ErrorBody) -> Option<DeclineCategory> {
    let codes = [error.decline_code.as_deref(), error.code.as_deref()];
    let mut named = codes.into_iter().flatten().filter_map(of_code);
    named.next().or(match error.kind {
        ErrorKind::InvalidRequestError => Some(DeclineCategory::IntegrationIssue),
        ErrorKind::CardError
        | ErrorKind::IdempotencyError
        | ErrorKind::ApiError
        | ErrorKind::New => None,
    })
}

/// Returns the category of a failed refund (`failure_reason`).
pub fn of_refund(reason: &str) -> Option<DeclineCategory> {
    Some(match reason {
        "lost_or_stolen_card" => DeclineCategory::CardLostOrStolen,
        "expired_or_canceled_card" | "declined" => DeclineCategory::PaymentMethodIssue,
        // The merchant's balance at Stripe.
        "insufficient_funds" => DeclineCategory::ConfigurationIssue,
        "charge_for_pending_refund_disputed" => DeclineCategory::OperationNotAllowed,
        _ => return None,
    })
}

/// Returns the category of a code of either kind.
pub fn of_code(code: &str) -> Option<DeclineCategory> {
    Some(match code {
        "invalid_account" | "new_account_information_available" | "account_closed" => {
            DeclineCategory::AccountClosedOrInvalid
        }
        "payment_intent_authentication_failure" | "setup_intent_authentication_failure" => {
            DeclineCategory::AuthenticationFailed
        }
        "authentication_required"
        | "authentication_not_handled"
        | "mobile_device_authentication_required" => DeclineCategory::AuthenticationRequired,
        "revocation_of_all_authorizations"
        | "revocation_of_authorization"
        | "stop_payment_order" => DeclineCategory::AuthorizationMissingOrRevoked,
        "lost_card" | "stolen_card" | "pickup_card" => DeclineCategory::CardLostOrStolen,
        "card_not_supported" | "restricted_card" | "invalid_card_type" => {
            DeclineCategory::CardNotSupportedRestricted
        }
        "country_unsupported"
        | "payment_intent_incompatible_payment_method"
        | "payment_method_not_available"
        | "payment_method_unactivated"
        | "payment_method_unsupported_type" => DeclineCategory::CfgPmNotEnabledOrMisconfigured,
        "testmode_decline" | "livemode_mismatch" | "balance_insufficient" => {
            DeclineCategory::ConfigurationIssue
        }
        "withdrawal_count_limit_exceeded" => DeclineCategory::CreditLimitExceeded,
        "currency_not_supported" | "payment_method_currency_mismatch" => {
            DeclineCategory::CurrencyOrCorridorNotEnabled
        }
        "approve_with_id"
        | "call_issuer"
        | "do_not_honor"
        | "do_not_try_again"
        | "generic_decline"
        | "no_action_taken"
        | "payment_method_provider_decline" => DeclineCategory::DoNotHonor,
        "processing_error" | "reenter_transaction" | "try_again_later" => {
            DeclineCategory::DownstreamTechnicalIssue
        }
        "duplicate_transaction" => DeclineCategory::DuplicateRequest,
        "incorrect_pin" | "invalid_pin" | "pin_try_exceeded" => {
            DeclineCategory::IncorrectAuthenticationCode
        }
        "insufficient_funds" => DeclineCategory::InsufficientFunds,
        "incorrect_number" | "invalid_number" => DeclineCategory::InvalidCardNumber,
        "api_key_expired" | "platform_api_key_expired" | "secret_key_required" => {
            DeclineCategory::InvalidCredentials
        }
        "incorrect_cvc" | "invalid_cvc" => DeclineCategory::InvalidCvv,
        "expired_card" | "invalid_expiry_month" | "invalid_expiry_year" => {
            DeclineCategory::InvalidExpiryDate
        }
        "canceled"
        | "capture_charge_authorization_expired"
        | "charge_already_captured"
        | "charge_already_refunded"
        | "charge_expired_for_capture"
        | "intent_invalid_state"
        | "payment_intent_unexpected_state"
        | "setup_intent_unexpected_state" => DeclineCategory::InvalidState,
        "issuer_not_available" | "payment_method_provider_timeout" => {
            DeclineCategory::IssuerUnavailable
        }
        "account_invalid" | "testmode_charges_only" => DeclineCategory::MerchantInactive,
        "amount_too_large"
        | "amount_too_small"
        | "charge_invalid_parameter"
        | "parameter_invalid_empty"
        | "parameter_invalid_integer"
        | "parameter_missing"
        | "parameter_unknown"
        | "parameters_exclusive"
        | "payment_intent_invalid_parameter"
        | "payment_method_billing_details_address_missing"
        | "payment_method_invalid_parameter"
        | "shipping_address_invalid"
        | "setup_intent_invalid_parameter" => DeclineCategory::MissingOrInvalidParam,
        "charge_disputed" | "charge_not_refundable" | "refund_disputed_payment" => {
            DeclineCategory::OperationNotAllowed
        }
        "payment_method_customer_decline" => DeclineCategory::PaymentCancelledByUser,
        "payment_intent_payment_attempt_failed" => DeclineCategory::PaymentMethodIssue,
        "payment_intent_payment_attempt_expired" | "setup_intent_setup_attempt_expired" => {
            DeclineCategory::PaymentSessionTimeout
        }
        "incorrect_address" | "incorrect_zip" | "postal_code_invalid" => {
            DeclineCategory::PmAddressMismatch
        }
        "highest_risk_level" | "elevated_risk_level" | "merchant_blacklist" => {
            DeclineCategory::PspFraudEngineDecline
        }
        "fraudulent" | "security_violation" => DeclineCategory::SuspectedFraud,
        "invalid_amount" | "not_permitted" | "service_not_allowed" | "transaction_not_allowed" => {
            DeclineCategory::TransactionNotPermitted
        }
        "card_velocity_exceeded" | "card_decline_rate_limit_exceeded" => {
            DeclineCategory::VelocityLimitExceeded
        }
        _ => return None,
    })
}
