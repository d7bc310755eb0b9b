//! Quotas for the answers stored under idempotency keys, for one secret and for one merchant.
//!
//! Each stored answer takes some kilobytes until its retention ends. Each server counts for itself, in memory.

use std::time::{Duration, Instant};

use multirail_kernel::idempotency::secret_of_key;
use multirail_kernel::ids::MerchantId;

use super::rate_limit::{Asker, RateLimit};

/// The number of answers for one client secret of a payer or subscriber, or for one customer's app.
const OF_A_SECRET: u32 = 100;

/// The share of a merchant's answers for all such secrets together: one in this number.
const SHARE_OF_SECRETS: u32 = 10;

/// The quotas of one server.
pub struct AnswerQuota {
    of_a_secret: RateLimit,
    of_secrets: RateLimit,
    of_a_merchant: RateLimit,
}

impl AnswerQuota {
    /// `of_a_merchant` answers may be stored at once. As many become free again during each `retention`.
    pub fn new(of_a_merchant: u32, retention: Duration, now: Instant) -> Self {
        let limit = |answers: u32| {
            let answers = answers.max(1);
            RateLimit::every(retention / answers, answers, now)
        };
        Self {
            of_a_secret: limit(OF_A_SECRET),
            of_secrets: limit(of_a_merchant / SHARE_OF_SECRETS),
            of_a_merchant: limit(of_a_merchant),
        }
    }

    /// Checks that one more answer may be stored under this stored key.
    ///
    /// # Errors
    /// The time until the used-up quota allows another answer.
    pub fn check(&self, merchant_id: &MerchantId, key: &str, now: Instant) -> Result<(), Duration> {
        let quotas = self.quotas(merchant_id, key);
        let mut quotas = quotas.into_iter().flatten();
        quotas.try_for_each(|(limit, asker)| limit.check(asker, now))
    }

    /// Counts a stored answer.
    pub fn count(&self, merchant_id: &MerchantId, key: &str, now: Instant) {
        for (limit, asker) in self.quotas(merchant_id, key).into_iter().flatten() {
            // Other requests may have used up the quota since the check: it is exceeded by one or two at most.
            let _ = limit.take(asker, now);
        }
    }

    fn quotas(&self, merchant_id: &MerchantId, key: &str) -> [Option<(&RateLimit, Asker)>; 2] {
        let merchant = merchant_id.as_str();
        match secret_of_key(key) {
            Some(secret) => [
                Some((&self.of_a_secret, Asker::secret(merchant, secret))),
                Some((&self.of_secrets, Asker::key(merchant))),
            ],
            None => [Some((&self.of_a_merchant, Asker::key(merchant))), None],
        }
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::idempotency::{KeyOwner, scoped_key};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_secret_its_merchants_secrets_and_the_merchant_have_quotas() {
        let start = Instant::now();
        let quota = AnswerQuota::new(3_000, 72 * HOUR, start);
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let stored = |owner: KeyOwner<'_>, tries: usize| {
            let key = scoped_key(owner, "key");
            let one = |_: &usize| {
                let is_let = quota.check(&merchant_id, &key, start).is_ok();
                if is_let {
                    quota.count(&merchant_id, &key, start);
                }
                is_let
            };
            (0..tries).take_while(one).count()
        };
        assert_eq!(stored(KeyOwner::Payer("pay_1"), 200), 100);
        assert_eq!(stored(KeyOwner::Customer("cus_1"), 200), 100);
        assert_eq!(stored(KeyOwner::Subscriber("sub_1"), 200), 100);
        assert_eq!(stored(KeyOwner::Payer("pay_2"), 200), 0, "all secrets");
        assert_eq!(stored(KeyOwner::Merchant, 2_000), 2_000);
        assert_eq!(stored(KeyOwner::Platform("plat"), 2_000), 1_000);
        let key = scoped_key(KeyOwner::Payer("pay_1"), "key");
        let wait = quota.check(&merchant_id, &key, start).unwrap_err();
        assert_eq!(wait, 72 * HOUR / 100);
        assert!(quota.check(&merchant_id, &key, start + HOUR).is_ok());
    }
}
