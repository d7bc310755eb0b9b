//! The [`HeldStore`] and its changes. Their SQL is in three files: cards, brought credentials, and the expiry of both.

use async_trait::async_trait;
use multirail_app::payments::ports::{HeldChange, HeldStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};
use multirail_sdk::instrument::PaymentMethodData;

use super::held_credentials::HeldFor;
use super::{held_cards, held_credentials, lapsed, wallet_tokens};
use crate::engine::Write;
use crate::platform::lower::Stored;
use crate::platform::sql_store::SqlStore;

#[async_trait]
impl HeldStore for SqlStore {
    async fn held_data(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        now: Timestamp,
    ) -> Result<Option<PaymentMethodData>, StoreFailure> {
        held_cards::data(&self.engine, &self.keys, merchant_id, payment_id, now).await
    }

    async fn held_credentials(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        attempt: u32,
        now: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure> {
        let held_for = HeldFor {
            merchant_id,
            payment_id,
            attempt,
        };
        held_credentials::credentials(&self.engine, &self.keys, &held_for, now).await
    }

    async fn purge_wallet_tokens(
        &self,
        claimed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        wallet_tokens::purge(&self.engine, claimed_before, at_most).await
    }

    async fn lapsed(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure> {
        lapsed::of_payments(&self.engine, now, at_most).await
    }
}

impl Change for Stored<HeldChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            HeldChange::HoldData {
                merchant_id,
                payment_id,
                text,
                expires_at,
            } => {
                let held =
                    held_cards::hold(with.sealing, merchant_id, payment_id, text, *expires_at);
                writes.push(held);
            }
            HeldChange::DeleteCard {
                merchant_id,
                payment_id,
            } => writes.push(held_cards::delete(merchant_id, payment_id)),
            HeldChange::HoldCredentials {
                merchant_id,
                payment_id,
                attempt,
                credentials,
                expires_at,
            } => {
                let held_for = HeldFor {
                    merchant_id,
                    payment_id,
                    attempt: *attempt,
                };
                let held =
                    held_credentials::hold(with.sealing, &held_for, credentials, *expires_at);
                writes.push(held);
            }
            HeldChange::DeleteCredentials {
                merchant_id,
                payment_id,
                attempt,
            } => writes.push(held_credentials::delete(&HeldFor {
                merchant_id,
                payment_id,
                attempt: *attempt,
            })),
            HeldChange::ClaimWalletToken {
                merchant_id,
                payment_id,
                identity,
            } => {
                let (seal, now) = (with.sealing.of_installation(), with.at);
                let claim = wallet_tokens::claim(seal, merchant_id, payment_id, identity, now);
                writes.push(claim);
            }
            HeldChange::DeleteLapsed {
                merchant_id,
                payment_id,
            } => {
                let now = with.at;
                writes.extend(lapsed::delete(merchant_id, payment_id, now));
            }
            HeldChange::PutOffLapse {
                merchant_id,
                payment_id,
                expires_at,
            } => writes.extend(lapsed::put_off(merchant_id, payment_id, *expires_at)),
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            HeldChange::HoldData { merchant_id, .. }
            | HeldChange::HoldCredentials { merchant_id, .. } => SealedFor::Merchant(merchant_id),
            HeldChange::DeleteCard { .. }
            | HeldChange::DeleteCredentials { .. }
            | HeldChange::ClaimWalletToken { .. }
            | HeldChange::DeleteLapsed { .. }
            | HeldChange::PutOffLapse { .. } => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}
