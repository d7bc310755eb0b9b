//! All kinds of ids in one list: prefix, format, limits. (Specification 2: ids have at most 64 characters; those that
//! callers choose are unique only within a merchant.)

mod derived;
mod text;

pub use derived::{AttemptId, CaptureId};
pub use text::{InvalidId, MAX_ID_LENGTH};

use crate::environment::Environment;
use crate::random::{Random, alphanumeric, time_ordered, uuid_v7};
use crate::timestamp::Timestamp;

/// Declares id types: a text of 1 to 64 letters, digits, `_` and `-` ([`RequestId`] allows more).
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident checked by $check:path;)+) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses an id; surrounding blanks are dropped.
            pub fn parse(text: &str) -> Result<Self, InvalidId> {
                let trimmed = text.trim();
                $check(trimmed)?;
                Ok($name(trimmed.to_owned()))
            }

            /// Returns the id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        text::read_and_written_as_text!($name);
    )+ };
}

/// Declares random ids: a prefix followed by letters and digits.
macro_rules! generated {
    ($($name:ident = $prefix:literal + $length:literal;)+) => { $(
        impl $name {
            /// Makes a new id: its prefix and random letters and digits.
            pub fn generate(random: &dyn Random) -> Self {
                $name(format!(concat!($prefix, "{}"), alphanumeric(random, $length)))
            }
        }
    )+ };
}

/// Declares ids of objects made with every payment: a prefix, the time, and random letters and digits. Later ids sort
/// later, so that new index entries fall into few pages.
macro_rules! generated_in_order {
    ($($name:ident = $prefix:literal + $length:literal;)+) => { $(
        impl $name {
            /// Makes a new id: its prefix, the time, and random letters and digits.
            pub fn generate(now: Timestamp, random: &dyn Random) -> Self {
                let text = time_ordered(now.unix_milliseconds(), random, $length);
                $name(format!(concat!($prefix, "{}"), text))
            }
        }
    )+ };
}

/// Declares ids that a caller may choose.
macro_rules! chosen {
    ($($name:ident,)+) => { $(
        impl $name {
            /// Parses an id that the caller chose. `reserved` are the words in its place in paths, such as `list` in
            /// `/payments/list`. An object with such an id could not be addressed.
            pub fn parse_chosen(text: &str, reserved: &[&str]) -> Result<Self, InvalidId> {
                let id = $name::parse(text)?;
                if reserved.contains(&id.as_str()) {
                    return Err(InvalidId::Reserved);
                }
                Ok(id)
            }
        }
    )+ };
}

ids! {
    /// An API key's record (not the key): `<environment>_` + 20.
    ApiKeyId checked by text::check;
    /// One atomic write, so that it can be found if its acknowledgement is lost.
    ChangeSetId checked by text::check;
    /// A merchant's account at a processor.
    ConnectorAccountId checked by text::check;
    /// The code that a customer enters for a discount: a coupon of a profile's billing account.
    CouponCode checked by text::check;
    /// A merchant's customer.
    CustomerId checked by text::check;
    /// A dispute.
    DisputeId checked by text::check;
    /// An event for merchants.
    EventId checked by text::check;
    /// A merchant's file of evidence.
    FileId checked by text::check;
    /// An increment of an authorization.
    IncrementId checked by text::check;
    /// A plan or an addon that customers subscribe to.
    ItemId checked by text::check;
    /// The price and billing interval of an item.
    ItemPriceId checked by text::check;
    /// A payer's permission for later charges: `man_` + 20.
    MandateId checked by text::check;
    /// An invoice of a subscription.
    InvoiceId checked by text::check;
    /// A merchant account.
    MerchantId checked by text::check;
    /// A processor's notice, as it was received.
    NoticeId checked by text::check;
    /// An organization, which owns merchant accounts.
    OrganizationId checked by text::check;
    /// The owner of payments, of any kind.
    OwnerId checked by text::check;
    /// A payment.
    PaymentId checked by text::check;
    /// A customer's saved payment method. A card's id is derived from customer and card.
    PaymentMethodId checked by text::check;
    /// A short-lived reference to a saved method: `token_` + 20.
    PaymentToken checked by text::check;
    /// The key under which a processor files one authorize, capture, void or refund. It consists of time and random
    /// characters and is stored before the call. It is never derived from another id, so that a processor learns
    /// nothing from it.
    ProcessorKey checked by text::check;
    /// A product, which groups plans and addons.
    ProductId checked by text::check;
    /// A business profile.
    ProfileId checked by text::check;
    /// A refund.
    RefundId checked by text::check;
    /// A routing configuration: `routing_` + 20.
    RoutingId checked by text::check;
    /// A user's saved view of a list.
    SavedViewId checked by text::check;
    /// A user's sign-in, with an id that can't be guessed.
    SessionId checked by text::check;
    /// A user.
    UserId checked by text::check;
    /// A subscription.
    SubscriptionId checked by text::check;
    /// A further webhook endpoint of a profile.
    WebhookEndpointId checked by text::check;
    /// One HTTP request. A caller may choose any visible ASCII text of 1 to 64 characters.
    RequestId checked by text::check_visible;
}

generated_in_order! {
    ChangeSetId = "chg_" + 20;
    NoticeId = "ntc_" + 20;
    PaymentId = "pay_" + 20;
    ProcessorKey = "mrk_" + 32;
}

generated! {
    ConnectorAccountId = "mca_" + 20;
    CustomerId = "cus_" + 20;
    DisputeId = "dp_" + 20;
    FileId = "file_" + 20;
    IncrementId = "auth_" + 20;
    ItemId = "item_" + 20;
    ItemPriceId = "price_" + 20;
    MerchantId = "merchant_" + 20;
    OrganizationId = "org_" + 20;
    PaymentMethodId = "pm_" + 20;
    ProductId = "prod_" + 20;
    ProfileId = "pro_" + 20;
    RoutingId = "routing_" + 20;
    RefundId = "ref_" + 20;
    SavedViewId = "svw_" + 20;
    SessionId = "ses_" + 32;
    UserId = "user_" + 20;
    InvoiceId = "invoice_" + 20;
    SubscriptionId = "sub_" + 20;
    WebhookEndpointId = "whe_" + 20;
}

chosen! {
    ConnectorAccountId,
    CouponCode,
    CustomerId,
    ItemId,
    ItemPriceId,
    MerchantId,
    PaymentId,
    ProductId,
    RefundId,
}

impl From<&SubscriptionId> for OwnerId {
    fn from(id: &SubscriptionId) -> Self {
        OwnerId(id.0.clone())
    }
}

impl From<&OwnerId> for SubscriptionId {
    fn from(id: &OwnerId) -> Self {
        SubscriptionId(id.0.clone())
    }
}

impl ApiKeyId {
    /// Makes a new id that begins with the environment of its key.
    pub fn generate(environment: Environment, random: &dyn Random) -> Self {
        ApiKeyId(format!("{environment}_{}", alphanumeric(random, 20)))
    }
}

impl IncrementId {
    /// Makes the id of an increment that no caller asked for, from the fresh key of its operation.
    pub fn of_fresh_key(key: &ProcessorKey) -> Self {
        let key = key.as_str();
        let end = key.len().saturating_sub(20);
        IncrementId(format!("auth_{}", &key[end..]))
    }
}

impl MandateId {
    /// Makes a new id from the random end of a key that no processor receives.
    pub fn of_fresh_key(key: &ProcessorKey) -> Self {
        let key = key.as_str();
        let end = key.len().saturating_sub(20);
        MandateId(format!("man_{}", &key[end..]))
    }
}

impl EventId {
    /// Makes a new id: `evt_` and a UUID of version 7, so that later events sort later.
    pub fn generate(now: Timestamp, random: &dyn Random) -> Self {
        EventId(format!("evt_{}", uuid_v7(now.unix_milliseconds(), random)))
    }

    /// Returns the smallest id of an event that is made at this moment, or later.
    pub fn first_at(now: Timestamp) -> Self {
        let milliseconds = now.unix_milliseconds().clamp(0, LAST_MILLISECOND);
        EventId(format!("evt_{milliseconds:012x}{:020}", 0))
    }

    /// Returns the moment at which the id was made, in wall time; `None` if it has another form.
    pub fn made_at(&self) -> Option<Timestamp> {
        let hex = self.0.strip_prefix("evt_").filter(|hex| hex.len() == 32)?;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if !hex.bytes().all(is_hex) {
            return None;
        }
        let milliseconds = i64::from_str_radix(&hex[..12], 16).ok()?;
        Some(Timestamp::from_micros(milliseconds.saturating_mul(1_000)))
    }
}

/// The last millisecond that a UUID of version 7 has room for.
const LAST_MILLISECOND: i64 = 0xffff_ffff_ffff;

impl RequestId {
    /// Makes a new id: a UUID of version 7 in its usual form with dashes.
    pub fn generate(now: Timestamp, random: &dyn Random) -> Self {
        let hex = uuid_v7(now.unix_milliseconds(), random);
        let groups = [
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..],
        ];
        RequestId(groups.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRandom;

    #[test]
    fn ids_have_1_to_64_letters_digits_underscores_and_dashes() {
        let long = "a".repeat(64);
        for good in ["a", "pay_1", "A-b_9", long.as_str()] {
            assert_eq!(
                PaymentId::parse(good).map(|id| id.to_string()).as_deref(),
                Ok(good)
            );
        }
        let table = [
            ("", InvalidId::Empty),
            ("   ", InvalidId::Empty),
            ("pay 1", InvalidId::Character),
            ("pay/1", InvalidId::Character),
            ("zahlung_ä", InvalidId::Character),
            ("pay\u{0}", InvalidId::Character),
        ];
        for (text, expected) in table {
            assert_eq!(PaymentId::parse(text), Err(expected), "{text:?}");
        }
        assert_eq!(PaymentId::parse(&"a".repeat(65)), Err(InvalidId::TooLong));
    }

    #[test]
    fn blanks_around_an_id_are_trimmed() {
        let id = PaymentId::parse("  pay_1\t").expect("an id");
        assert_eq!(id.as_str(), "pay_1");
    }

    #[test]
    fn a_chosen_id_is_no_literal_of_the_paths() {
        let reserved = ["list", "session_tokens"];
        assert_eq!(
            PaymentId::parse_chosen("list", &reserved),
            Err(InvalidId::Reserved)
        );
        assert_eq!(
            PaymentId::parse_chosen(" list ", &reserved),
            Err(InvalidId::Reserved)
        );
        assert!(PaymentId::parse_chosen("list_1", &reserved).is_ok());
        assert!(
            PaymentId::parse("list").is_ok(),
            "what is stored is not judged again"
        );
    }

    #[test]
    fn generated_ids_show_their_kind() {
        let random = SeededRandom::new(42);
        let now = Timestamp::from_micros(1_767_225_600_000_000);
        let ids = [
            ApiKeyId::generate(Environment::Sandbox, &random).to_string(),
            ChangeSetId::generate(now, &random).to_string(),
            ConnectorAccountId::generate(&random).to_string(),
            CustomerId::generate(&random).to_string(),
            EventId::generate(now, &random).to_string(),
            MerchantId::generate(&random).to_string(),
            OrganizationId::generate(&random).to_string(),
            PaymentId::generate(now, &random).to_string(),
            ProcessorKey::generate(now, &random).to_string(),
            ProfileId::generate(&random).to_string(),
            RefundId::generate(&random).to_string(),
            RequestId::generate(now, &random).to_string(),
            NoticeId::generate(now, &random).to_string(),
            DisputeId::generate(&random).to_string(),
            FileId::generate(&random).to_string(),
            IncrementId::generate(&random).to_string(),
            PaymentMethodId::generate(&random).to_string(),
            ProductId::generate(&random).to_string(),
            ItemId::generate(&random).to_string(),
            ItemPriceId::generate(&random).to_string(),
        ];
        insta::assert_snapshot!(ids.join("\n"));
    }

    #[test]
    fn ids_of_events_say_when_they_were_made() {
        let random = SeededRandom::new(42);
        let now = Timestamp::from_micros(1_767_225_600_123_000);
        let made = EventId::generate(now, &random);
        assert_eq!(made.made_at(), Some(now));
        let first = EventId::first_at(now);
        assert_eq!(first.as_str(), "evt_019b76daa87b00000000000000000000");
        assert_eq!(first.made_at(), Some(now));
        assert!(first < made && made < EventId::first_at(now.later(1)));
        let before = Timestamp::from_micros(-1);
        assert_eq!(EventId::first_at(before).made_at(), Some(Timestamp::EPOCH));
        for other in [
            "evt_1",
            "evt_019B76DAA87B00000000000000000000",
            "evt_019b76daa87b0000000000000000000ü",
            "pay_019b76daa87b00000000000000000000",
        ] {
            let made = EventId::parse(other).ok().and_then(|id| id.made_at());
            assert_eq!(made, None, "{other}");
        }
    }

    #[test]
    fn request_ids_are_free_but_stay_on_one_line() {
        assert!(RequestId::parse("trace:1/2 (3)").is_err(), "a blank inside");
        assert!(RequestId::parse("trace:1/2").is_ok());
        assert!(RequestId::parse("line\nbreak").is_err());
        assert!(RequestId::parse(&"x".repeat(65)).is_err());
    }

    #[test]
    fn stored_ids_are_plain_texts() {
        let id = ProfileId::parse("pro_1").expect("an id");
        let text = serde_json::to_string(&id).expect("a text");
        assert_eq!(text, "\"pro_1\"");
        assert_eq!(serde_json::from_str::<ProfileId>(&text).ok(), Some(id));
        assert!(serde_json::from_str::<ProfileId>("\"\"").is_err());
    }
}
