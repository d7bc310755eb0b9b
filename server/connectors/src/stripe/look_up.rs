//! Looks up operations without a usable answer.
//!
//! With an id, Stripe returns the payment's state. Without an id, payments are searched by our key,
//! and the search may lag behind. An id that Stripe doesn't know belongs to another account's key
//! and proves nothing.

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{
    Access, Finding, LookUpRequest, News, OperationKind, PaymentAt, PaymentHistory, UnknownReason,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::generated::wire::{
    Expansion, FindPaymentQuery, ListChecksQuery, ListPaymentsQuery, ListRefundsQuery,
    ListRefundsQueryMust, PaymentIntent, Refund, SearchPaymentsQuery, SearchPaymentsQueryMust,
    SetupIntent, Since,
};
use super::map::State;
use super::notes::{OUR_KEY, OUR_VOID_KEY};
use super::pages::{Filed, Looked, Page, look_for};
use super::{CHECKS, PAYMENTS, Stripe, collection_of, map, notices, refunds};
use crate::client::Answer;
use crate::outcome::{absent, learned, not_learned, thing};
use crate::text::Text;
use crate::wire::{WireRequest, path};

/// The maximum number of objects per page.
pub(super) const PAGE: u8 = 100;
/// The maximum number of pages.
const MOST_PAGES: usize = 30;
/// Seconds by which a payment's creation time may differ from our request's time.
const AROUND: i64 = 90;
/// Maximum difference between Stripe's clock and ours, in seconds.
pub(super) const CLOCKS: i64 = 300;

#[async_trait]
impl PaymentHistory for Stripe {
    async fn look_over(&self, payment: PaymentAt) -> Vec<News> {
        let told = timeout(self.client.deadline(), self.news_of(payment));
        told.await.unwrap_or_default()
    }
}

impl Stripe {
    /// Returns everything that was done to a payment, including operations that others started.
    async fn news_of(&self, at: PaymentAt) -> Vec<News> {
        let id = at.authorization_reference.as_str();
        if collection_of(id) == CHECKS {
            return Vec::new();
        }
        let Ok(payment) = self.payment(&at.access, id).await else {
            return Vec::new();
        };
        let mut news = notices::payment(payment);
        let query = refunds_of(id, None);
        let answer = self.get(&at.access, &["v1", "refunds"], &query).await;
        if let Ok(page) = thing::<Page<Refund>>(answer) {
            news.extend(page.data.into_iter().flat_map(notices::refund));
        }
        news.into_iter().map(|(_, news)| news).collect()
    }

    pub(super) async fn find(&self, request: LookUpRequest) -> Finding {
        let answer = match request.kind {
            OperationKind::Authorize => self.find_authorization(&request).await,
            OperationKind::Increment => self.find_raise(&request).await,
            OperationKind::Capture => self.find_capture(&request).await,
            OperationKind::Void => self.find_void(&request).await,
            OperationKind::Refund => self.find_refund(&request).await,
        };
        answer.unwrap_or_else(|failed| failed)
    }

    async fn find_authorization(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let (access, key) = (&request.access, &request.key);
        let known = request.reference.as_ref();
        let id = match known.or(request.authorization_reference.as_ref()) {
            Some(id) => id.clone(),
            None if request.money.amount_minor == 0 => return self.find_check(request).await,
            None => match self.search(access, key).await? {
                Some(id) => id,
                None => return self.find_new(request).await,
            },
        };
        if collection_of(&id) == CHECKS {
            let segments = ["v1", CHECKS, id.as_str()];
            let check = thing(self.find_by_id(access, &segments).await)?;
            return Ok(learned(map::check(key, check)));
        }
        let payment = self.payment(access, &id).await?;
        Ok(learned(map::payment(key, payment)))
    }

    /// Looks for a payment in the list of its creation time. Lists show payments that the search
    /// doesn't know yet.
    async fn find_new(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let asked_at = request.started_at.unix_seconds();
        let query = |after: Option<String>| ListPaymentsQuery {
            created: Some(Since {
                gte: Some(asked_at.saturating_sub(AROUND)),
                lte: Some(asked_at.saturating_add(AROUND)),
            }),
            limit: Some(PAGE),
            starting_after: after.map(Text::from),
        };
        let mark = (OUR_KEY, request.key.as_str());
        let found = self.in_list::<PaymentIntent, _>(&request.access, PAYMENTS, query, mark);
        let Some(found) = found.await? else {
            return Ok(absent("no payment has this key"));
        };
        let payment = self.payment(&request.access, &found.id).await?;
        Ok(learned(map::payment(&request.key, payment)))
    }

    async fn find_check(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let since = request.started_at.unix_seconds().saturating_sub(CLOCKS);
        let query = |after: Option<String>| ListChecksQuery {
            created: Some(Since {
                gte: Some(since),
                lte: None,
            }),
            limit: Some(PAGE),
            starting_after: after.map(Text::from),
        };
        let mark = (OUR_KEY, request.key.as_str());
        let found = self.in_list::<SetupIntent, _>(&request.access, CHECKS, query, mark);
        Ok(match found.await? {
            Some(check) => learned(map::check(&request.key, check)),
            None => absent("no check of a card has this key"),
        })
    }

    async fn find_capture(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let payment = self.payment(&request.access, &payment_id(request)?).await?;
        Ok(map::capture_in(&request.key, &payment).unwrap_or_else(|| learned(None)))
    }

    async fn find_raise(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let payment = self.payment(&request.access, &payment_id(request)?).await?;
        Ok(map::raise_in(&request.key, &payment).unwrap_or_else(|| learned(None)))
    }

    async fn find_void(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let known = request.authorization_reference.clone();
        let id = match known {
            Some(id) => id,
            None => {
                let found = self.search(&request.access, &request.authorization_key);
                // A void without a payment id was never sent.
                let nothing = || absent("no payment has the key of this authorization, so far");
                found.await?.ok_or_else(nothing)?
            }
        };
        if collection_of(&id) == CHECKS {
            return Ok(Finding::Outcome(map::void_done(Some(id))));
        }
        let payment = self.payment(&request.access, &id).await?;
        if payment.status.means() == Some(State::Ended) {
            return Ok(Finding::Outcome(map::void_done(Some(id))));
        }
        let query = |after| refunds_of(&id, after);
        let mark = (OUR_VOID_KEY, request.key.as_str());
        let found = self.in_list::<Refund, _>(&request.access, "refunds", query, mark);
        Ok(match found.await? {
            Some(refund) => learned(refunds::named(OUR_VOID_KEY, &request.key, refund)),
            None => absent(format!("{id} is neither cancelled nor given back")),
        })
    }

    async fn find_refund(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let key = &request.key;
        if let Some(id) = &request.reference {
            let segments = ["v1", "refunds", id.as_str()];
            let refund = thing(self.find_by_id(&request.access, &segments).await)?;
            return Ok(learned(refunds::named(OUR_KEY, key, refund)));
        }
        let id = payment_id(request)?;
        let query = |after| refunds_of(&id, after);
        let mark = (OUR_KEY, key.as_str());
        let found = self.in_list::<Refund, _>(&request.access, "refunds", query, mark);
        Ok(match found.await? {
            Some(refund) => learned(refunds::named(OUR_KEY, key, refund)),
            None => absent(format!("no refund of {id} has this key")),
        })
    }

    async fn payment(&self, access: &Access, id: &str) -> Result<PaymentIntent, Finding> {
        let segments = ["v1", PAYMENTS, id];
        let query = FindPaymentQuery {
            expand: vec![Expansion::LatestCharge],
        };
        thing(self.get(access, &segments, &query).await)
    }

    /// Returns the id of the payment that was created under this key, if the search knows it.
    pub(super) async fn search(
        &self,
        access: &Access,
        key: &ProcessorKey,
    ) -> Result<Option<String>, Finding> {
        let segments = ["v1", PAYMENTS, "search"];
        let query = Text::cut(format!("metadata['{OUR_KEY}']:'{key}'"));
        let query = SearchPaymentsQuery {
            limit: Some(1),
            ..SearchPaymentsQuery::with(SearchPaymentsQueryMust { query })
        };
        let page = thing(self.get(access, &segments, &query).await)?;
        Ok(map::searched(page))
    }

    /// Asks for an object by its id.
    async fn find_by_id(&self, access: &Access, segments: &[&str]) -> Answer {
        self.send(access, WireRequest::get(path(segments))).await
    }

    /// Returns the object of the list whose metadata has this entry. `query` names a page by the
    /// last id of the one before.
    pub(super) async fn in_list<T: Filed + DeserializeOwned, Q: Serialize>(
        &self,
        access: &Access,
        collection: &str,
        query: impl Fn(Option<String>) -> Q,
        mark: (&str, &str),
    ) -> Result<Option<T>, Finding> {
        let segments = ["v1", collection];
        let mut behind = None;
        for _ in 0..MOST_PAGES {
            let request = WireRequest::get_by(path(&segments), &query(behind.take()));
            let page = thing(self.send(access, request).await)?;
            match look_for(mark, page) {
                Looked::Found(thing) => return Ok(Some(thing)),
                Looked::Nowhere => return Ok(None),
                Looked::Further(last) => behind = Some(last),
            }
        }
        // Further pages may contain it.
        Err(not_learned(UnknownReason::ProcessorError))
    }
}

fn refunds_of(id: &str, after: Option<String>) -> ListRefundsQuery<'_> {
    let payment_intent = Text::from(id);
    ListRefundsQuery {
        limit: Some(PAGE),
        starting_after: after.map(Text::from),
        ..ListRefundsQuery::with(ListRefundsQueryMust { payment_intent })
    }
}

/// Returns the payment of an operation. Operations without a payment id were never sent.
#[expect(
    clippy::result_large_err,
    reason = "it is the answer, handed on as it is"
)]
fn payment_id(request: &LookUpRequest) -> Result<String, Finding> {
    let id = request.authorization_reference.clone();
    id.ok_or_else(|| absent("Stripe's id of the payment is not known"))
}
