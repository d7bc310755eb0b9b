//! The simulated billing engine, seen from our side.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::ports::billing_engine::{
    BillingEngine, EngineEstimate, EngineFailure, EngineFinding, EngineItem, EngineItems,
    EnginePrice, EngineRequest,
};
use multirail_domain::connector::{
    Access, AccountCheck, Capabilities, ConnectorType, CredentialsKind, Description, UnknownReason,
};
use multirail_domain::currency::Currency;
use multirail_domain::ids::{ItemId, ItemPriceId, ProcessorKey, ProductId};
use multirail_domain::money::MAX_AMOUNT_MINOR;
use multirail_domain::secret::SecretText;
use multirail_domain::subscription::outside::{
    EngineInvoice, EngineOutcome, EngineState, MOST_OPEN_INVOICES, Wish,
};
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{
    ENGINE, EngineEstimateBody, EngineInvoiceAnswer, EngineItemAnswer, EngineItemsAnswer,
    EngineItemsBody, EngineStateAnswer, EngineWish, EngineWishBody, ErrorAnswer, ErrorBody,
    TransportError, WireRequest,
};
use serde::de::DeserializeOwned;

use super::{Transport, map};
use crate::account::credential;
use crate::client::{Answer, TransportError as NoAnswer};
use crate::outcome::{check_without_credentials, of_check};
use crate::wire::WireAnswer;

pub static DESCRIPTION: Description = Description {
    name: ENGINE,
    is_simulator: true,
    offers: &[ConnectorType::BillingProcessor],
    credentials: CredentialsKind::HeaderKey,
    settings: &[],
    shown: &[],
    category_of: |_| None,
    capabilities: Capabilities::NONE,
};

/// The engine, reached through `transport`. An answer is waited for until `deadline`.
pub struct SimulatedEngine {
    transport: Arc<dyn Transport>,
    deadline: Duration,
}

const NO_CREDENTIALS: &str = "the account has no credentials that could be sent";

impl SimulatedEngine {
    pub fn new(transport: Arc<dyn Transport>, deadline: Duration) -> Self {
        SimulatedEngine {
            transport,
            deadline,
        }
    }

    async fn send(&self, request: WireRequest) -> Answer {
        let sent = tokio::time::timeout(self.deadline, self.transport.send(request));
        map::answer(sent.await.unwrap_or(Err(TransportError::TimedOut)))
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        access: &Access,
        request: impl FnOnce(SecretText) -> WireRequest,
    ) -> Result<T, EngineFailure> {
        let Some(api_key) = credential(access, "api_key") else {
            return Err(EngineFailure::Refused {
                code: String::new(),
                message: NO_CREDENTIALS.to_owned(),
            });
        };
        let answer = self.send(request(api_key)).await;
        let answer = answer.map_err(|error| EngineFailure::Unknown(reason(&error)))?;
        match answer.status {
            200 => answer.json().ok_or(unreadable()),
            400..=499 => Err(match refusal(&answer) {
                Some(ErrorBody { code, message, .. }) => EngineFailure::Refused { code, message },
                None => unreadable(),
            }),
            500..=599 => Err(EngineFailure::Unknown(UnknownReason::ProcessorError)),
            _ => Err(unreadable()),
        }
    }
}

#[async_trait]
impl BillingEngine for SimulatedEngine {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    async fn items(
        &self,
        access: Access,
        page: EngineItems,
    ) -> Result<Vec<EngineItem>, EngineFailure> {
        let body = EngineItemsBody {
            item_type: page.item_type,
            product: page.product_id.map(|product| product.to_string()),
            limit: page.limit,
            offset: page.offset,
        };
        let path = format!("/{ENGINE}/items");
        let asked = self.ask(&access, |key| WireRequest::question(path, key, &body));
        let EngineItemsAnswer { items } = asked.await?;
        let items: Option<Vec<EngineItem>> = items.into_iter().map(item).collect();
        items.ok_or(unreadable())
    }

    async fn price(
        &self,
        access: Access,
        item_price_id: ItemPriceId,
    ) -> Result<Option<EngineItem>, EngineFailure> {
        let path = format!("/{ENGINE}/prices/{item_price_id}");
        let found = self.ask(&access, |key| WireRequest::get(path, key)).await;
        match found {
            Ok(found) => item(found).map(Some).ok_or(unreadable()),
            Err(EngineFailure::Refused { code, .. }) if code == ErrorCode::NoSuchPrice.as_str() => {
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn estimate(
        &self,
        access: Access,
        item_price_id: ItemPriceId,
        quantity: u32,
    ) -> Result<EngineEstimate, EngineFailure> {
        let body = EngineEstimateBody {
            price: item_price_id.to_string(),
            quantity,
        };
        let path = format!("/{ENGINE}/estimates");
        let asked = self.ask(&access, |key| WireRequest::question(path, key, &body));
        let invoice = invoice(asked.await?).ok_or(unreadable())?;
        Ok(EngineEstimate {
            amount: invoice.amount,
            currency: invoice.currency,
            lines: invoice.lines,
        })
    }

    async fn act(&self, request: EngineRequest) -> EngineOutcome {
        let Some(api_key) = credential(&request.access, "api_key") else {
            return EngineOutcome::NeverHappened {
                reason: NO_CREDENTIALS.to_owned(),
            };
        };
        let path = format!("/{ENGINE}/requests");
        let key = request.key.to_string();
        let body = wish(request);
        let sent = WireRequest::post(path, api_key, &key, &body);
        outcome(self.send(sent).await)
    }

    async fn look_up(&self, access: Access, key: ProcessorKey) -> EngineFinding {
        let Some(api_key) = credential(&access, "api_key") else {
            // Nobody was asked, so nothing is known.
            return not_learned(UnknownReason::ConnectionLost);
        };
        let path = format!("/{ENGINE}/requests/{key}");
        let answer = self.send(WireRequest::get(path, api_key)).await;
        let no_trace = |answer: &WireAnswer| {
            let code = refusal(answer).map(|error| error.code);
            code.as_deref() == Some(ErrorCode::NotFound.as_str())
        };
        match &answer {
            Ok(found) if found.status == 404 && no_trace(found) => EngineFinding::Absent,
            // What isn't the answer to the request itself says nothing about that.
            Ok(found) if matches!(found.status, 401 | 403 | 408 | 429) => {
                not_learned(UnknownReason::ProcessorError)
            }
            Ok(_) => EngineFinding::Outcome(outcome(answer)),
            Err(error) => not_learned(reason(error)),
        }
    }

    async fn state(&self, access: Access, reference: String) -> Result<EngineState, EngineFailure> {
        let path = format!("/{ENGINE}/subscriptions/{reference}");
        let asked = self.ask(&access, |key| WireRequest::get(path, key));
        let found = state(asked.await?).ok_or(unreadable())?;
        Some(found)
            .filter(|found| found.reference == reference)
            .ok_or(unreadable())
    }

    async fn check(&self, access: Access) -> AccountCheck {
        let Some(api_key) = credential(&access, "api_key") else {
            return check_without_credentials();
        };
        let path = format!("/{ENGINE}/account");
        let answer = self.send(WireRequest::get(path, api_key)).await;
        of_check(answer, map::refused)
    }
}

/// What became of a request by the answer to it.
fn outcome(answer: Answer) -> EngineOutcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(NoAnswer::NotSent(why)) => {
            return EngineOutcome::NeverHappened {
                reason: why.to_string(),
            };
        }
        Err(error) => return EngineOutcome::Unknown(reason(&error)),
    };
    let unreadable = EngineOutcome::Unknown(UnknownReason::UnreadableAnswer);
    match answer.status {
        200 => answer
            .json()
            .and_then(state)
            .map_or(unreadable, EngineOutcome::Done),
        401 | 403 | 429 => EngineOutcome::NeverHappened {
            reason: refusal(&answer).map_or_else(
                || format!("the engine answers {}", answer.status),
                |error| error.message,
            ),
        },
        408 | 500..=599 => EngineOutcome::Unknown(UnknownReason::ProcessorError),
        400..=499 => match refusal(&answer) {
            // What the key stands for there is something else than what was asked.
            Some(error) if error.code == ErrorCode::KeyUsedOtherwise.as_str() => {
                EngineOutcome::Unknown(UnknownReason::ProcessorError)
            }
            Some(ErrorBody { code, message, .. }) => EngineOutcome::Refused { code, message },
            None => unreadable,
        },
        _ => unreadable,
    }
}

fn not_learned(reason: UnknownReason) -> EngineFinding {
    EngineFinding::Outcome(EngineOutcome::Unknown(reason))
}

fn unreadable() -> EngineFailure {
    EngineFailure::Unknown(UnknownReason::UnreadableAnswer)
}

fn reason(error: &NoAnswer) -> UnknownReason {
    match error {
        NoAnswer::NotSent(_) | NoAnswer::Broken => UnknownReason::ConnectionLost,
        NoAnswer::TimedOut => UnknownReason::Timeout,
        NoAnswer::TooLong => UnknownReason::UnreadableAnswer,
    }
}

fn refusal(answer: &WireAnswer) -> Option<ErrorBody> {
    answer.json().map(|ErrorAnswer { error }| error)
}

fn wish(request: EngineRequest) -> EngineWishBody {
    EngineWishBody {
        subscription: request.reference,
        wish: match request.wish {
            Wish::Create => EngineWish::Create {
                own_id: request.subscription_id.to_string(),
                customer: request.customer_id.to_string(),
                price: request.item_price_id.to_string(),
                quantity: request.quantity,
            },
            Wish::Update { plan } => EngineWish::Update {
                price: plan.price.item_price_id.to_string(),
                quantity: plan.quantity,
            },
            Wish::Pause { when } => EngineWish::Pause { when },
            // Open invoices are charged here.
            Wish::Resume {
                at,
                charges,
                unpaid_invoices: _,
            } => EngineWish::Resume { at, charges },
            Wish::Cancel {
                when,
                unbilled,
                receivables,
                returns,
                reason_code: _,
            } => EngineWish::Cancel {
                when,
                unbilled,
                receivables,
                returns,
            },
            Wish::Record(record) => EngineWish::Record {
                invoice: record.reference,
                payment: record.payment_id.map(|payment| payment.to_string()),
                amount: record.amount,
            },
            Wish::End => EngineWish::End,
        },
    }
}

fn item(answer: EngineItemAnswer) -> Option<EngineItem> {
    let prices = answer.prices.into_iter().map(|price| {
        Some(EnginePrice {
            item_price_id: ItemPriceId::parse(&price.id).ok()?,
            amount: Some(price.amount).filter(is_billable)?,
            currency: price.currency.parse().ok()?,
            interval: price.interval,
            trial_days: price.trial_days,
        })
    });
    Some(EngineItem {
        item_id: ItemId::parse(&answer.id).ok()?,
        product_id: ProductId::parse(&answer.product).ok()?,
        item_type: answer.item_type,
        name: answer.name,
        description: answer.description,
        prices: prices.collect::<Option<_>>()?,
    })
}

/// How it stands. What can't be read whole is not to be trusted.
fn state(answer: EngineStateAnswer) -> Option<EngineState> {
    let open = answer.open_invoices.into_iter().take(MOST_OPEN_INVOICES);
    Some(EngineState {
        reference: Some(answer.reference).filter(|name| is_name(name))?,
        status: answer.status,
        next_billing_at: answer.next_billing_at,
        period: answer.period,
        paused_at: answer.paused_at,
        pauses_at: answer.pauses_at,
        resumes_at: answer.resumes_at,
        cancelled_at: answer.cancelled_at,
        cancels_at: answer.cancels_at,
        open_invoices: open
            .map(|one| invoice(one).filter(|one| is_name(&one.reference)))
            .collect::<Option<_>>()?,
    })
}

fn invoice(answer: EngineInvoiceAnswer) -> Option<EngineInvoice> {
    let mut lines = answer.lines.iter();
    let total = lines.try_fold(0_i64, |sum, line| sum.checked_add(line.amount_minor))?;
    Some(EngineInvoice {
        amount: Some(answer.amount)
            .filter(is_billable)
            .filter(|amount| *amount == total)?,
        currency: answer.currency.parse::<Currency>().ok()?,
        reference: answer.reference,
        period: answer.period,
        lines: answer.lines,
    })
}

fn is_billable(amount: &i64) -> bool {
    (0..=MAX_AMOUNT_MINOR).contains(amount)
}

/// A name of the engine's stands in a path.
fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
