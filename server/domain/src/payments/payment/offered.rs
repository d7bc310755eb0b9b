//! The account that offered a wallet in the checkout. The wallet's token is made for that account, so a confirm tries it first,
//! whatever routing would choose later. (Facts 10.2)

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::wallet::Wallet;
use serde::{Deserialize, Serialize};

use crate::payments::payment::{Payment, Step};

/// One wallet, and the account that offered it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedThrough {
    pub wallet: Wallet,
    pub merchant_connector_id: ConnectorAccountId,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// Checks that the payment can have a session: it must not have ended.
///
/// # Errors
/// [`Refusal::Precondition`] naming the status.
pub fn check_open(payment: &Payment) -> Result<(), Refusal> {
    if payment.status.is_terminal() {
        return Err(Refusal::precondition(format!(
            "there is no session for this payment any more: its status is {}",
            payment.status
        )));
    }
    Ok(())
}

impl Payment {
    /// Returns the account that last offered the wallet in the payment's checkout.
    pub fn offered_through(&self, wallet: Wallet) -> Option<&ConnectorAccountId> {
        let mut offered = self.offered.iter();
        let through = offered.find(|one| one.wallet == wallet)?;
        Some(&through.merchant_connector_id)
    }

    /// Returns whether all of these offers are recorded.
    pub fn knows_offers(&self, offers: &[OfferedThrough]) -> bool {
        let through = |one: &OfferedThrough| self.offered_through(one.wallet);
        offers
            .iter()
            .all(|one| through(one) == Some(&one.merchant_connector_id))
    }

    /// Records the offers of its checkout. Merchants see no change.
    pub(crate) fn note_offers(&self, offers: Vec<OfferedThrough>) -> Result<Step, Refusal> {
        check_open(self)?;
        let mut payment = self.clone();
        for offer in offers {
            payment.offered.retain(|one| one.wallet != offer.wallet);
            payment.offered.push(offer);
        }
        Ok(Step {
            payment,
            effects: Vec::new(),
            data: None,
        })
    }
}
