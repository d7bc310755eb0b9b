//! Every "no" the domain can say. The HTTP layer owns the one table that turns a refusal into status, type and code;
//! here stand the reason and the public words. A refusal changes nothing. (Specification 7.)

mod object;

use std::fmt;

pub use object::Object;

/// Why something that was asked of us will not be done. Each variant is one public error, its fields name the member
/// or the object concerned, never a secret value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A member, query parameter or header that is needed is absent. The full path of the member.
    Missing { member: String },
    /// One member has the wrong form, e.g. an amount that is not a positive integer.
    InvalidFormat { member: String, expected: String },
    /// A value or a combination of values that can't be accepted.
    InvalidValue { message: String },
    /// A member of the body that is readable but can't be what it claims, e.g. a card number that fails its check digit.
    Malformed { member: String, why: String },
    /// A value that can't be read at all, e.g. a month that is not a number.
    Unreadable { member: String },
    /// The client secret's time is over.
    ClientSecretExpired { of: Object },
    /// The client secret is not the one of this payment.
    ClientSecretMismatch,
    /// The client secret is not the one of this subscription.
    SubscriptionSecretMismatch,
    /// The payment can't be captured or refunded as it stands.
    NotInState {
        action: &'static str,
        field: &'static str,
        actual: String,
        expected: String,
    },
    /// The refund is above what was captured, not refunded yet and not held by disputes. In minor units.
    RefundTooLarge {
        amount: i64,
        refundable: i64,
        disputed: i64,
    },
    /// The merchant can't do this about the dispute as it stands.
    DisputeNotInState { done: &'static str, why: String },
    /// The processor did not do what it was asked to do about a dispute.
    DisputeRefused { why: String },
    /// The payment has as many refunds as one can have.
    TooManyRefunds { count: usize },
    /// A precondition of the operation does not hold.
    Precondition { message: String },
    /// No built connector takes this payment method.
    MethodNotSupported { message: String },
    /// The connector has no such operation.
    FlowNotSupported { flow: String },
    /// The ephemeral key is another customer's.
    NotThisCustomersKey,
    /// What the merchant charges without the payer may not be charged so.
    NotAgreed { why: String },
    /// The mandate, as it stands or as its payer limited it, doesn't permit what was asked.
    Mandate { why: String },
    /// What a payment says differs from what the mandate was made with.
    MandateMismatch { member: &'static str },
    /// The customer can't be deleted: charges are permitted that nobody could make any more.
    ActiveMandates,
    /// The customer or the merchant account can't be deleted: subscriptions go on that nobody could be charged for any more.
    ActiveSubscriptions { of: Object },
    /// The payment has an owner, which is what is confirmed.
    OfOwner { kind: &'static str, id: String },
    /// A payment token that is unknown or lapsed.
    TokenInvalid,
    /// No connector account is eligible for the payment.
    NoEligibleConnector,
    /// The processors of the accounts that could take the payment can't count its amount, or charge nothing so small.
    AmountNotCounted { message: String },
    /// An object with this identity exists already.
    Duplicate { message: String },
    /// The merchant has a customer with this id already.
    CustomerExists { customer_id: String },
    /// The customer was deleted, and with it what was known of who it was.
    CustomerRedacted,
    /// A profile of the merchant has this name already.
    ProfileNameTaken { name: String },
    /// The object does not exist, or belongs to another merchant.
    NotFound { object: Object },
    /// A member names a payment method that the customer hasn't saved. The full path of the member.
    UnknownMethod { member: String },
    /// The connector account that was named is switched off.
    ConnectorAccountDisabled,
    /// Somebody else is changing the object right now; unset where it is one of several that a request needs.
    Busy { of: Option<Object> },
    /// The subscription was confirmed before.
    SubscriptionConfirmed,
    /// No subscription of the merchant's profile has this id.
    UnknownSubscription { id: String },
    /// The merchant account can't be deleted: some of its payments are open.
    OpenPayments(OpenPayments),
    /// The idempotency key was used before, with another request.
    KeyReused { member: String },
    /// The request that this idempotency key was first sent with is still being worked on.
    KeyInUse,
    /// E-mail address and password are not those of a user.
    WrongPassword,
    /// Somebody has signed up with this e-mail address already.
    UserExists,
    /// What lets a user choose a password is unknown, used or too old.
    PasswordLinkInvalid,
    /// No code of an authenticator, one of another time, or one that was taken before.
    TotpInvalid,
    /// Neither a code of an authenticator nor a recovery code was given.
    TotpRequired,
    /// No recovery code of the user's, or one that was used.
    RecoveryCodeInvalid,
    /// The user has no second factor.
    SecondFactorOff,
    /// What lets a user take the second step of signing in is unknown, used or too old.
    SecondStepInvalid,
    /// What lets somebody finish a sign-in by the identity provider is unknown, used or too old, or the provider's answer is to
    /// another one.
    OidcInvalid,
    /// The identity provider doesn't say, so that it can be believed, who has signed in. Why is for the log.
    OidcFailed,
    /// The identity provider doesn't answer, or not as providers do.
    ProviderUnavailable,
    /// It was tried too often to sign in.
    TooManyTries { wait_seconds: i64 },
    /// Too many codes were tried.
    TooManyGuesses { wait_seconds: i64 },
    /// An e-mail address that is none.
    EmailInvalid,
    /// A password that is against the rules.
    PasswordInvalid { why: &'static str },
    /// The name of a merchant account that is none.
    CompanyNameInvalid,
    /// A platform may not make this call for a merchant that is connected to it.
    NotForPlatforms,
    /// The key is none of a platform, or the merchant isn't connected to it.
    NotActedFor,
    /// The caller's role, or the operator of the service, doesn't allow it.
    NotAllowed { message: String },
    /// Nothing proves that a notice comes from the processor of such an account.
    NoticeNotVerified,
}

/// Why a merchant account is not deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPayments {
    /// How many payments are not finished.
    pub open: usize,
    /// There may be more of them.
    pub or_more: bool,
    /// How many the processor has just refused to void.
    pub refused: usize,
    /// It was tried to void them.
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
    /// Of several words in one text one isn't known. It is named where it looks like a word.
    pub fn unknown_word(member: impl Into<String>, word: &str) -> Self {
        const LONGEST: usize = 32;
        let is_one = word.len() <= LONGEST && word.bytes().all(|byte| byte.is_ascii_graphic());
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

    /// Shorthand for [`Refusal::Busy`].
    pub fn busy(of: Object) -> Self {
        Refusal::Busy { of: Some(of) }
    }

    /// Shorthand for [`Refusal::Missing`].
    pub fn missing(member: impl Into<String>) -> Self {
        Refusal::Missing {
            member: member.into(),
        }
    }

    /// Shorthand for [`Refusal::InvalidFormat`].
    pub fn invalid_format(member: impl Into<String>, expected: impl Into<String>) -> Self {
        Refusal::InvalidFormat {
            member: member.into(),
            expected: expected.into(),
        }
    }

    /// Shorthand for [`Refusal::InvalidValue`].
    pub fn invalid_value(message: impl Into<String>) -> Self {
        Refusal::InvalidValue {
            message: message.into(),
        }
    }

    /// Shorthand for [`Refusal::Precondition`].
    pub fn precondition(message: impl Into<String>) -> Self {
        Refusal::Precondition {
            message: message.into(),
        }
    }

    /// Shorthand for [`Refusal::NotFound`].
    pub fn not_found(object: Object) -> Self {
        Refusal::NotFound { object }
    }
}

/// The public message. In our own words, fit for a merchant's log, without any secret.
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
            Refusal::AmountNotCounted { message } | Refusal::Duplicate { message } => {
                f.write_str(message)
            }
            Refusal::CustomerExists { customer_id } => {
                write!(f, "there is a customer {customer_id} already")
            }
            Refusal::CustomerRedacted => f.write_str("the customer has been redacted already"),
            Refusal::ProfileNameTaken { name } => {
                write!(f, "a business profile named {name} exists already")
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
