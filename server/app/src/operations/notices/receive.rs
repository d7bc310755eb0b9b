//! Receives notices: verified as the processor's, filed in one commit, and answered.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, NoticeId};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::RawNotice;

use super::Notices;
use crate::AppError;
use crate::operations::ports::notices::{Filed, NewNotice};
use crate::platform::ports::metric;

/// The answer to the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeFiled {
    /// The body that the processor expects.
    pub answer: &'static str,
}

impl Notices {
    /// Files a notice for the account of this id, or for the merchant's only account of this connector.
    ///
    /// # Errors
    /// [`Refusal::NoticeNotVerified`] where the signature is missing or wrong, and also where the merchant or account
    /// doesn't exist, so that strangers don't learn who uses which processor. A store that fails.
    pub async fn receive(
        &self,
        merchant_id: &str,
        account: &str,
        raw: RawNotice,
    ) -> Result<NoticeFiled, AppError> {
        let Some(account) = self.account_of_notice(merchant_id, account).await? else {
            count("-", "no_account");
            return Err(Refusal::NoticeNotVerified.into());
        };
        let name = &account.connector_name;
        // An account of a connector that this server lacks gets the same answer.
        let Some(connector) = self.processors.connectors.find(name) else {
            count(name, "no_connector");
            return Err(Refusal::NoticeNotVerified.into());
        };
        let secrets = account.secrets.webhook.as_ref();
        let is_text = std::str::from_utf8(&raw.body).is_ok();
        // Processors send UTF-8 text: other bytes can't carry a processor's signature.
        if !is_text || !connector.verify_notice(&raw, secrets, self.base.clock.wall()) {
            count(name, "not_verified");
            count_stranger(name, &account.merchant_connector_id);
            let (merchant_id, account_id) = (&account.merchant_id, &account.merchant_connector_id);
            // Anybody can cause such log lines, so operators watch the counter instead.
            tracing::debug!(%merchant_id, %account_id, connector = %name, "a notice is not signed by the processor");
            return Err(Refusal::NoticeNotVerified.into());
        }
        let scope = format!("notice:{}", account.merchant_connector_id);
        let mut filed = BTreeSet::new();
        for part in connector.notice_parts(raw) {
            // A request may contain the same item twice.
            let body_hash = self.base.seal.fingerprint(&scope, &part.identity);
            if filed.contains(&body_hash) {
                continue;
            }
            let notice = NewNotice {
                notice_id: NoticeId::generate(self.base.clock.wall(), self.base.random.as_ref()),
                body_hash: body_hash.clone(),
                merchant_id: account.merchant_id.clone(),
                merchant_connector_id: account.merchant_connector_id.clone(),
                connector: name.clone(),
                content: part.content,
                received_at: self.base.now(),
            };
            let result = match self.store.file_notice(&notice).await? {
                Filed::New => "new",
                Filed::Again => "again",
            };
            count(name, result);
            filed.insert(body_hash);
        }
        self.notifier.notify();
        Ok(NoticeFiled {
            answer: connector.description().notice_answer,
        })
    }

    async fn account_of_notice(
        &self,
        merchant_id: &str,
        named: &str,
    ) -> Result<Option<Arc<ConnectorAccount>>, AppError> {
        let Ok(merchant_id) = MerchantId::parse(merchant_id) else {
            return Ok(None);
        };
        if let Ok(account_id) = ConnectorAccountId::parse(named) {
            // Operations of a deleted account continue, and so do its notices.
            let account = self
                .accounts
                .connector_account_ever(&merchant_id, &account_id);
            if let Some(account) = account.await? {
                return Ok(Some(account));
            }
        }
        let accounts = self.accounts.connector_accounts(&merchant_id, None).await?;
        let mut named = accounts
            .into_iter()
            .filter(|account| account.connector_name == named);
        let first = named.next();
        Ok(first.filter(|_| named.next().is_none()))
    }
}

fn count(connector: &str, result: &'static str) {
    metrics::counter!(metric::NOTICES, "connector" => connector.to_owned(), "result" => result)
        .increment(1);
}

/// The number of accounts with a metric series of their own. Unknown accounts get none, because anybody can name them.
const SERIES: usize = 1_000;

fn count_stranger(connector: &str, account: &ConnectorAccountId) {
    // All servers of a process share the metrics, so they share the bound too.
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let account = series(&mut known, SERIES, account.as_str()).to_owned();
    drop(known);
    metrics::counter!(
        metric::NOTICES_NOT_VERIFIED,
        "connector" => connector.to_owned(),
        "account" => account
    )
    .increment(1);
}

/// Returns the metric series of this account: its own, until there are too many.
fn series<'a>(known: &mut BTreeSet<String>, at_most: usize, account: &'a str) -> &'a str {
    if known.contains(account) {
        return account;
    }
    if known.len() >= at_most {
        return "other";
    }
    known.insert(account.to_owned());
    account
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_without_number_share_one_series() {
        let mut known = BTreeSet::new();
        let mut of = |account| series(&mut known, 2, account).to_owned();
        let counted = ["a", "b", "a", "c", "b", "d"].map(&mut of);
        assert_eq!(counted, ["a", "b", "a", "other", "b", "other"]);
    }
}
