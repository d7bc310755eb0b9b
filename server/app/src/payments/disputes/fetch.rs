//! Fetches disputes from a processor. (`GET /disputes/fetch/{merchant_connector_id}`)

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::operations::received_notice::Sender;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Approval, DisputePage, ListDisputesRequest, Outcome, UnknownReason,
};

use super::{DisputeOfPayment, DisputeView, Disputes};
use crate::operations::driver::Aggregate;
use crate::{AppError, Origin};

/// The number of pages that one fetch reads from a processor.
const MOST_PAGES: usize = 20;

/// The time in which the disputes began, both ends inclusive.
#[derive(Clone, Copy, Debug)]
pub struct Period {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Disputes {
    /// Reads the account's disputes that began in this period, and applies them like notices. Returns those of payments
    /// of this server.
    ///
    /// # Errors
    /// An unknown account; a period that ends before it begins; a connector that lists no disputes; a processor that
    /// doesn't answer, or has more pages than one fetch reads. Disputes that were applied before the error stay.
    pub async fn fetch(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        account_id: &ConnectorAccountId,
        period: Period,
    ) -> Result<Vec<DisputeView>, AppError> {
        let account = self
            .connector_accounts
            .find(merchant_id, account_id, scope)
            .await?;
        if period.from > period.until {
            let why = "fetch_from must not be after fetch_till";
            return Err(Refusal::invalid_value(why).into());
        }
        let sender = Sender {
            account: account_id,
            profile: &account.profile_id,
            connector: &account.connector_name,
        };
        let (mut fetched, mut page) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let DisputePage { disputes, next } = self.dispute_page(&account, period, page).await?;
            for news in &disputes {
                let heard = self.take_in(origin, merchant_id, sender, news);
                if let Some(dispute_id) = heard.await? {
                    let object = DisputeOfPayment::load(self, merchant_id, &dispute_id).await?;
                    fetched.push(object.view());
                }
            }
            match next {
                None => return Ok(fetched),
                next @ Some(_) => page = next,
            }
        }
        let why =
            "the processor has more disputes of this time than are fetched at once: ask for less";
        Err(Refusal::invalid_value(why).into())
    }

    async fn dispute_page(
        &self,
        account: &ConnectorAccount,
        period: Period,
        page: Option<String>,
    ) -> Result<DisputePage, AppError> {
        let name = &account.connector_name;
        let connector = self.processors.connector(name)?;
        let Some(lists) = connector.able(|able| able.disputes.lists) else {
            return Err(Refusal::FlowNotSupported {
                flow: format!("fetching disputes through {name}"),
            }
            .into());
        };
        let request = ListDisputesRequest {
            access: account.access(),
            from: period.from,
            until: period.until,
            page,
        };
        let mut found = None;
        let answer = async {
            match lists.list_disputes(request).await {
                Ok(page) => {
                    found = Some(page);
                    Outcome::Done(Approval::default())
                }
                Err(reason) => Outcome::Unknown(reason),
            }
        };
        let outcome = self.processors.in_time(name, "list_disputes", answer).await;
        found.ok_or_else(|| {
            let why = match outcome {
                Outcome::Unknown(reason) => reason,
                Outcome::Done(_)
                | Outcome::Declined(_)
                | Outcome::CustomerMustAct { .. }
                | Outcome::DeviceDataNeeded { .. }
                | Outcome::Pending { .. }
                | Outcome::NeverHappened { .. } => UnknownReason::UnreadableAnswer,
            };
            let why = format!("it was asked which disputes there are: {why}");
            Refusal::DisputeRefused { why }.into()
        })
    }
}
