//! Maps the simulated processor's errors to categories. The codes are defined in
//! [`multirail_simulator_wire::errors`], because multirail also implements the processor.

use multirail_sdk::connector::DeclineCategory;
use multirail_simulator_wire::ErrorBody;
use multirail_simulator_wire::errors::ErrorCode;

/// Returns the category of an error. The issuer's response takes precedence over the processor's
/// code.
pub fn category(error: &ErrorBody) -> Option<DeclineCategory> {
    if error.in_authentication {
        return Some(DeclineCategory::AuthenticationFailed);
    }
    let of_issuer = error.issuer.as_ref().map(|issuer| of_issuer(&issuer.code));
    of_issuer.unwrap_or_else(|| of_processor(ErrorCode::parse(&error.code)?))
}

fn of_issuer(code: &str) -> Option<DeclineCategory> {
    match code {
        "05" => Some(DeclineCategory::DoNotHonor),
        "1A" => Some(DeclineCategory::AuthenticationRequired),
        "41" | "43" => Some(DeclineCategory::CardLostOrStolen),
        "51" => Some(DeclineCategory::InsufficientFunds),
        "54" => Some(DeclineCategory::InvalidExpiryDate),
        "59" => Some(DeclineCategory::SuspectedFraud),
        "65" => Some(DeclineCategory::VelocityLimitExceeded),
        "N7" => Some(DeclineCategory::InvalidCvv),
        _ => None,
    }
}

/// Returns the category of one of the processor's own codes.
pub fn of_code(code: &str) -> Option<DeclineCategory> {
    ErrorCode::parse(code).and_then(of_processor)
}

fn of_processor(code: ErrorCode) -> Option<DeclineCategory> {
    match code {
        ErrorCode::CardNotSupported => Some(DeclineCategory::CardNotSupportedRestricted),
        ErrorCode::NoApiKey | ErrorCode::UnknownApiKey => Some(DeclineCategory::InvalidCredentials),
        ErrorCode::InvalidMember
        | ErrorCode::NoSuchRoute
        | ErrorCode::RefundTooLarge
        | ErrorCode::AmountAboveRest => Some(DeclineCategory::MissingOrInvalidParam),
        ErrorCode::NotFound
        | ErrorCode::RefundNotFound
        | ErrorCode::DisputeNotFound
        | ErrorCode::DisputeOver
        | ErrorCode::NotSuccessful
        | ErrorCode::AuthorizationGone => Some(DeclineCategory::InvalidState),
        ErrorCode::KeyUsedOtherwise => Some(DeclineCategory::DuplicateRequest),
        ErrorCode::Internal | ErrorCode::Storage => Some(DeclineCategory::DownstreamTechnicalIssue),
        ErrorCode::AccountClosed | ErrorCode::NoSuchAccount => {
            Some(DeclineCategory::AccountClosedOrInvalid)
        }
        ErrorCode::CancelledByPayer => Some(DeclineCategory::PaymentCancelledByUser),
        ErrorCode::OutOfTime => Some(DeclineCategory::PaymentSessionTimeout),
        // The code gives no reason.
        ErrorCode::Declined | ErrorCode::TakenBack => None,
    }
}
