//! Ephemeral keys: for an hour, an app may see and delete what one customer has saved. (Facts 6.7)
//!
//! A key says for whom and until when it is, and ends with what only we can derive from that. So it is stored nowhere, and
//! making one costs nothing.

use multirail_domain::ids::{CustomerId, MerchantId};
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use subtle::ConstantTimeEq;

use super::super::{App, AppError};

const PREFIX: &str = "epk_";
const SECONDS: i64 = 3_600;
const MICROS: i64 = 1_000_000;

/// A key that was just made.
#[derive(Clone, Debug)]
pub struct EphemeralKey {
    pub customer_id: CustomerId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub secret: SecretText,
}

/// For whom a key is that is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfEphemeralKey {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
}

/// Whether a key is made like an ephemeral one.
pub fn is_ephemeral(key: &str) -> bool {
    key.starts_with(PREFIX)
}

impl App {
    /// Makes a key for a customer.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn create_ephemeral_key(
        &self,
        merchant_id: &MerchantId,
        customer_id: CustomerId,
    ) -> Result<EphemeralKey, AppError> {
        self.check_customer(merchant_id, &customer_id).await?;
        Ok(self.ephemeral_key(merchant_id, customer_id, self.now()))
    }

    /// A key for a customer who is known to be there.
    pub(crate) fn ephemeral_key(
        &self,
        merchant_id: &MerchantId,
        customer_id: CustomerId,
        made_at: Timestamp,
    ) -> EphemeralKey {
        let created_at = Timestamp::from_micros(made_at.as_micros() / MICROS * MICROS);
        let expires_at = created_at.plus_seconds(SECONDS).unwrap_or(created_at);
        let seconds = (expires_at.as_micros() / MICROS).to_string();
        let end = self.ephemeral_key_end(merchant_id.as_str(), customer_id.as_str(), &seconds);
        let secret = format!(
            "{PREFIX}{merchant_id}.{customer_id}.{seconds}.{}",
            end.expose()
        );
        EphemeralKey {
            customer_id,
            created_at,
            expires_at,
            secret: SecretText::new(secret),
        }
    }

    /// For whom a key is; nothing where it isn't one of ours or has expired.
    pub fn of_ephemeral_key(&self, key: &SecretText) -> Option<OfEphemeralKey> {
        let mut parts = key.expose().strip_prefix(PREFIX)?.split('.');
        let (merchant, customer, seconds, end) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let ours = self.ephemeral_key_end(merchant, customer, seconds);
        let is_ours: bool = ours.expose().as_bytes().ct_eq(end.as_bytes()).into();
        if !is_ours || parts.next().is_some() {
            return None;
        }
        let expires_at = seconds.parse::<i64>().ok()?.checked_mul(MICROS)?;
        (self.now().as_micros() < expires_at).then_some(OfEphemeralKey {
            merchant_id: MerchantId::parse(merchant).ok()?,
            customer_id: CustomerId::parse(customer).ok()?,
        })
    }

    fn ephemeral_key_end(&self, merchant: &str, customer: &str, seconds: &str) -> SecretText {
        self.seal
            .visit_token(&["ephemeral_key", merchant, customer, seconds])
    }
}
