//! An outside billing engine, asked what it offers and what that costs.

use std::sync::Arc;
use std::time::Instant;

use multirail_domain::billing::OWN_ENGINE;
use multirail_domain::billing::calendar::Zone;
use multirail_domain::billing::invoice::{Billed, LineKind};
use multirail_domain::billing::item::Item;
use multirail_domain::billing::price::{MOST_QUANTITY, Price};
use multirail_domain::connector::UnknownReason;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::ids::ItemPriceId;
use multirail_domain::money::{Money, check_amount};
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::subscription::outside::{EngineOperation, EngineOutcome};
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;

use super::super::processors::measure;
use super::super::{App, AppError};
use super::items::{ListItems, OfferedItem};
use super::read::page;
use super::redeem::PricedItem;
use crate::ports::billing_engine::{
    BillingEngine, EngineEstimate, EngineFailure, EngineFinding, EngineItem, EngineItems,
    EnginePrice,
};

impl App {
    /// The engine of a billing account; nothing where that is our own.
    ///
    /// # Errors
    /// An engine that this server doesn't have.
    pub(crate) fn outside_engine(
        &self,
        account: &ConnectorAccount,
    ) -> Result<Option<Arc<dyn BillingEngine>>, AppError> {
        let name = account.connector_name.as_str();
        if name == OWN_ENGINE {
            return Ok(None);
        }
        let found = self.connectors.find_engine(name);
        let none = || AppError::Broken(format!("billing engine {name} is not registered here"));
        found.ok_or_else(none).map(Some)
    }

    /// What an outside engine offers.
    pub(super) async fn engine_items(
        &self,
        engine: &dyn BillingEngine,
        account: &ConnectorAccount,
        request: ListItems,
    ) -> Result<Vec<OfferedItem>, AppError> {
        let (limit, offset) = page(request.limit, request.offset)?;
        let asked = engine.items(
            account.access(),
            EngineItems {
                item_type: request.item_type,
                product_id: request.product_id,
                limit,
                offset,
            },
        );
        let items = self.ask_about(engine, EngineOperation::ListItems, asked);
        let offered = items.await?.into_iter().map(|item| {
            let prices = item.prices.iter();
            let prices = prices.map(|price| self.engine_price(account, &item, price));
            OfferedItem {
                prices: prices.collect(),
                item: self.engine_item(account, &item),
            }
        });
        Ok(offered.collect())
    }

    /// A price of an outside engine.
    pub(super) async fn engine_priced(
        &self,
        engine: &dyn BillingEngine,
        account: &Arc<ConnectorAccount>,
        item_price_id: &ItemPriceId,
        operation: EngineOperation,
    ) -> Result<PricedItem, AppError> {
        let asked = engine.price(account.access(), item_price_id.clone());
        let found = self.ask_about(engine, operation, asked).await?;
        let found = found.and_then(|item| {
            let mut prices = item.prices.iter();
            let price = prices.find(|price| price.item_price_id == *item_price_id)?;
            let price = self.engine_price(account, &item, price);
            Some((self.engine_item(account, &item), price))
        });
        let (item, price) = found.ok_or(Refusal::not_found(Object::ItemPrice))?;
        check_amount("amount", price.amount_minor)?;
        Ok(PricedItem {
            account: Arc::clone(account),
            item,
            price,
        })
    }

    /// What the first invoice comes to by an outside engine.
    ///
    /// # Errors
    /// [`Refusal::BillingEngine`]; an amount that no payment may have.
    pub(crate) async fn engine_estimate(
        &self,
        engine: &dyn BillingEngine,
        priced: &PricedItem,
        quantity: u32,
        operation: EngineOperation,
    ) -> Result<Billed, AppError> {
        let price_id = priced.price.item_price_id.clone();
        let asked = engine.estimate(priced.account.access(), price_id, quantity);
        let estimate = self.ask_about(engine, operation, asked).await?;
        check_amount("amount", estimate.amount)?;
        Ok(billed(estimate))
    }

    /// Asks within the time that a processor has. Whatever goes wrong, nothing has changed.
    async fn ask_about<T>(
        &self,
        engine: &dyn BillingEngine,
        operation: EngineOperation,
        asked: impl Future<Output = Result<T, EngineFailure>>,
    ) -> Result<T, AppError> {
        let answer = self.engine_answer(engine, asked).await;
        answer.map_err(|failure| {
            let connector = engine.description().name;
            tracing::warn!(connector, %operation, ?failure, "a billing engine doesn't say what it was asked");
            Refusal::BillingEngine { operation }.into()
        })
    }

    /// The same of any question, whatever it comes to.
    pub(crate) async fn engine_answer<T>(
        &self,
        engine: &dyn BillingEngine,
        asked: impl Future<Output = Result<T, EngineFailure>>,
    ) -> Result<T, EngineFailure> {
        let answer = self.engine_in_time(engine, "billing_read", asked, of_answer);
        let answer = answer.await;
        answer.unwrap_or(Err(EngineFailure::Unknown(UnknownReason::Timeout)))
    }

    /// Waits as long as for a processor, and measures; nothing where that was too long. `said` says what an answer comes to.
    pub(crate) async fn engine_in_time<T>(
        &self,
        engine: &dyn BillingEngine,
        call: &'static str,
        asked: impl Future<Output = T>,
        said: fn(&T) -> Said,
    ) -> Option<T> {
        let started = Instant::now();
        let patience = self.settings.processor_deadline;
        let answer = tokio::time::timeout(patience, asked).await.ok();
        let too_late = || of_unknown(UnknownReason::Timeout);
        let (outcome, why) = answer.as_ref().map_or_else(too_late, said);
        let name = engine.description().name;
        measure(name, call, outcome, why, started.elapsed());
        answer
    }

    fn engine_item(&self, account: &ConnectorAccount, item: &EngineItem) -> Item {
        let now: Timestamp = self.now();
        Item {
            merchant_id: account.merchant_id.clone(),
            merchant_connector_id: account.merchant_connector_id.clone(),
            item_id: item.item_id.clone(),
            product_id: item.product_id.clone(),
            item_type: item.item_type,
            name: item.name.clone(),
            is_archived: false,
            created_at: now,
            modified_at: now,
            description: item.description.clone(),
            unread: UnreadMembers::NONE,
        }
    }

    fn engine_price(
        &self,
        account: &ConnectorAccount,
        item: &EngineItem,
        price: &EnginePrice,
    ) -> Price {
        let now = self.now();
        Price {
            merchant_id: account.merchant_id.clone(),
            merchant_connector_id: account.merchant_connector_id.clone(),
            item_price_id: price.item_price_id.clone(),
            item_id: item.item_id.clone(),
            amount_minor: price.amount,
            currency: price.currency,
            trial_days: price.trial_days,
            // Which quantities it takes the engine says itself.
            min_quantity: 1,
            max_quantity: MOST_QUANTITY,
            taxes: Vec::new(),
            zone: Zone::utc(),
            is_archived: false,
            created_at: now,
            modified_at: now,
            interval: price.interval,
            // It says itself when a subscription is over.
            billing_cycles: None,
            unread: UnreadMembers::NONE,
        }
    }
}

/// What an answer is counted as, and why nothing is known where that is so.
pub(crate) type Said = (&'static str, Option<&'static str>);

fn of_unknown(reason: UnknownReason) -> Said {
    ("unknown", Some(reason.as_str()))
}

fn of_answer<T>(answer: &Result<T, EngineFailure>) -> Said {
    match answer {
        Ok(_) => ("done", None),
        Err(EngineFailure::Refused { .. }) => ("declined", None),
        Err(EngineFailure::Unknown(reason)) => of_unknown(*reason),
    }
}

pub(crate) fn of_outcome(outcome: &EngineOutcome) -> Said {
    match outcome {
        EngineOutcome::Done(_) => ("done", None),
        EngineOutcome::Refused { .. } => ("declined", None),
        EngineOutcome::NeverHappened { .. } => ("never_happened", Some("not_taken")),
        EngineOutcome::Unknown(reason) => of_unknown(*reason),
    }
}

pub(crate) fn of_finding(found: &EngineFinding) -> Said {
    match found {
        // The engine's own word.
        EngineFinding::Outcome(outcome) => (of_outcome(outcome).0, None),
        EngineFinding::Absent => ("absent", None),
    }
}

/// An engine's estimate in our own words. What can be given back of it later is the engine's to say.
fn billed(estimate: EngineEstimate) -> Billed {
    let sum = |is_meant: fn(LineKind) -> bool| {
        let meant = estimate.lines.iter().filter(|line| is_meant(line.kind));
        meant.map(|line| line.amount_minor).sum::<i64>()
    };
    let charged = sum(|kind| match kind {
        LineKind::Subscription
        | LineKind::Trial
        | LineKind::Proration
        | LineKind::SinglePayment => true,
        LineKind::Discount
        | LineKind::Return
        | LineKind::Tax
        | LineKind::TaxReturn
        | LineKind::CreditUsed
        | LineKind::CreditGiven
        | LineKind::CarriedIn
        | LineKind::CarriedOver
        | LineKind::Rounding => false,
    });
    Billed {
        subtotal_minor: charged,
        discount_minor: -sum(|kind| kind == LineKind::Discount),
        tax_minor: sum(|kind| kind == LineKind::Tax),
        returned_minor: -sum(|kind| matches!(kind, LineKind::Return | LineKind::TaxReturn)),
        // Credit that the engine uses is its own.
        credit_used_minor: 0,
        credit_given_minor: 0,
        carried_in_minor: 0,
        carried_over_minor: 0,
        rounding_minor: 0,
        is_coupon_used: false,
        charged: Vec::new(),
        total: Money {
            amount_minor: estimate.amount,
            currency: estimate.currency,
        },
        lines: estimate.lines,
    }
}
