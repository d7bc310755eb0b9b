//! The place where a story is played: a connector, an account, and the means to learn outcomes.

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::Card;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{Authentication, Browser};
use multirail_sdk::connector::{
    Access, AuthorizeRequest, CaptureRequest, Connector, Descriptor, Details, Finding,
    IncrementRequest, LookUpRequest, OperationKind, Outcome, Recovery, RefundRequest, VoidRequest,
};
use multirail_sdk::instrument::PaymentMethodData;

use super::asked::{Asked, Authorization, What};
use crate::test_mode::CardThat;

/// The address to which payers return. No payer does, so that nobody has to own it.
pub const RETURN_URL: &str = "https://shop.example/return?a=1&b=2";

/// The number of look-ups of an operation that is decided later.
const LOOK_UPS: usize = 10;

/// A connector with an account of its processor.
#[async_trait]
pub trait Stage: Send + Sync {
    fn connector(&self) -> &dyn Connector;
    fn access(&self) -> Access;
    fn card(&self, wanted: CardThat) -> Card;
    /// Returns the price of everything that is sold.
    fn price(&self) -> Money;
    /// Returns a key that was never used.
    fn key(&self) -> ProcessorKey;
    /// Returns the wall time.
    fn now(&self) -> Timestamp;
    /// Waits before an operation that is decided later is looked up again.
    async fn rest(&self);

    /// Returns whether notices of the processor arrive. Without them, outcomes that only notices tell count as agreed.
    fn hears_notices(&self) -> bool;

    /// Returns the outcome in the processor's notices, if there is one.
    async fn outcome_by_notice(&self, asked: &Asked) -> Option<Outcome>;
}

impl dyn Stage + '_ {
    /// Returns the request for a card payment at the price.
    pub(super) fn authorize(&self, card: CardThat, capture: bool) -> Asked {
        Asked {
            key: self.key(),
            money: self.price(),
            what: What::Authorize {
                card,
                capture,
                may_be_raised: false,
            },
        }
    }

    pub(super) fn operation(&self, what: What, amount_minor: i64) -> Asked {
        Asked {
            key: self.key(),
            money: Money::new(amount_minor, self.price().currency),
            what,
        }
    }

    pub(super) fn capture(&self, of: &Authorization, amount_minor: i64) -> Asked {
        let what = What::Capture {
            of: of.clone(),
            is_final: true,
        };
        self.operation(what, amount_minor)
    }

    pub(super) fn void(&self, of: &Authorization) -> Asked {
        let what = What::Void { of: of.clone() };
        self.operation(what, of.money.amount_minor)
    }

    pub(super) fn refund(&self, of: &Authorization, amount_minor: i64) -> Asked {
        let what = What::Refund { of: of.clone() };
        self.operation(what, amount_minor)
    }
}

/// Sends a request through a connector, and returns the immediate outcome.
pub async fn send(
    connector: &dyn Connector,
    access: Access,
    card: impl Fn(CardThat) -> Card,
    asked: &Asked,
) -> Outcome {
    let key = asked.key.clone();
    let money = asked.money;
    match &asked.what {
        What::Authorize {
            card: wanted,
            capture,
            may_be_raised,
        } => {
            let request = AuthorizeRequest {
                key,
                access,
                money,
                capture: *capture,
                data: PaymentMethodData::Card(card(*wanted)),
                return_url: RETURN_URL.to_owned(),
                details: Details {
                    may_be_raised: *may_be_raised,
                    ..details(*wanted, connector)
                },
            };
            connector.authorize(request).await
        }
        What::Raise { of } => {
            let request = IncrementRequest {
                key,
                access,
                authorization_key: of.key.clone(),
                authorization_reference: of.reference.clone(),
                money,
                reason: Some("no_show".to_owned()),
            };
            match connector.able(|able| able.raises_authorizations) {
                Some(raises) => raises.increment(request).await,
                None => Outcome::never_happened("the connector raises no authorizations"),
            }
        }
        What::Capture { of, is_final } => {
            let request = CaptureRequest {
                key,
                access,
                authorization_key: of.key.clone(),
                authorization_reference: of.reference.clone(),
                money,
                is_final: *is_final,
                descriptor: Descriptor::default(),
            };
            connector.capture(request).await
        }
        What::Void { of } => {
            let request = VoidRequest {
                key,
                access,
                authorization_key: of.key.clone(),
                authorization_reference: of.reference.clone(),
                captured_at_once: of.captured_at_once,
                reason: None,
            };
            connector.void(request).await
        }
        What::Refund { of } => {
            let request = RefundRequest {
                key,
                access,
                authorization_key: of.key.clone(),
                authorization_reference: of.reference.clone(),
                money,
                of_excess: false,
                reason: None,
            };
            connector.refund(request).await
        }
    }
}

/// Returns the details of a card payment. Some processors authenticate a payer only if the merchant asks for it, and some need the
/// payer's browser.
fn details(card: CardThat, connector: &dyn Connector) -> Details {
    let wanted = match card {
        CardThat::AsksThePayer => Some(AuthenticationType::ThreeDs),
        CardThat::IsApproved | CardThat::IsDeclined => None,
    };
    let by_browser = connector
        .description()
        .capabilities
        .authenticates_by_browser;
    Details {
        authentication: Authentication {
            wanted,
            browser: (by_browser && wanted.is_some()).then(browser),
            ..Authentication::default()
        },
        ..Details::default()
    }
}

fn browser() -> Browser {
    Browser {
        color_depth: Some(24),
        java_enabled: Some(false),
        java_script_enabled: Some(true),
        language: Some("en-GB".to_owned()),
        screen_height: Some(1080),
        screen_width: Some(1920),
        time_zone: Some(0),
        accept_header: Some("text/html,application/xhtml+xml".to_owned()),
        user_agent: Some("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101".to_owned()),
        ..Browser::default()
    }
}

/// Sends a request and waits for its final outcome, which some processors report later. The outcome stays pending if nothing tells
/// the result.
pub async fn finish(stage: &dyn Stage, asked: &Asked) -> Outcome {
    let card = |wanted| stage.card(wanted);
    match send(stage.connector(), stage.access(), card, asked).await {
        Outcome::Pending { reference } => settled(stage, asked, reference).await,
        known => known,
    }
}

/// Learns the outcome of an operation that the processor decides later.
async fn settled(stage: &dyn Stage, asked: &Asked, reference: Option<String>) -> Outcome {
    let pending = Outcome::Pending {
        reference: reference.clone(),
    };
    match recovery(stage.connector(), asked.kind()) {
        Recovery::LookUp(_) => {
            let mut last = pending;
            for _ in 0..LOOK_UPS {
                last = match look_up(stage, asked, reference.clone(), None).await {
                    Finding::Outcome(outcome) => outcome,
                    Finding::Absent { reason } => Outcome::never_happened(reason),
                };
                if !matches!(last, Outcome::Pending { .. }) {
                    break;
                }
                stage.rest().await;
            }
            last
        }
        Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => {
            stage.outcome_by_notice(asked).await.unwrap_or(pending)
        }
    }
}

/// Returns the way to learn the outcome of an operation of this kind.
pub fn recovery(connector: &dyn Connector, kind: OperationKind) -> Recovery {
    let capabilities = &connector.description().capabilities;
    capabilities.recovery.for_operation(kind)
}

/// Looks an operation up.
pub async fn look_up(
    stage: &dyn Stage,
    asked: &Asked,
    reference: Option<String>,
    returned_with: Option<String>,
) -> Finding {
    let authorization = asked.authorization();
    let request = LookUpRequest {
        kind: asked.kind(),
        key: asked.key.clone(),
        access: stage.access(),
        authorization_key: authorization.key,
        authorization_reference: authorization.reference,
        reference,
        money: asked.money,
        started_at: stage.now(),
        returned_with,
    };
    stage.connector().look_up(request).await
}
