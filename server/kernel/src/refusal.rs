//! All refusals of the domain, with their reason and public message. The HTTP layer has the only table that maps a
//! refusal to status, type and code. A refusal changes nothing. (Specification 7.)

mod object;

use std::fmt;

pub use object::Object;

/// The reason why a request is refused. Each variant is one public error. Its fields name the member or the object
/// concerned, and never contain a secret value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A required member, query parameter or header is absent. Contains the member's full path.
    Missing { member: String },
    /// A member has the wrong format, e.g. an amount that is not a positive integer.
    InvalidFormat { member: String, expected: String },
    /// A value or a combination of values can't be accepted.
    InvalidValue { message: String },
    /// A member of the body is readable but invalid, e.g. a card number that fails its check digit.
    Malformed { member: String, why: String },
    /// A value can't be read at all, e.g. a month that is not a number.
    Unreadable { member: String },
    /// The client secret has expired.
    ClientSecretExpired { of: Object },
    /// The client secret doesn't belong to this payment.
    ClientSecretMismatch,
    /// The client secret doesn't belong to this subscription.
    SubscriptionSecretMismatch,
    /// The payment can't be captured or refunded in its current status.
    NotInState {
        action: &'static str,
        field: &'static str,
        actual: String,
        expected: String,
    },
    /// The refund exceeds the captured amount minus refunds and disputes. In minor units.
    RefundTooLarge {
        amount: i64,
        refundable: i64,
        disputed: i64,
    },
    /// The merchant can't do this with the dispute in its current status.
    DisputeNotInState { done: &'static str, why: String },
    /// The processor refused an action on a dispute.
    DisputeRefused { why: String },
    /// The payment has the maximum number of refunds.
    TooManyRefunds { count: usize },
    /// A precondition of the operation does not hold.
    Precondition { message: String },
    /// No built-in connector supports this payment method.
    MethodNotSupported { message: String },
    /// The connector has no such operation.
    FlowNotSupported { flow: String },
    /// The ephemeral key belongs to another customer.
    NotThisCustomersKey,
    /// The payment method may not be charged without the payer.
    NotAgreed { why: String },
    /// The mandate doesn't permit the charge, by its status or by the payer's limits.
    Mandate { why: String },
    /// A member of the payment differs from the mandate.
    MandateMismatch { member: &'static str },
    /// The customer can't be deleted, because active mandates could no longer be charged.
    ActiveMandates,
    /// The customer or the merchant account can't be deleted, because active subscriptions could no longer be charged.
    ActiveSubscriptions { of: Object },
    /// The payment has an owner, which must be confirmed instead.
    OfOwner { kind: &'static str, id: String },
    /// The payment token is unknown or has expired.
    TokenInvalid,
    /// No connector account is eligible for the payment, and routing knows no reason.
    NoEligibleConnector,
    /// The processors of the eligible accounts can't charge this amount: it isn't a multiple of their step, or is outside of
    /// their limits.
    AmountNotCounted { message: String },
    /// No connector account of the profile can take this payment. The message says why, such as for its currency.
    NotForPayment { message: String },
    /// An object with this identity already exists.
    Duplicate { message: String },
    /// The merchant already has a customer with this id.
    CustomerExists { customer_id: String },
    /// The customer was deleted with all personal data.
    CustomerRedacted,
    /// Another profile of the merchant has this name.
    ProfileNameTaken { name: String },
    /// The object does not exist, or belongs to another merchant.
    NotFound { object: Object },
    /// A member names a payment method that the customer hasn't saved. Contains the member's full path.
    UnknownMethod { member: String },
    /// The named connector account is disabled.
    ConnectorAccountDisabled,
    /// Another request is changing the object. Unset if it is one of several objects that the request needs.
    Busy { of: Option<Object> },
    /// The subscription was already confirmed.
    SubscriptionConfirmed,
    /// No subscription of the merchant's profile has this id.
    UnknownSubscription { id: String },
    /// The merchant account can't be deleted, because some of its payments are open.
    OpenPayments(OpenPayments),
    /// The idempotency key was already used for another request.
    KeyReused { member: String },
    /// The first request with this idempotency key is still being processed.
    KeyInUse,
    /// The e-mail address and password don't match a user.
    WrongPassword,
    /// A user with this e-mail address already exists.
    UserExists,
    /// The token of a link, for choosing a password or signing in, is unknown, used or expired.
    PasswordLinkInvalid,
    /// The authenticator's code is wrong, belongs to another time, or was used before.
    TotpInvalid,
    /// The request has neither an authenticator's code nor a recovery code.
    TotpRequired,
    /// The recovery code is wrong or was used before.
    RecoveryCodeInvalid,
    /// The user has no second factor.
    SecondFactorOff,
    /// The user's session ended, or was replaced, during the request.
    SessionOver,
    /// The token for the second step of signing in is unknown, used or expired.
    SecondStepInvalid,
    /// The state of a sign-in by the identity provider is unknown, used or expired, or the provider's answer belongs to
    /// another one.
    OidcInvalid,
    /// The identity provider's answer doesn't prove who signed in. The reason is logged.
    OidcFailed,
    /// The identity provider doesn't answer, or not in the expected way.
    ProviderUnavailable,
    /// Too many sign-ins were tried.
    TooManyTries { wait_seconds: i64 },
    /// Too many codes were tried.
    TooManyGuesses { wait_seconds: i64 },
    /// The e-mail address is invalid.
    EmailInvalid,
    /// The password breaks the rules.
    PasswordInvalid { why: &'static str },
    /// The name of the merchant account is invalid.
    CompanyNameInvalid,
    /// A platform may not make this call for a connected merchant.
    NotForPlatforms,
    /// The key doesn't belong to a platform, or the merchant isn't connected to it.
    NotActedFor,
    /// The caller's role or the operator of the service doesn't allow this.
    NotAllowed { message: String },
    /// A notice can't be verified as one of this account's processor.
    NoticeNotVerified,
}

/// The payments that prevent the deletion of a merchant account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPayments {
    /// The number of unfinished payments.
    pub open: usize,
    /// True if there may be more of them.
    pub or_more: bool,
    /// The number of payments that the processor has just refused to void.
    pub refused: usize,
    /// True if the server tried to void them.
    pub was_voiding: bool,
}

impl fmt::Display for OpenPayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the merchant account is not deleted: ")?;
        let more = if self.or_more { " or more" } else { "" };
        if !self.was_voiding {
            let are = if self.open == 1 { "is" } else { "are" };
            return write!(
                f,
                "{}{more} of its payments {are} open; finish them, or have them finished or voided with \
                 void_open_payments=true",
                self.open
            );
        }
        if self.open > 0 {
            write!(
                f,
                "{}{more} of its payments could not be finished yet; ",
                self.open
            )?;
        }
        if self.refused > 0 {
            write!(
                f,
                "the processor refused to void {} of its payments, and what is reserved for them lapses there; ",
                self.refused
            )?;
        }
        f.write_str("the same request again goes on")
    }
}

impl Refusal {
    /// Refuses a text in which one word is unknown. The message contains the word if it looks like one.
    pub fn unknown_word(member: impl Into<String>, word: &str) -> Self {
        const LONGEST: usize = 32;
        let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'`';
        let is_one = word.len() <= LONGEST && word.bytes().all(is_plain);
        let named = if is_one {
            format!("the word `{word}`")
        } else {
            "a word".to_owned()
        };
        Refusal::Malformed {
            member: member.into(),
            why: format!("has {named} that this service doesn't know"),
        }
    }

    /// Makes a [`Refusal::Busy`].
    pub fn busy(of: Object) -> Self {
        Refusal::Busy { of: Some(of) }
    }

    /// Makes a [`Refusal::Missing`].
    pub fn missing(member: impl Into<String>) -> Self {
        Refusal::Missing {
            member: member.into(),
        }
    }

    /// Makes a [`Refusal::InvalidFormat`].
    pub fn invalid_format(member: impl Into<String>, expected: impl Into<String>) -> Self {
        Refusal::InvalidFormat {
            member: member.into(),
            expected: expected.into(),
        }
    }

    /// Makes a [`Refusal::InvalidValue`].
    pub fn invalid_value(message: impl Into<String>) -> Self {
        Refusal::InvalidValue {
            message: message.into(),
        }
    }

    /// Makes a [`Refusal::Precondition`].
    pub fn precondition(message: impl Into<String>) -> Self {
        Refusal::Precondition {
            message: message.into(),
        }
    }

    /// Makes a [`Refusal::NotFound`].
    pub fn not_found(object: Object) -> Self {
        Refusal::NotFound { object }
    }
}

/// Writes the public message. It is fit for a merchant's log and contains no secret.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Missing { member } => write!(f, "{member} is required and was not given"),
            Refusal::InvalidFormat { member, expected } => {
                write!(f, "{member} is not in the expected form: {expected}")
            }
            Refusal::InvalidValue { message } => f.write_str(message),
            Refusal::Malformed { member, why } => write!(f, "{member} {why}"),
            Refusal::Unreadable { member } => write!(f, "the value of {member} can't be read"),
            Refusal::ClientSecretExpired { of } => {
                write!(f, "the client_secret of this {} has expired", of.name())
            }
            Refusal::ClientSecretMismatch => {
                f.write_str("client_secret is not the one of this payment")
            }
            Refusal::SubscriptionSecretMismatch => {
                f.write_str("client_secret is not the one of this subscription")
            }
            Refusal::NotInState {
                action,
                field,
                actual,
                expected,
            } => write!(
                f,
                "the payment can't be {action}: its {field} is {actual}, it would have to be {expected}"
            ),
            Refusal::RefundTooLarge {
                amount,
                refundable,
                disputed,
            } => {
                write!(
                    f,
                    "amount {amount} is above what was captured and not refunded yet, {refundable}"
                )?;
                if *disputed > 0 {
                    write!(f, "; disputes hold {disputed}")?;
                }
                Ok(())
            }
            Refusal::DisputeNotInState { done, why } => {
                write!(f, "the dispute can't be {done}: {why}")
            }
            Refusal::DisputeRefused { why } => {
                write!(f, "the processor did not do that about the dispute: {why}")
            }
            Refusal::TooManyRefunds { count } => {
                write!(f, "the payment has {count} refunds already and can have no more")
            }
            Refusal::Precondition { message } => f.write_str(message),
            Refusal::MethodNotSupported { message } => f.write_str(message),
            Refusal::FlowNotSupported { flow } => write!(f, "{flow} is not supported"),
            Refusal::NotThisCustomersKey => {
                f.write_str("the ephemeral key is not one of this customer")
            }
            Refusal::NotAgreed { why } => {
                write!(f, "that can't be charged without its payer: {why}")
            }
            Refusal::Mandate { why } => f.write_str(why),
            Refusal::MandateMismatch { member } => {
                write!(f, "{member} is not the one that the mandate was made with")
            }
            Refusal::ActiveMandates => {
                f.write_str("the customer has active mandates: revoke them first")
            }
            Refusal::ActiveSubscriptions { of } => write!(
                f,
                "the {} has subscriptions that go on: cancel them first",
                of.name()
            ),
            Refusal::OfOwner { kind, id } => write!(
                f,
                "the payment belongs to the {kind} {id}: it is confirmed with that, and can't be changed"
            ),
            Refusal::TokenInvalid => f.write_str("payment_token is unknown or no longer valid"),
            Refusal::NoEligibleConnector => f.write_str(
                "no connector account of the profile is enabled for this payment method, currency and amount",
            ),
            Refusal::AmountNotCounted { message }
            | Refusal::NotForPayment { message }
            | Refusal::Duplicate { message } => {
                f.write_str(message)
            }
            Refusal::CustomerExists { customer_id } => {
                write!(f, "there is a customer {customer_id} already")
            }
            Refusal::CustomerRedacted => f.write_str("the customer has been redacted already"),
            Refusal::ProfileNameTaken { name } => {
                write!(f, "a business profile named `{name}` exists already")
            }
            Refusal::NotFound { object } => write!(f, "there is no such {}", object.name()),
            Refusal::UnknownMethod { member } => {
                write!(f, "{member} names none of the customer's saved methods")
            }
            Refusal::ConnectorAccountDisabled => {
                f.write_str("the connector account that was named is disabled")
            }
            Refusal::Busy { of } => {
                let name = of.map_or("object", Object::name);
                write!(
                    f,
                    "the {name} is being changed by others at the same time, try again"
                )
            }
            Refusal::SubscriptionConfirmed => {
                f.write_str("the subscription has been confirmed already")
            }
            Refusal::UnknownSubscription { id } => {
                write!(f, "subscription not found for id: {id}")
            }
            Refusal::OpenPayments(open) => write!(f, "{open}"),
            Refusal::KeyReused { member } => write!(
                f,
                "this Idempotency-Key was sent before with another request: {member} differs"
            ),
            Refusal::KeyInUse => f.write_str(
                "the request that this Idempotency-Key was first sent with is still being worked on, try again",
            ),
            Refusal::WrongPassword => f.write_str("e-mail address or password is wrong"),
            Refusal::UserExists => {
                f.write_str("there is an account with this e-mail address already")
            }
            Refusal::PasswordLinkInvalid => {
                f.write_str("the token is unknown, was used already, or is too old")
            }
            Refusal::TotpInvalid => f.write_str(
                "totp is not the code that the authenticator shows now, or it was used already: wait for the next one",
            ),
            Refusal::TotpRequired => {
                f.write_str("totp or recovery_code is needed, and neither was given")
            }
            Refusal::RecoveryCodeInvalid => {
                f.write_str("recovery_code is none of this user, or was used already")
            }
            Refusal::SecondFactorOff => {
                f.write_str("two-factor authentication is not set up for this user")
            }
            Refusal::SessionOver => f.write_str("the session has ended: sign in again"),
            Refusal::SecondStepInvalid => {
                f.write_str("the token is unknown, was used already, or is too old: sign in again")
            }
            Refusal::OidcInvalid => f.write_str(
                "token, state and iss are not those of one sign-in that was begun, or it was finished already, or is too old: begin anew",
            ),
            Refusal::OidcFailed => f.write_str(
                "the identity provider did not confirm who you are: begin anew",
            ),
            Refusal::ProviderUnavailable => f.write_str(
                "the identity provider can't be reached right now: try again, or sign in by password",
            ),
            Refusal::TooManyTries { wait_seconds } => write!(
                f,
                "too many tries; one more may be in {wait_seconds} seconds"
            ),
            Refusal::TooManyGuesses { wait_seconds } => write!(
                f,
                "too many codes were tried; one more may be in {wait_seconds} seconds"
            ),
            Refusal::EmailInvalid => f.write_str("email is no e-mail address"),
            Refusal::PasswordInvalid { why } => write!(f, "the password is not taken: {why}"),
            Refusal::NotForPlatforms => f.write_str(
                "this operation can't be called for a connected merchant account (X-Connected-Merchant-Id)",
            ),
            Refusal::NotActedFor => f.write_str(
                "X-Connected-Merchant-Id takes a secret key of a platform and an account that is connected to it",
            ),
            Refusal::CompanyNameInvalid => f.write_str("company_name has to have 1 to 64 characters"),
            Refusal::NotAllowed { message } => f.write_str(message),
            Refusal::NoticeNotVerified => f.write_str(
                "the notice is not verified: there is no such account, or the signature is not made with its webhook secret",
            ),
        }
    }
}

impl std::error::Error for Refusal {}
