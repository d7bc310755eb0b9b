//! Card codes between create and confirm. They live in this process's memory only, are zeroed when used, and are gone
//! after fifteen minutes or with the process; a confirm then goes without the code.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::card::CardCode;

const KEPT_FOR: Duration = Duration::from_secs(900);
/// Above this many the oldest are dropped: memory stays bounded whatever callers do.
const AT_MOST: usize = 20_000;

/// The codes that are being kept.
#[derive(Default)]
pub struct CardCodes {
    codes: Mutex<HashMap<(MerchantId, PaymentId), (Instant, CardCode)>>,
}

impl CardCodes {
    /// Keeps a code for the payment's confirm; replaces an earlier one.
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

    /// The code, if it is still there. It stays.
    pub fn find(&self, merchant_id: &MerchantId, payment_id: &PaymentId) -> Option<CardCode> {
        let codes = self.lock();
        let (kept_at, code) = codes.get(&(merchant_id.clone(), payment_id.clone()))?;
        (kept_at.elapsed() < KEPT_FOR).then(|| code.clone())
    }

    /// Takes the code out, if it is still there.
    pub fn take(&self, merchant_id: &MerchantId, payment_id: &PaymentId) -> Option<CardCode> {
        let (kept_at, code) = self
            .lock()
            .remove(&(merchant_id.clone(), payment_id.clone()))?;
        (kept_at.elapsed() < KEPT_FOR).then_some(code)
    }

    /// Drops what has been kept too long.
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
