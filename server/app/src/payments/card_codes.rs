//! Card codes between create and confirm. They are only in this process's memory, zeroed when used, and gone after
//! fifteen minutes or with the process. A later confirm goes without the code.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::card::CardCode;

const KEPT_FOR: Duration = Duration::from_secs(900);
/// Above this number the oldest codes are dropped, so memory stays bounded.
const AT_MOST: usize = 20_000;

/// The stored codes.
#[derive(Default)]
pub struct CardCodes {
    codes: Mutex<HashMap<(MerchantId, PaymentId), (Instant, CardCode)>>,
}

impl CardCodes {
    /// Stores a code for the payment's confirm; replaces an earlier one.
    pub fn keep(&self, merchant_id: &MerchantId, payment_id: &PaymentId, code: CardCode) {
        let now = Instant::now();
        let mut codes = self.lock();
        if codes.len() >= AT_MOST {
            codes.retain(|_, (kept_at, _)| now.duration_since(*kept_at) < KEPT_FOR);
        }
        if codes.len() >= AT_MOST {
            let oldest = codes
                .iter()
                .min_by_key(|(_, (kept_at, _))| *kept_at)
                .map(|(key, _)| key.clone());
            oldest.map(|key| codes.remove(&key));
        }
        codes.insert((merchant_id.clone(), payment_id.clone()), (now, code));
    }

    /// Returns the code, if it is still there, and leaves it in place.
    pub fn find(&self, merchant_id: &MerchantId, payment_id: &PaymentId) -> Option<CardCode> {
        let codes = self.lock();
        let (kept_at, code) = codes.get(&(merchant_id.clone(), payment_id.clone()))?;
        (kept_at.elapsed() < KEPT_FOR).then(|| code.clone())
    }

    /// Removes and returns the code, if it is still there.
    pub fn take(&self, merchant_id: &MerchantId, payment_id: &PaymentId) -> Option<CardCode> {
        let (kept_at, code) = self
            .lock()
            .remove(&(merchant_id.clone(), payment_id.clone()))?;
        (kept_at.elapsed() < KEPT_FOR).then_some(code)
    }

    /// Drops expired codes.
    pub fn delete_lapsed(&self) {
        self.lock()
            .retain(|_, (kept_at, _)| kept_at.elapsed() < KEPT_FOR);
    }

    fn lock(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<(MerchantId, PaymentId), (Instant, CardCode)>> {
        self.codes
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
