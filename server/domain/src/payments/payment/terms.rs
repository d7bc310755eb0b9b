//! The terms of a payment: the members that rules read.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::CustomerId;
use multirail_kernel::money::{MAX_AMOUNT_MINOR, Money};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage};
use serde::{Deserialize, Serialize};

use crate::accounts::profile::SESSION_EXPIRY_SECONDS;
use crate::routing::StraightThrough;

/// A fee on top of the amount, and the tax on it, both in minor units. A stored one with unknown members is refused: the sum
/// would be wrong without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surcharge {
    pub amount: i64,
    pub tax_amount: Option<i64>,
}

impl Surcharge {
    fn total(self) -> i64 {
        self.amount + self.tax_amount.unwrap_or(0)
    }
}

/// The terms of a payment. Amounts are in minor units of `currency`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    pub amount: i64,
    pub currency: Currency,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shipping_cost: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_tax_amount: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surcharge: Option<Surcharge>,
    /// The amount of a scheduled capture. Captures by the merchant name their amount or take all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_to_capture: Option<i64>,
    pub capture_method: CaptureMethod,
    pub authentication_type: AuthenticationType,
    /// True if the merchant chose the authentication type, so that rules can't change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub authentication_type_given: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<CustomerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup_future_usage: Option<FutureUsage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_partial_authorization: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_overcapture: Option<bool>,
    pub session_expiry_seconds: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<StraightThrough>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Terms {
    /// Returns the total that the payer pays (`net_amount`): amount, shipping, order tax, surcharge and its tax. The sum can't
    /// overflow, because it was checked when the terms were accepted.
    pub fn total(&self) -> i64 {
        self.amount
            + self.shipping_cost.unwrap_or(0)
            + self.order_tax_amount.unwrap_or(0)
            + self.surcharge.map_or(0, Surcharge::total)
    }

    /// Returns [`Terms::total`] with its currency.
    pub fn total_money(&self) -> Money {
        Money {
            amount_minor: self.total(),
            currency: self.currency,
        }
    }

    /// Returns whether the payment only verifies the payment method, with a zero amount.
    pub fn only_verifies(&self) -> bool {
        self.total() == 0
    }

    /// Returns whether the authorization also captures.
    pub fn captures_at_once(&self) -> bool {
        self.capture_method.is_automatic() || self.only_verifies()
    }

    /// Refuses terms that contradict each other.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let parts = [
            ("amount", Some(self.amount)),
            ("shipping_cost", self.shipping_cost),
            ("order_tax_amount", self.order_tax_amount),
            (
                "surcharge_details.surcharge_amount",
                self.surcharge.map(|surcharge| surcharge.amount),
            ),
            (
                "surcharge_details.tax_amount",
                self.surcharge.and_then(|surcharge| surcharge.tax_amount),
            ),
        ];
        let mut total: i64 = 0;
        for (member, part) in parts {
            let part = part.unwrap_or(0);
            if part < 0 {
                return Err(Refusal::invalid_format(member, "an amount of 0 or more"));
            }
            total = total.checked_add(part).filter(|sum| *sum <= MAX_AMOUNT_MINOR).ok_or_else(|| {
                Refusal::precondition(format!(
                    "{member} brings the total above {MAX_AMOUNT_MINOR}, the largest amount that is accepted"
                ))
            })?;
        }
        if !SESSION_EXPIRY_SECONDS.contains(&self.session_expiry_seconds) {
            return Err(Refusal::invalid_value(format!(
                "session_expiry has to lie between {} and {} seconds",
                SESSION_EXPIRY_SECONDS.start(),
                SESSION_EXPIRY_SECONDS.end()
            )));
        }
        self.check_capture(total)?;
        if self.setup_future_usage.is_some() && self.customer_id.is_none() {
            return Err(Refusal::precondition(
                "setup_future_usage needs a customer_id: an instrument is kept for somebody",
            ));
        }
        Ok(())
    }

    fn check_capture(&self, total: i64) -> Result<(), Refusal> {
        if let Some(wanted) = self.amount_to_capture {
            if wanted > total {
                return Err(Refusal::invalid_format(
                    "amount_to_capture",
                    "an amount that is not above the payment's total",
                ));
            }
            if wanted < 0 || (wanted == 0 && total > 0) {
                return Err(Refusal::invalid_format(
                    "amount_to_capture",
                    "a positive integer",
                ));
            }
            if self.capture_method.is_automatic() && wanted != total {
                return Err(Refusal::precondition(
                    "with automatic capture amount_to_capture can only be the payment's total",
                ));
            }
            if self.capture_method == CaptureMethod::ManualMultiple && wanted != total {
                return Err(Refusal::precondition(
                    "with capture_method manual_multiple amount_to_capture can only be the payment's total",
                ));
            }
        }
        if self.enable_overcapture == Some(true) && self.capture_method.is_automatic() {
            return Err(Refusal::precondition(
                "enable_overcapture needs a capture_method that captures later, such as manual",
            ));
        }
        if self.enable_overcapture == Some(true)
            && self.capture_method == CaptureMethod::ManualMultiple
        {
            return Err(Refusal::FlowNotSupported {
                flow: "enable_overcapture with capture_method manual_multiple".to_owned(),
            });
        }
        Ok(())
    }
}
