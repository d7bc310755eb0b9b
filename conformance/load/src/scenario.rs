//! The requests that one connection repeats.

use clap::ValueEnum;

use crate::customer::{Customer, Trouble};
use crate::requests::Step;

/// A round of requests that is repeated until the time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    /// Two requests, three commits: the payment, the intention to call the processor, the outcome.
    CreateThenConfirm,
    /// One request, two commits.
    ConfirmAtOnce,
    /// Create, confirm, capture.
    AuthorizeThenCapture,
    /// Create and confirm, then refund half of it.
    PayThenRefund,
    /// Read one random payment.
    Retrieve,
    /// Ten payments by cursor, from a random place in the list.
    List,
    /// Ten payments by filter, with the count of all that match.
    Filter,
    /// A mixture of everything.
    Mixed,
}

impl Scenario {
    /// The scenarios that are measured by default.
    pub const USUAL: [Scenario; 7] = [
        Scenario::CreateThenConfirm,
        Scenario::ConfirmAtOnce,
        Scenario::AuthorizeThenCapture,
        Scenario::PayThenRefund,
        Scenario::Retrieve,
        Scenario::List,
        Scenario::Mixed,
    ];

    /// Returns the name shown in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Scenario::CreateThenConfirm => "create-then-confirm",
            Scenario::ConfirmAtOnce => "confirm-at-once",
            Scenario::AuthorizeThenCapture => "authorize-then-capture",
            Scenario::PayThenRefund => "pay-then-refund",
            Scenario::Retrieve => "retrieve",
            Scenario::List => "list",
            Scenario::Filter => "filter",
            Scenario::Mixed => "mixed",
        }
    }

    /// Plays one round.
    pub async fn play(self, customer: &mut Customer) -> Result<(), Trouble> {
        match self {
            Scenario::CreateThenConfirm => {
                let id = customer
                    .creates(Step::Create, "requires_payment_method")
                    .await?;
                customer.asks(Step::Confirm, &id, "succeeded").await
            }
            Scenario::ConfirmAtOnce => customer
                .creates(Step::CreateConfirmed, "succeeded")
                .await
                .map(drop),
            Scenario::AuthorizeThenCapture => {
                let id = customer
                    .creates(Step::CreateToAuthorize, "requires_payment_method")
                    .await?;
                customer
                    .asks(Step::Confirm, &id, "requires_capture")
                    .await?;
                customer.asks(Step::Capture, &id, "succeeded").await
            }
            Scenario::PayThenRefund => {
                let id = customer.creates(Step::CreateConfirmed, "succeeded").await?;
                customer.asks(Step::Refund, &id, "succeeded").await
            }
            Scenario::Retrieve => {
                let known = customer.knows();
                customer.asks(Step::Retrieve, &known, "succeeded").await
            }
            Scenario::List => {
                let known = customer.knows();
                customer.asks(Step::List, &known, "").await
            }
            Scenario::Filter => customer.asks(Step::Filter, "", "").await,
            Scenario::Mixed => {
                let part = match customer.draws(100) {
                    0..50 => Scenario::CreateThenConfirm,
                    50..65 => Scenario::ConfirmAtOnce,
                    65..75 => Scenario::AuthorizeThenCapture,
                    75..95 => Scenario::Retrieve,
                    _ => Scenario::List,
                };
                Box::pin(part.play(customer)).await
            }
        }
    }
}
