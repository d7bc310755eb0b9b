//! The simulated billing engine: a catalogue that never changes, and subscriptions whose periods it counts by the processor's clock.
//! It charges nobody; invoices are open until it is told of a payment.

mod catalogue;
mod course;
mod record;

use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{
    EngineEstimateBody, EngineInvoiceAnswer, EngineItemsAnswer, EngineItemsBody, EngineWish,
    EngineWishBody, ErrorBody, Method, WireRequest, WireResponse,
};
use rusqlite::{OptionalExtension, Transaction, params};

use super::{Failure, Processor, Route, Twist, key_of, read};
use crate::scripted::Call;

pub use record::{EngineInvoice, EngineSubscription};

/// What is asked of the engine.
pub(super) enum Ask<'a> {
    Items,
    Price(&'a str),
    Estimate,
    Act,
    LookUp(&'a str),
    State(&'a str),
}

impl Ask<'_> {
    /// The kind of call, for scripts.
    pub(super) fn call(&self) -> Call {
        match self {
            Ask::Items | Ask::Price(_) | Ask::Estimate | Ask::State(_) => Call::EngineRead,
            Ask::Act => Call::EngineAct,
            Ask::LookUp(_) => Call::EngineLookUp,
        }
    }
}

/// Behind `/{engine}/`.
pub(super) fn route<'a>(
    method: Method,
    mut segments: impl Iterator<Item = &'a str>,
) -> Option<Route<'a>> {
    let collection = segments.next()?;
    let ask = match (method, collection, segments.next(), segments.next()) {
        (Method::Post, "items", None, None) => Ask::Items,
        (Method::Get, "prices", Some(price), None) => Ask::Price(price),
        (Method::Post, "estimates", None, None) => Ask::Estimate,
        (Method::Post, "requests", None, None) => Ask::Act,
        (Method::Get, "requests", Some(key), None) => Ask::LookUp(key),
        (Method::Get, "subscriptions", Some(reference), None) => Ask::State(reference),
        (Method::Get, "account", None, None) => return Some(Route::Account),
        (Method::Get | Method::Post, _, _, _) => return None,
    };
    Some(Route::Engine(ask))
}

impl Processor {
    /// Somebody settles the open invoices of a subscription at the engine itself; answers how many there were.
    ///
    /// # Panics
    /// If the books can't be read or written.
    pub fn settle_at_engine(&self, reference: &str) -> usize {
        let settled = self.ledger.write(|tx| {
            let found = EngineSubscription::of_any(tx, reference)?;
            let Some((account, mut subscription)) = found else {
                return Ok::<_, rusqlite::Error>(0);
            };
            let open = subscription.invoices.iter_mut();
            let open = open.filter(|invoice| invoice.is_open());
            let settled = open.map(|invoice| invoice.is_void = true).count();
            subscription.save(tx, &account)?;
            Ok(settled)
        });
        settled.expect("the books can be written")
    }

    pub(super) fn engine(
        &self,
        account: &str,
        ask: &Ask<'_>,
        request: &WireRequest,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        let now = self.now();
        let body = request.body.expose();
        match ask {
            Ask::Items => {
                let wanted: EngineItemsBody = read(body)?;
                let items = catalogue::items(&wanted);
                Ok(WireResponse::json(200, &EngineItemsAnswer { items }))
            }
            Ask::Price(price) => {
                let found = catalogue::item_of(price).ok_or(ErrorCode::NoSuchPrice)?;
                Ok(WireResponse::json(200, &found))
            }
            Ask::Estimate => {
                let EngineEstimateBody { price, quantity } = read(body)?;
                let invoice = catalogue::first_invoice(&price, quantity, now)?;
                Ok(WireResponse::json(200, &invoice))
            }
            Ask::Act => self.act(account, key_of(request)?, body, twist, now),
            Ask::LookUp(key) => self.ledger.write(|tx| {
                let filed = find_request(tx, account, key)?.ok_or(ErrorCode::NotFound)?;
                filed.answer(tx, account, now)
            }),
            Ask::State(reference) => self.ledger.write(|tx| show(tx, account, reference, now)),
        }
    }

    fn act(
        &self,
        account: &str,
        key: &str,
        body: &str,
        twist: Option<Twist>,
        now: Timestamp,
    ) -> Result<WireResponse, Failure> {
        let EngineWishBody { subscription, wish } = read(body)?;
        let fresh = self.reference();
        self.ledger.write(|tx| {
            if let Some(filed) = find_request(tx, account, key)? {
                if filed.body != body {
                    return Err(ErrorCode::KeyUsedOtherwise.into());
                }
                return filed.answer(tx, account, now);
            }
            let done = match twist {
                Some(Twist::Decline(error)) => Err(error),
                Some(Twist::Pend | Twist::PendThenDecline(_) | Twist::ApproveOnly(_)) | None => {
                    grant(tx, account, subscription.as_deref(), wish, &fresh, now)?
                }
            };
            let filed = Filed {
                body: body.to_owned(),
                subscription: done.as_ref().ok().cloned(),
                error: done.err(),
            };
            filed.save(tx, account, key)?;
            filed.answer(tx, account, now)
        })
    }
}

/// Does what is wished; answers whose subscription it is, or why not.
fn grant(
    tx: &Transaction<'_>,
    account: &str,
    named: Option<&str>,
    wish: EngineWish,
    fresh: &str,
    now: Timestamp,
) -> Result<Result<String, ErrorBody>, Failure> {
    let (mut subscription, wish) = match wish {
        EngineWish::Create {
            own_id,
            customer,
            price,
            quantity,
        } => match EngineSubscription::create(fresh, own_id, customer, &price, quantity, now) {
            Ok(made) => (made, None),
            Err(error) => return Ok(Err(error)),
        },
        wish @ (EngineWish::Update { .. }
        | EngineWish::Pause { .. }
        | EngineWish::Resume { .. }
        | EngineWish::Cancel { .. }
        | EngineWish::Record { .. }
        | EngineWish::End) => {
            let found = EngineSubscription::find(tx, account, named.unwrap_or_default())?;
            let Some(found) = found else {
                return Ok(Err(ErrorCode::NoSuchSubscription.plain()));
            };
            (found, Some(wish))
        }
    };
    subscription.pass_time(now);
    if let Some(wish) = wish
        && let Err(error) = subscription.take(wish, now)
    {
        return Ok(Err(error));
    }
    subscription.pass_time(now);
    subscription.save(tx, account)?;
    Ok(Ok(subscription.reference))
}

fn show(
    tx: &Transaction<'_>,
    account: &str,
    reference: &str,
    now: Timestamp,
) -> Result<WireResponse, Failure> {
    let found = EngineSubscription::find(tx, account, reference)?;
    let mut found = found.ok_or(ErrorCode::NoSuchSubscription)?;
    found.pass_time(now);
    found.save(tx, account)?;
    Ok(WireResponse::json(200, &found.answer()))
}

/// A request as it is filed; refused ones too.
struct Filed {
    body: String,
    subscription: Option<String>,
    error: Option<ErrorBody>,
}

impl Filed {
    fn answer(
        self,
        tx: &Transaction<'_>,
        account: &str,
        now: Timestamp,
    ) -> Result<WireResponse, Failure> {
        match (self.error, self.subscription) {
            (Some(error), _) => Err(Failure::Refused(error)),
            (None, subscription) => show(tx, account, &subscription.unwrap_or_default(), now),
        }
    }

    fn save(&self, tx: &Transaction<'_>, account: &str, key: &str) -> Result<(), Failure> {
        let error = self.error.as_ref().map(record::text);
        tx.prepare_cached(
            "insert into engine_requests (key, account, body, subscription, error) values (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![key, account, self.body, self.subscription, error])?;
        Ok(())
    }
}

fn find_request(
    tx: &Transaction<'_>,
    account: &str,
    key: &str,
) -> Result<Option<Filed>, rusqlite::Error> {
    tx.prepare_cached(
        "select body, subscription, error from engine_requests where key = ?1 and account = ?2",
    )?
    .query_row([key, account], |row| {
        let error: Option<String> = row.get("error")?;
        Ok(Filed {
            body: row.get("body")?,
            subscription: row.get("subscription")?,
            error: error.map(|text| record::parsed(&text)).transpose()?,
        })
    })
    .optional()
}

/// An estimate, or an invoice that has no name yet.
fn unnamed(invoice: &EngineInvoice) -> EngineInvoiceAnswer {
    EngineInvoiceAnswer {
        reference: String::new(),
        amount: invoice.amount,
        currency: invoice.currency.as_str().to_owned(),
        period: invoice.period,
        lines: invoice.lines.clone(),
    }
}
