//! Deleting a merchant account. Its keys stop working, so nothing may be left that only they could finish: reserved money,
//! an outcome that isn't known, a payer who may still approve.

use futures::{StreamExt, stream};
use multirail_domain::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, OpenPayments, Refusal};

use super::decisions::Decisions;
use super::idempotency::ForKey;
use super::{App, AppError, Origin};
use crate::ports::MerchantChange;
use crate::ports::deletion_guard::Deleted;

/// Unfinished payments are counted up to about this many.
const COUNTED: usize = 1_000;
/// Payments that are read at once.
const PAGE: i64 = 100;
/// Payments that are set free at the same time.
const AT_ONCE: usize = 8;
/// After this time no further payment is set free: the request ends, and the next one goes on.
const PATIENCE_SECONDS: i64 = 15;
/// The cancellation reason of payments that are set free.
const REASON: &str = "merchant account deleted";

/// What became of a payment that was to be set free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Nothing of it is reserved any more.
    Free,
    /// The processor has refused to void it: what is reserved stays so until it lapses or is captured.
    Refused,
    /// Something is still to be learned or done.
    Open,
}

impl App {
    /// Closes the account: from the commit on neither it nor its keys are found. Payments that are not finished keep it
    /// from being closed; with `void_open_payments` they are set free first. An account that is closed already is taken
    /// then, too. It may have such payments: an earlier version didn't check, and a payment may begin at the moment of
    /// a deletion.
    ///
    /// # Errors
    /// An unknown account; [`Refusal::ActiveSubscriptions`], for a subscription that goes on would be billed for ever;
    /// [`Refusal::OpenPayments`], after which nothing is closed and the same request goes on where it
    /// was.
    pub async fn delete_merchant_account(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        void_open_payments: bool,
    ) -> Result<(), AppError> {
        let is_known = self.store.merchant(merchant_id).await?.is_some();
        if is_known {
            self.is_needed_by_nobody(merchant_id).await?;
        }
        if !is_known && !void_open_payments {
            return Err(Refusal::not_found(Object::MerchantAccount).into());
        }
        if void_open_payments {
            let freed = self.set_all_free(origin, merchant_id).await?;
            match (is_known, freed) {
                (true, _) => {}
                (false, 0) => return Err(Refusal::not_found(Object::MerchantAccount).into()),
                (false, _) => return Ok(()),
            }
        }
        self.close_merchant_account(origin, merchant_id).await
    }

    async fn close_merchant_account(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::MerchantAccount);
        loop {
            let account = self.merchants.find(merchant_id).await?;
            self.is_needed_by_nobody(merchant_id).await?;
            let unfinished = self.unfinished(merchant_id).await?;
            if !unfinished.is_empty() {
                return Err(open_payments(unfinished.len(), 0, false));
            }
            let mut changes = vec![self.store.change(MerchantChange::Delete {
                merchant_id: account.merchant_id.clone(),
                version: account.version,
            })];
            changes.extend(self.deletion_guard.guards(Deleted::Merchant(merchant_id)));
            let change_set = self.change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.store.commit(change_set).await {
                Ok(()) => return Ok(()),
                // A conflict: the account has changed, or a payment or subscription was begun meanwhile.
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    async fn is_needed_by_nobody(&self, merchant_id: &MerchantId) -> Result<(), AppError> {
        let deleted = Deleted::Merchant(merchant_id);
        match self.deletion_guard.refusal(deleted).await? {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// Sets all unfinished payments of the merchant free; answers how many there were.
    async fn set_all_free(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
    ) -> Result<usize, AppError> {
        let unfinished = self.unfinished(merchant_id).await?;
        let began = self.clock.wall();
        let fates: Vec<Result<Fate, AppError>> = stream::iter(unfinished)
            .map(|payment_id| async move {
                if self.clock.wall().seconds_since(began) >= PATIENCE_SECONDS {
                    return Ok(Fate::Open);
                }
                self.fate_of(origin, merchant_id, &payment_id).await
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let fates = fates.into_iter().collect::<Result<Vec<Fate>, _>>()?;
        let number_of = |wanted| fates.iter().filter(|fate| **fate == wanted).count();
        match (number_of(Fate::Open), number_of(Fate::Refused)) {
            (0, 0) => Ok(fates.len()),
            (open, refused) => Err(open_payments(open, refused, true)),
        }
    }

    async fn fate_of(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Fate, AppError> {
        match self
            .payments
            .set_free(origin, merchant_id, payment_id, REASON)
            .await
        {
            Ok(payment) if payment.is_unfinished() && payment.is_void_refused() => {
                Ok(Fate::Refused)
            }
            Ok(payment) if payment.is_unfinished() => Ok(Fate::Open),
            Ok(_) => Ok(Fate::Free),
            // Somebody else is changing it.
            Err(AppError::Refused(_)) => Ok(Fate::Open),
            Err(AppError::Broken(why) | AppError::Destroyed(why)) => {
                tracing::error!(%merchant_id, %payment_id, why, "an open payment could not be voided");
                Ok(Fate::Open)
            }
            Err(error @ (AppError::Unavailable(_) | AppError::Standstill(..))) => Err(error),
        }
    }

    /// The payments that keep the account from being closed.
    async fn unfinished(&self, merchant_id: &MerchantId) -> Result<Vec<PaymentId>, AppError> {
        let mut unfinished = Vec::new();
        let mut after: Option<PaymentId> = None;
        loop {
            let store = &self.store;
            let page = store.payments_held_or_open(merchant_id, after.as_ref(), PAGE);
            let page = page.await?;
            after = page.last().map(|payment| payment.payment_id.clone());
            let is_last = (page.len() as i64) < PAGE;
            let found = page.into_iter().filter(Payment::is_unfinished);
            unfinished.extend(found.map(|payment| payment.payment_id));
            if is_last || unfinished.len() >= COUNTED {
                return Ok(unfinished);
            }
        }
    }
}

fn open_payments(open: usize, refused: usize, was_voiding: bool) -> AppError {
    Refusal::OpenPayments(OpenPayments {
        open,
        or_more: open >= COUNTED,
        refused,
        was_voiding,
    })
    .into()
}
