//! The price and billing interval of an item.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, ItemId, ItemPriceId, MerchantId};
use multirail_kernel::money::check_amount;
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use super::calendar::{Interval, Zone};
use super::item::Item;
use super::tax::TaxRate;
use super::term::check_trial_days;

/// The maximum quantity of one subscription.
pub const MOST_QUANTITY: u32 = 100_000;

/// The maximum number of periods of a subscription with a fixed end.
pub const MOST_CYCLES: u32 = 1_000;

record_object! {
    /// A price of an item. Its amount and terms never change; a new price replaces it.
    #[derive(Eq)]
    pub struct Price {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        item_price_id: ItemPriceId,
        item_id: ItemId,
        /// The amount of one piece for one period in minor units. Taxes are included only where the tax says so.
        amount_minor: i64,
        currency: Currency,
        /// Free days before the first period; 0 means no trial.
        trial_days: u16,
        min_quantity: u32,
        max_quantity: u32,
        taxes: Vec<TaxRate>,
        /// The time zone in whose local time the periods of its subscriptions end.
        zone: Zone,
        is_archived: bool,
        created_at: Timestamp,
        modified_at: Timestamp,
    } and maybe {
        /// The length of a period; absent for a one-time payment.
        interval: Interval,
        /// The number of periods of a subscription at this price; absent for no end.
        billing_cycles: u32,
    }
}

/// The caller's values for a new price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPrice {
    pub amount_minor: i64,
    pub currency: Currency,
    pub interval: Option<Interval>,
    pub billing_cycles: Option<u32>,
    pub trial_days: u16,
    pub min_quantity: u32,
    pub max_quantity: u32,
    pub taxes: Vec<TaxRate>,
    pub zone: Zone,
}

impl Price {
    /// Creates a price of an item.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the member, [`Refusal::InvalidValue`] for a trial of a one-time payment, and
    /// [`Refusal::Precondition`] if the item is archived or the amount too large.
    pub fn create(
        item: &Item,
        item_price_id: ItemPriceId,
        new: NewPrice,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        if item.is_archived {
            return Err(Refusal::precondition("the item is archived"));
        }
        check_amount("amount", new.amount_minor)?;
        check_trial_days(new.trial_days)?;
        TaxRate::check_all(&new.taxes)?;
        if new.interval.is_none() && new.trial_days > 0 {
            return Err(Refusal::invalid_value(
                "trial_period needs an interval: what is paid once has no trial",
            ));
        }
        if new.interval.is_none() && new.billing_cycles.is_some() {
            return Err(Refusal::invalid_value(
                "billing_cycles needs an interval: what is paid once has no periods",
            ));
        }
        let is_none = |cycles: u32| !(1..=MOST_CYCLES).contains(&cycles);
        if new.billing_cycles.is_some_and(is_none) {
            return Err(Refusal::invalid_format(
                "billing_cycles",
                format!("1 to {MOST_CYCLES}"),
            ));
        }
        let quantities = new.min_quantity..=new.max_quantity;
        if new.min_quantity == 0 || quantities.is_empty() || new.max_quantity > MOST_QUANTITY {
            return Err(Refusal::invalid_format(
                "max_quantity",
                format!("at least min_quantity, which is 1 or more, and at most {MOST_QUANTITY}"),
            ));
        }
        Ok(Price {
            merchant_id: item.merchant_id.clone(),
            merchant_connector_id: item.merchant_connector_id.clone(),
            item_price_id,
            item_id: item.item_id.clone(),
            amount_minor: new.amount_minor,
            currency: new.currency,
            trial_days: new.trial_days,
            min_quantity: new.min_quantity,
            max_quantity: new.max_quantity,
            taxes: new.taxes,
            zone: new.zone,
            is_archived: false,
            created_at: now,
            modified_at: now,
            interval: new.interval,
            billing_cycles: new.billing_cycles,
            unread: UnreadMembers::NONE,
        })
    }

    /// Checks whether the price is paid once and has no periods.
    pub fn is_single_payment(&self) -> bool {
        self.interval.is_none()
    }

    /// Checks whether this quantity can be subscribed to.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `quantity`.
    pub fn check_quantity(&self, quantity: u32) -> Result<(), Refusal> {
        if (self.min_quantity..=self.max_quantity).contains(&quantity) {
            Ok(())
        } else {
            Err(Refusal::invalid_format(
                "quantity",
                format!("{} to {}", self.min_quantity, self.max_quantity),
            ))
        }
    }
}
