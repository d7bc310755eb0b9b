//! API keys: the secret key of a merchant's server and the publishable key of its shop pages.

use std::fmt;

use serde::{Deserialize, Serialize};

use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{ApiKeyId, MerchantId};
use multirail_kernel::random::{Random, alphanumeric, hex};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

/// Number of leading characters stored in clear, so that a person recognises the key.
const PREFIX_LENGTH: usize = 12;

/// Prefix of every publishable key.
const PUBLISHABLE: &str = "pk_";

/// The moment at which a key expires. On the wire: the word `never` or a date-time. A moment in the past is accepted: merchants
/// can stop a key this way and keep its record. An expired key is answered like an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expiration {
    Never,
    At(Timestamp),
}

impl Expiration {
    /// Reads `never` or an RFC 3339 date-time.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text == "never" {
            return Ok(Expiration::Never);
        }
        Timestamp::parse_rfc3339(text)
            .map(Expiration::At)
            .map_err(|_| Refusal::invalid_format("expiration", "never, or a date-time (RFC 3339)"))
    }

    /// Returns whether the key has expired at `now`. The moment itself counts as expired.
    pub fn is_over(self, now: Timestamp) -> bool {
        match self {
            Expiration::Never => false,
            Expiration::At(moment) => now >= moment,
        }
    }
}

/// Writes the wire form.
impl fmt::Display for Expiration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expiration::Never => f.write_str("never"),
            Expiration::At(moment) => moment.fmt(f),
        }
    }
}

words! {
    /// Groups of operations, by the kind of object that they serve.
    pub enum OperationGroup {
        Payments = "payments",
        Refunds = "refunds",
        Customers = "customers",
        SavedMethods = "saved_methods",
        Disputes = "disputes",
        Routing = "routing",
        ConnectorAccounts = "connector_accounts",
        MerchantAccounts = "merchant_accounts",
        BusinessProfiles = "business_profiles",
        Mandates = "mandates",
        /// Subscriptions and the items that they sell.
        Subscriptions = "subscriptions",
        RequestLog = "request_log",
    }
}

/// The limits of a restricted key. They are set when the key is made and never change, so a key's rights can't grow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRestriction {
    /// True if the key is limited to operations that change nothing.
    pub read_only: bool,
    /// The groups that the key may use; empty means all.
    pub groups: Vec<OperationGroup>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl KeyRestriction {
    /// Returns the restriction, or `None` if it restricts nothing.
    pub fn new(read_only: bool, groups: Vec<OperationGroup>) -> Option<Self> {
        let restricts = read_only || !groups.is_empty();
        restricts.then(|| KeyRestriction {
            read_only,
            groups,
            unread: UnreadMembers::default(),
        })
    }

    /// Returns whether the key may call an operation of this group. An operation without a group is open only to keys that name
    /// no groups.
    pub fn opens(&self, group: Option<OperationGroup>, changes_something: bool) -> bool {
        let is_in_group =
            self.groups.is_empty() || group.is_some_and(|group| self.groups.contains(&group));
        is_in_group && !(self.read_only && changes_something)
    }
}

/// The record of a secret key. The key itself is shown once, when it is made, and never stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    pub merchant_id: MerchantId,
    pub key_id: ApiKeyId,
    pub name: String,
    pub description: Option<String>,
    /// The first twelve characters of the key.
    pub prefix: String,
    /// Keyed hash of the key, used to look it up.
    pub hash: String,
    pub expiration: Expiration,
    /// The limits of the key; `None` for full access to its merchant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<KeyRestriction>,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input for a new key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewApiKey {
    /// At most 64 characters.
    pub name: String,
    /// At most 256 characters.
    pub description: Option<String>,
    pub expiration: Expiration,
    pub restriction: Option<KeyRestriction>,
}

/// A caller's changes to a key; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiKeyUpdate {
    pub name: Option<String>,
    pub description: Option<String>,
    pub expiration: Option<Expiration>,
}

impl ApiKey {
    /// Returns the record of a new key and the key itself: `<environment>_` and 64 letters and digits. `hash` computes the
    /// keyed hash by which the store looks keys up.
    pub fn create(
        input: NewApiKey,
        merchant_id: MerchantId,
        environment: Environment,
        now: Timestamp,
        random: &dyn Random,
        hash: impl FnOnce(&SecretText) -> String,
    ) -> Result<(ApiKey, SecretText), Refusal> {
        let name = read_name(&input.name)?;
        check_description(input.description.as_deref())?;
        let plain = SecretText::new(format!("{environment}_{}", alphanumeric(random, 64)));
        let key = ApiKey {
            merchant_id,
            key_id: ApiKeyId::generate(environment, random),
            name,
            description: input.description,
            prefix: plain.expose()[..PREFIX_LENGTH].to_owned(),
            hash: hash(&plain),
            expiration: input.expiration,
            restriction: input.restriction,
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        Ok((key, plain))
    }

    /// Returns the record with the update applied.
    pub fn update(&self, input: ApiKeyUpdate, now: Timestamp) -> Result<ApiKey, Refusal> {
        let name = input.name.as_deref().map(read_name).transpose()?;
        check_description(input.description.as_deref())?;
        let current = self.clone();
        Ok(ApiKey {
            name: name.unwrap_or(current.name),
            description: input.description.or(current.description),
            expiration: input.expiration.unwrap_or(current.expiration),
            modified_at: now,
            ..current
        })
    }

    /// Returns whether the key has expired.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expiration.is_over(now)
    }
}

/// Returns a new publishable key: `pk_<environment>_` and 32 hexadecimal digits. It identifies the merchant and grants no
/// access, so it is stored and shown in clear.
pub fn publishable_key(environment: Environment, random: &dyn Random) -> String {
    format!("{PUBLISHABLE}{environment}_{}", hex(random, 16))
}

/// Returns whether a key that a caller sent is a publishable one.
pub fn is_publishable(key: &str) -> bool {
    key.starts_with(PUBLISHABLE)
}

/// Reads a name, without the blanks around it.
fn read_name(given: &str) -> Result<String, Refusal> {
    let name = given.trim();
    match (1..=64).contains(&name.chars().count()) {
        true => Ok(name.to_owned()),
        false => Err(Refusal::invalid_format("name", "1 to 64 characters")),
    }
}

fn check_description(description: Option<&str>) -> Result<(), Refusal> {
    if description.is_some_and(|description| description.chars().count() > 256) {
        return Err(Refusal::invalid_format(
            "description",
            "at most 256 characters",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::random::SeededRandom;

    fn new_key(expiration: Expiration) -> NewApiKey {
        NewApiKey {
            name: "shop server".to_owned(),
            description: None,
            expiration,
            restriction: None,
        }
    }

    fn create(input: NewApiKey) -> Result<(ApiKey, SecretText), Refusal> {
        let merchant = MerchantId::parse("shop").expect("an id");
        let hash = |plain: &SecretText| format!("hash of {} characters", plain.expose().len());
        let random = SeededRandom::new(5);
        ApiKey::create(
            input,
            merchant,
            Environment::Sandbox,
            Timestamp::EPOCH,
            &random,
            hash,
        )
    }

    #[test]
    fn a_key_is_shown_once_and_stored_as_hash_and_prefix() {
        let (key, plain) = create(new_key(Expiration::Never)).expect("a key");
        assert_eq!(plain.expose().len(), 68);
        assert!(plain.expose().starts_with("snd_"));
        assert!(plain.expose().starts_with(&key.prefix));
        assert_eq!(key.prefix.len(), 12);
        assert_eq!(key.hash, "hash of 68 characters");
        assert!(!format!("{key:?}").contains(plain.expose()));
        assert!(key.key_id.as_str().starts_with("snd_"));
    }

    #[test]
    fn names_and_descriptions_have_their_limits() {
        for (name, description) in [
            ("", ""),
            (" ", ""),
            (&*"n".repeat(65), ""),
            ("n", &*"d".repeat(257)),
        ] {
            let input = NewApiKey {
                name: name.to_owned(),
                description: Some(description.to_owned()),
                expiration: Expiration::Never,
                restriction: None,
            };
            assert!(matches!(create(input), Err(Refusal::InvalidFormat { .. })));
        }
    }

    #[test]
    fn never_or_a_date_time() {
        assert_eq!(Expiration::parse("never"), Ok(Expiration::Never));
        let text = "2035-10-01T12:00:00.000Z";
        let moment = Expiration::parse(text).expect("a date-time");
        assert_eq!(moment.to_string(), text);
        assert_eq!(Expiration::Never.to_string(), "never");
        for bad in ["", "Never", "tomorrow", "2035-10-01"] {
            assert!(Expiration::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_restricted_key_opens_its_groups_and_reads_or_changes() {
        assert_eq!(KeyRestriction::new(false, Vec::new()), None);
        let opens = |read_only, groups: &[OperationGroup], group, changes| {
            let restriction = KeyRestriction::new(read_only, groups.to_vec());
            restriction.is_some_and(|one| one.opens(group, changes))
        };
        let (refunds, payments) = (OperationGroup::Refunds, OperationGroup::Payments);
        assert!(opens(true, &[], Some(payments), false));
        assert!(opens(true, &[], None, false));
        assert!(!opens(true, &[], Some(payments), true));
        assert!(opens(false, &[refunds], Some(refunds), true));
        assert!(!opens(false, &[refunds], Some(payments), false));
        assert!(!opens(false, &[refunds], None, false));
        assert!(!opens(true, &[refunds], Some(refunds), true));
    }

    #[test]
    fn a_key_expires_at_its_moment() {
        let moment = Timestamp::EPOCH.plus_seconds(60).expect("in range");
        let (key, _) = create(new_key(Expiration::At(moment))).expect("a key");
        assert!(!key.is_expired(Timestamp::EPOCH));
        assert!(key.is_expired(moment));
        let (key, _) = create(new_key(Expiration::Never)).expect("a key");
        assert!(!key.is_expired(Timestamp::from_micros(i64::MAX)));
    }

    #[test]
    fn an_update_changes_what_is_given() {
        let (key, _) = create(new_key(Expiration::Never)).expect("a key");
        let later = Timestamp::EPOCH.plus_seconds(1).expect("in range");
        let update = ApiKeyUpdate {
            description: Some("web shop".to_owned()),
            ..ApiKeyUpdate::default()
        };
        let updated = key.update(update, later).expect("a key");
        let expected = ApiKey {
            description: Some("web shop".to_owned()),
            modified_at: later,
            ..key
        };
        assert_eq!(updated, expected);
    }

    #[test]
    fn publishable_keys_are_recognised() {
        let key = publishable_key(Environment::Production, &SeededRandom::new(1));
        assert_eq!(key.len(), 39);
        assert!(key.starts_with("pk_prd_"));
        assert!(is_publishable(&key));
        assert!(!is_publishable("snd_abc"));
    }
}
