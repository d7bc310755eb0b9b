//! One question at a time about a payment, where asking needs no key.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use multirail_domain::ids::{MerchantId, PaymentId};

type Name = (MerchantId, PaymentId);

/// The payments that visits of pages are asking about.
#[derive(Default)]
pub struct Questions(Mutex<HashSet<Name>>);

/// The only question about its payment, until it is dropped.
pub(super) struct Question<'a> {
    all: &'a Questions,
    about: Name,
}

impl Questions {
    /// Nothing while another visit asks about this payment.
    pub(super) fn begin(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Option<Question<'_>> {
        let about = (merchant_id.clone(), payment_id.clone());
        let is_first = self.names().insert(about.clone());
        is_first.then(|| Question { all: self, about })
    }

    fn names(&self) -> MutexGuard<'_, HashSet<Name>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.all.names().remove(&self.about);
    }
}
