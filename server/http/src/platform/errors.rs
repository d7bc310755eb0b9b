//! The one table from errors to status, `error_type` and code. (Specification 7)

use std::time::Duration;

use http::{HeaderValue, StatusCode, header};
use multirail_api::{API, ApiError, INVALID_REQUEST};
use multirail_app::AppError;
use multirail_app::platform::ports::Standstill;
use multirail_kernel::refusal::{Object, Refusal};

/// Seconds after which callers may retry requests that can't be answered now.
const RETRY_AFTER_SECONDS: &str = "1";

/// Returns the caller's error for an error of a use case.
pub fn api_error(error: AppError) -> ApiError {
    match error {
        AppError::Refused(refusal) => refused(refusal),
        AppError::Unavailable(why) => {
            unavailable("The service can't reach its database right now; try again.")
                .with_context(why)
        }
        AppError::Standstill(standstill, why) => {
            unavailable(&standstill_message(standstill)).with_context(why)
        }
        AppError::Destroyed(place) => {
            let message =
                "What is asked for was deleted with its customer, and can't be read any more.";
            ApiError::new(StatusCode::NOT_FOUND, INVALID_REQUEST, "HE_02", message)
                .with_context(place)
        }
        AppError::Broken(why) => ApiError::internal(why),
    }
}

/// 429 `MR_03`: the key sends too many requests; after `wait` it may send again.
pub fn rate_limited(wait: Duration) -> ApiError {
    let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        INVALID_REQUEST,
        "MR_03",
        "Too many requests with this key; the header `retry-after` says in how many seconds to go on.",
    )
    .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
}

/// 429 `MR_03`: one network or connection has too many requests at once.
pub fn crowded(by: &str) -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        INVALID_REQUEST,
        "MR_03",
        format!("Too many requests of this {by} at once; wait for answers before you send more."),
    )
    .with_header(
        header::RETRY_AFTER,
        HeaderValue::from_static(RETRY_AFTER_SECONDS),
    )
}

/// 429 `MR_03`: the quota of stored answers for a secret or merchant is used up.
pub fn too_many_answers(wait: Duration) -> ApiError {
    let mut error = rate_limited(wait);
    error.message = "Too many requests with an `Idempotency-Key`: their answers are stored, and the quota is used up. The \
                     header `retry-after` says in how many seconds to go on."
        .to_owned();
    error
}

/// 429 `MR_03`: an organization or a user has checked credentials too often.
pub(crate) fn too_many_checks(wait: Duration) -> ApiError {
    let mut error = rate_limited(wait);
    error.message = "Too many checks of credentials in this organization; the header `retry-after` says in how many \
                     seconds to go on."
        .to_owned();
    error
}

/// 429 `MR_03`: one session or merchant account has too many streams.
pub(crate) fn too_many_streams(of: &str) -> ApiError {
    let mut error = crowded(of);
    error.message =
        format!("Too many streams of this {of} at once; end one before you begin another.");
    error
}

/// 503 `HE_00`: a stream can't begin, because the server has too many or stops.
pub(crate) fn no_stream(why: &str) -> ApiError {
    unavailable(&format!(
        "The service begins no stream right now: {why}; try again."
    ))
}

/// 503 `HE_00`: too many requests are under way.
pub fn overloaded() -> ApiError {
    unavailable("The service has too many requests at once right now; try again.")
}

fn unavailable(message: &str) -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, API, "HE_00", message).with_header(
        header::RETRY_AFTER,
        HeaderValue::from_static(RETRY_AFTER_SECONDS),
    )
}

fn standstill_message(standstill: Standstill) -> String {
    match standstill {
        Standstill::Unsure => {
            "The service lost its database and can't tell whether this was stored: ask for the object before you try again."
                .to_owned()
        }
        Standstill::Full
        | Standstill::SizeLimit
        | Standstill::ReadOnly
        | Standstill::Gone
        | Standstill::Replaced
        | Standstill::Damaged
        | Standstill::DiskError
        | Standstill::Failing => format!(
            "The service can't store anything right now: {}. What is stored can be read.",
            standstill.reason()
        ),
    }
}

/// Returns the caller's error for a refusal.
pub fn refused(refusal: Refusal) -> ApiError {
    const BAD_REQUEST: StatusCode = StatusCode::BAD_REQUEST;
    const UNPROCESSABLE: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
    let (status, code) = match &refusal {
        Refusal::Missing { .. } => (BAD_REQUEST, "IR_04"),
        Refusal::InvalidFormat { .. } => (UNPROCESSABLE, "IR_05"),
        Refusal::InvalidValue { .. } => (UNPROCESSABLE, "IR_06"),
        Refusal::Malformed { .. } => (BAD_REQUEST, "IR_06"),
        Refusal::Unreadable { .. } => (BAD_REQUEST, "IR_07"),
        Refusal::ClientSecretExpired { .. } => (BAD_REQUEST, "IR_08"),
        Refusal::ClientSecretMismatch | Refusal::SubscriptionSecretMismatch => {
            (BAD_REQUEST, "IR_09")
        }
        Refusal::TooManyRefunds { .. } => (BAD_REQUEST, "IR_12"),
        Refusal::RefundTooLarge { .. } => (BAD_REQUEST, "IR_13"),
        Refusal::DisputeNotInState { .. } => (BAD_REQUEST, "HE_03"),
        Refusal::DisputeRefused { .. } => (BAD_REQUEST, "CE_08"),
        Refusal::NotInState { .. } => (BAD_REQUEST, "IR_14"),
        Refusal::Precondition { .. } => (BAD_REQUEST, "IR_16"),
        Refusal::MethodNotSupported { .. } => (BAD_REQUEST, "IR_19"),
        Refusal::FlowNotSupported { .. } => (BAD_REQUEST, "IR_20"),
        Refusal::NotThisCustomersKey => (StatusCode::UNAUTHORIZED, "IR_15"),
        Refusal::NotAgreed { .. } => (BAD_REQUEST, "HE_03"),
        Refusal::Mandate { .. } => (BAD_REQUEST, "HE_03"),
        Refusal::MandateMismatch { .. } => (BAD_REQUEST, "IR_46"),
        Refusal::ActiveMandates => (BAD_REQUEST, "IR_10"),
        Refusal::ActiveSubscriptions {
            of: Object::Customer,
        } => (BAD_REQUEST, "IR_10"),
        Refusal::ActiveSubscriptions { .. } => (BAD_REQUEST, "MR_04"),
        Refusal::OfOwner { .. } => (BAD_REQUEST, "IR_16"),
        Refusal::TokenInvalid => (UNPROCESSABLE, "IR_29"),
        Refusal::NoEligibleConnector
        | Refusal::AmountNotCounted { .. }
        | Refusal::NotForPayment { .. } => (BAD_REQUEST, "IR_39"),
        Refusal::Duplicate { .. } => (BAD_REQUEST, "HE_01"),
        Refusal::CustomerExists { .. } => (BAD_REQUEST, "IR_12"),
        Refusal::CustomerRedacted => (BAD_REQUEST, "IR_11"),
        Refusal::ProfileNameTaken { .. } => (BAD_REQUEST, "IR_38"),
        Refusal::NotFound { object } => (StatusCode::NOT_FOUND, not_found_code(*object)),
        Refusal::UnknownMethod { .. } => (StatusCode::NOT_FOUND, "HE_02"),
        Refusal::ConnectorAccountDisabled => (BAD_REQUEST, "HE_03"),
        Refusal::Busy { .. } => (UNPROCESSABLE, "HE_00"),
        Refusal::KeyReused { .. } => (UNPROCESSABLE, "MR_01"),
        Refusal::KeyInUse => (StatusCode::CONFLICT, "MR_02"),
        Refusal::NoticeNotVerified => (StatusCode::UNAUTHORIZED, "WE_01"),
        Refusal::WrongPassword => (StatusCode::UNAUTHORIZED, "UR_01"),
        Refusal::UserExists => (BAD_REQUEST, "UR_03"),
        Refusal::PasswordLinkInvalid => (StatusCode::UNAUTHORIZED, "UR_04"),
        Refusal::TotpInvalid => (BAD_REQUEST, "UR_37"),
        Refusal::TotpRequired => (BAD_REQUEST, "UR_38"),
        Refusal::RecoveryCodeInvalid => (BAD_REQUEST, "UR_39"),
        Refusal::SecondFactorOff => (BAD_REQUEST, "UR_41"),
        Refusal::SessionOver | Refusal::SecondStepInvalid => (StatusCode::UNAUTHORIZED, "IR_17"),
        Refusal::OidcInvalid => (StatusCode::UNAUTHORIZED, "IR_17"),
        Refusal::OidcFailed => (BAD_REQUEST, "UR_46"),
        Refusal::ProviderUnavailable => return unavailable(&refusal.to_string()),
        Refusal::TooManyTries { .. } | Refusal::TooManyGuesses { .. } => {
            (StatusCode::TOO_MANY_REQUESTS, "MR_03")
        }
        Refusal::EmailInvalid => (BAD_REQUEST, "UR_07"),
        Refusal::PasswordInvalid { .. } => (BAD_REQUEST, "UR_09"),
        Refusal::CompanyNameInvalid => (BAD_REQUEST, "UR_14"),
        Refusal::NotForPlatforms => (BAD_REQUEST, "IR_43"),
        Refusal::NotActedFor => (StatusCode::UNAUTHORIZED, "IR_44"),
        Refusal::NotAllowed { .. } => (StatusCode::FORBIDDEN, "IR_22"),
        Refusal::SubscriptionConfirmed => (StatusCode::CONFLICT, "IR_16"),
        Refusal::UnknownSubscription { .. } => (StatusCode::NOT_FOUND, "IR_37"),
        Refusal::OpenPayments(_) => (BAD_REQUEST, "MR_04"),
    };
    let error = ApiError::new(status, INVALID_REQUEST, code, refusal.to_string());
    if let Refusal::TooManyTries { wait_seconds } | Refusal::TooManyGuesses { wait_seconds } =
        refusal
    {
        return error.with_header(header::RETRY_AFTER, HeaderValue::from(wait_seconds));
    }
    if matches!(refusal, Refusal::KeyInUse) {
        let wait = HeaderValue::from_static(RETRY_AFTER_SECONDS);
        return error.with_header(header::RETRY_AFTER, wait);
    }
    error
}

fn not_found_code(object: Object) -> &'static str {
    match object {
        Object::ApiKey
        | Object::BusinessProfile
        | Object::ConnectorAccount
        | Object::Coupon
        | Object::Customer
        | Object::ErrorMapping
        | Object::Event
        | Object::Mandate
        | Object::Invoice
        | Object::Item
        | Object::ItemPrice
        | Object::MerchantAccount
        | Object::Notice
        | Object::Payment
        | Object::PaymentMethod
        | Object::Product
        | Object::Refund
        | Object::Request
        | Object::RoutingConfiguration
        | Object::SavedView
        | Object::User
        | Object::UserRole
        | Object::UserSession
        | Object::WebhookEndpoint => "HE_02",
        Object::Dispute => "HE_04",
        Object::Organization | Object::Subscription => "IR_37",
    }
}
