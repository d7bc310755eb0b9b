//! Opens a wallet's sealed token, where the chosen account has the key.

use multirail_domain::payments::payment::{Payment, PaymentMethodData};
use multirail_domain::payments::session::WalletKey;
use multirail_kernel::refusal::Refusal;

use super::super::AppError;
use super::Payments;
use super::calls::CallInputs;
use crate::payments::ports::wallet_opener::CannotOpen;

impl Payments {
    /// Replaces a wallet's sealed token with its content, before anything is stored or sent. The commit of the
    /// intention claims the token for this payment.
    ///
    /// # Errors
    /// A token that can't be opened, isn't signed, or contradicts the payment.
    pub(super) async fn open_wallet(
        &self,
        payment: &Payment,
        inputs: &mut CallInputs,
    ) -> Result<(), AppError> {
        if inputs.data.as_ref().is_some_and(|data| !data.may_rest()) {
            // The token proves one payment with one processor: a refused payment gets no further attempts.
            inputs.onward = None;
        }
        let Some(PaymentMethodData::Sealed(token)) = &inputs.data else {
            return Ok(());
        };
        inputs.wallet_token = Some(token.identity());
        let Some(account_id) = &payment.active().merchant_connector_id else {
            return Ok(());
        };
        let found = self
            .connector_accounts
            .connector_account(&payment.merchant_id, account_id);
        let Some(account) = found.await? else {
            return Ok(());
        };
        let connector = self.processors.connector(account.connector_name.as_str())?;
        let able = &connector.description().capabilities.wallets;
        let Some(key) =
            WalletKey::for_account(&account, token.wallet).filter(|_| able.network_tokens)
        else {
            return Ok(());
        };
        let now = self.base.now();
        let opened = self.wallet_opener.open(token, &key, now);
        let opened = opened.map_err(|why| refusal(token.wallet.as_str(), why))?;
        let data = opened.pays(token, payment.terms.total_money(), now)?;
        inputs.data = Some(data);
        Ok(())
    }
}

fn refusal(wallet: &str, why: CannotOpen) -> Refusal {
    let member = format!("payment_method_data.wallet.{wallet}");
    match why {
        CannotOpen::Unreadable => Refusal::Malformed {
            member,
            why: why.to_string(),
        },
        CannotOpen::UnreadableKey
        | CannotOpen::AnotherKey
        | CannotOpen::NotSigned
        | CannotOpen::Expired => Refusal::precondition(format!("{member}: {why}")),
    }
}
