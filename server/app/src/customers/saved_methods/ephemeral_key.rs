//! Ephemeral keys, with which an app sees and deletes one customer's saved methods for an hour. (Facts 6.7)
//!
//! A key contains its customer and its expiry, and ends with a code that only we can derive from them. So it is stored
//! nowhere, and making one costs nothing.

use std::sync::Arc;

use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use subtle::ConstantTimeEq;

use crate::AppError;
use crate::customers::Customers;
use crate::platform::base::Base;

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

/// The customer for whom a valid key was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfEphemeralKey {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
}

/// Returns whether a key has the form of an ephemeral one.
pub fn is_ephemeral(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// Makes and recognizes ephemeral keys.
pub struct EphemeralKeys {
    pub base: Arc<Base>,
    pub customers: Arc<Customers>,
}

impl EphemeralKeys {
    /// Makes a key for a customer.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn create(
        &self,
        merchant_id: &MerchantId,
        customer_id: CustomerId,
    ) -> Result<EphemeralKey, AppError> {
        self.customers.check(merchant_id, &customer_id).await?;
        Ok(self.derive(merchant_id, customer_id, self.base.now()))
    }

    /// Returns a key for a customer who is known to exist.
    pub(crate) fn derive(
        &self,
        merchant_id: &MerchantId,
        customer_id: CustomerId,
        made_at: Timestamp,
    ) -> EphemeralKey {
        let created_at = Timestamp::from_micros(made_at.as_micros() / MICROS * MICROS);
        let expires_at = created_at.plus_seconds(SECONDS).unwrap_or(created_at);
        let seconds = (expires_at.as_micros() / MICROS).to_string();
        let end = self.end(merchant_id.as_str(), customer_id.as_str(), &seconds);
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

    /// Returns the customer of a key; `None` where it isn't ours or has expired.
    pub fn find(&self, key: &SecretText) -> Option<OfEphemeralKey> {
        let mut parts = key.expose().strip_prefix(PREFIX)?.split('.');
        let (merchant, customer, seconds, end) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let ours = self.end(merchant, customer, seconds);
        let is_ours: bool = ours.expose().as_bytes().ct_eq(end.as_bytes()).into();
        if !is_ours || parts.next().is_some() {
            return None;
        }
        let expires_at = seconds.parse::<i64>().ok()?.checked_mul(MICROS)?;
        (self.base.now().as_micros() < expires_at).then_some(OfEphemeralKey {
            merchant_id: MerchantId::parse(merchant).ok()?,
            customer_id: CustomerId::parse(customer).ok()?,
        })
    }

    fn end(&self, merchant: &str, customer: &str, seconds: &str) -> SecretText {
        self.base
            .seal
            .visit_token(&["ephemeral_key", merchant, customer, seconds])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::customers::tests::{ada, service, shop};

    #[tokio::test]
    async fn a_key_is_good_for_an_hour_and_for_its_customer() {
        let (customers, _) = service(vec![ada()], 0);
        let keys = EphemeralKeys {
            base: Arc::clone(&customers.base),
            customers: Arc::new(customers),
        };
        let of_ada = OfEphemeralKey {
            merchant_id: shop(),
            customer_id: ada().customer_id,
        };
        let made = keys.create(&shop(), ada().customer_id).await;
        let secret = made.expect("a key").secret;
        assert_eq!(keys.find(&secret), Some(of_ada.clone()));
        for (from, to) in [(".ada.", ".grace."), ("shop.", "hall."), (".17", ".18")] {
            let forged = SecretText::new(secret.expose().replacen(from, to, 1));
            assert_eq!(keys.find(&forged), None, "{to} in place of {from}");
        }
        keys.base.clock.set_advanced_seconds(SECONDS - 1);
        assert_eq!(keys.find(&secret), Some(of_ada));
        keys.base.clock.set_advanced_seconds(SECONDS);
        assert_eq!(keys.find(&secret), None);
    }
}
