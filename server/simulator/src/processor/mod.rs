//! The simulated processor. It answers wire requests, decides by card number, and files everything
//! in its ledger. It knows nothing of multirail beyond the wire.

mod authorize;
mod capture;
pub mod cards;
mod column;
mod complete;
mod debit;
mod dispute;
pub mod dispute_course;
mod dispute_record;
mod dispute_request;
mod filed;
mod hold;
mod increment;
mod issuer;
mod ledger;
mod look_up;
mod notices;
mod payer;
mod payer_method;
mod record;
mod refund;
mod refund_behavior;
mod refund_record;
mod session;
mod shown;
mod void;
mod void_kind;

use std::sync::{Arc, Mutex, PoisonError};

use multirail_kernel::random::{Random, time_ordered};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;
use serde::de::DeserializeOwned;
use tokio::sync::Notify;

pub use debit::{AccountDoes, RETURN_AFTER_DAYS, TEST_ACCOUNTS, TestAccount};
pub use dispute_record::DisputeRecord;
pub use dispute_request::DisputeRequest;
pub use hold::{EXTENDED_HOLD_DAYS, HOLD_DAYS, OVERCAPTURE_PERCENT};
pub use increment::IncrementRecord;
pub use ledger::{Ledger, LedgerError, Totals};
pub use multirail_simulator_wire::{NAMES, Step};
pub use notices::{DueNotice, NOTICE_PAUSES, SETTLED_AFTER_SECONDS};
pub use payer::{Asked, PAGE_VALID_SECONDS, Page};
pub use record::{AuthorizationRecord, CaptureRecord, VoidRecord, account_of};
pub use refund_behavior::RefundBehavior;
pub use refund_record::RefundRecord;
pub use void_kind::VoidKind;

use multirail_kernel::clock::Clock;
use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    AccountAnswer, ErrorBody, Method, NoticeEndpointBody, OperationStatus, REFUSED_API_KEY,
    WireRequest, WireResponse,
};

use crate::scripted::{Call, Fault, Script};

/// The reaction to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(WireResponse),
    /// Closes the connection without an answer.
    HangUp,
    /// Never answers.
    Silence,
}

/// The processor behind all simulator names.
pub struct Processor {
    ledger: Ledger,
    script: Script,
    /// Requests that a script holds on the way.
    held: Mutex<Vec<WireRequest>>,
    /// Signals that a notice was filed or rescheduled.
    notices: Notify,
    public_url: String,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

/// The reason why a request was not executed. Nothing is filed.
enum Failure {
    Refused(ErrorBody),
    Storage(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Storage(error)
    }
}

impl From<ErrorCode> for Failure {
    fn from(code: ErrorCode) -> Self {
        Failure::Refused(code.plain())
    }
}

/// A script's decision about an operation, before the processor's own checks.
enum Twist {
    Decline(ErrorBody),
    Pend,
    PendThenDecline(ErrorBody),
    ApproveOnly(i64),
}

/// Decides a capture or a refund: its status, and the reason of a refusal, now or later. An
/// objection takes precedence over the script.
fn decide(
    objection: Option<ErrorBody>,
    twist: Option<Twist>,
) -> (OperationStatus, Option<ErrorBody>) {
    match (objection, twist) {
        (Some(error), _) | (None, Some(Twist::Decline(error))) => {
            (OperationStatus::Declined, Some(error))
        }
        (None, Some(Twist::Pend)) => (OperationStatus::Pending, None),
        (None, Some(Twist::PendThenDecline(error))) => (OperationStatus::Pending, Some(error)),
        (None, Some(Twist::ApproveOnly(_)) | None) => (OperationStatus::Done, None),
    }
}

/// The route of a request.
enum Route<'a> {
    Post {
        connector: &'a str,
        kind: OperationKind,
    },
    LookUp {
        kind: OperationKind,
        key: &'a str,
    },
    Complete {
        key: &'a str,
    },
    Dispute {
        reference: &'a str,
    },
    Disputes,
    AcceptDispute {
        reference: &'a str,
    },
    ChallengeDispute {
        reference: &'a str,
    },
    Session {
        connector: &'a str,
    },
    Account,
    NoticeEndpoint,
}

impl Processor {
    /// Creates a processor with this ledger. Browsers reach its pages under `public_url`, such as
    /// `http://127.0.0.1:8080`. Clock and randomness are passed in.
    pub fn new(
        ledger: Ledger,
        public_url: &str,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Processor {
            ledger,
            script: Script::default(),
            held: Mutex::default(),
            notices: Notify::new(),
            public_url: public_url.trim_end_matches('/').to_owned(),
            clock,
            random,
        }
    }

    /// Returns the ledger.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns the script of faults.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// Handles one request. It blocks for well under a millisecond.
    pub fn handle(&self, request: WireRequest) -> Reply {
        let call = route(&request).and_then(|route| call_of(&route));
        let fault = call.and_then(|call| self.script.take(call));
        let twist = match fault {
            None => None,
            Some(Fault::LosesRequest) => return Reply::HangUp,
            Some(Fault::LosesAnswer) => {
                self.answer(&request, None);
                return Reply::HangUp;
            }
            Some(Fault::TimesOut) => return Reply::Silence,
            Some(Fault::AnswersLate) => {
                self.answer(&request, None);
                return Reply::Silence;
            }
            Some(Fault::HeldOnTheWay) => {
                self.lock_held().push(request);
                return Reply::Silence;
            }
            Some(Fault::AnswersNonsense) => {
                let WireResponse { status, .. } = self.answer(&request, None);
                let body = "<html><title>Maintenance</title>".to_owned();
                return Reply::Answer(WireResponse { status, body });
            }
            Some(Fault::FailsBefore(status)) => return trouble(status),
            Some(Fault::FailsAfter(status)) => {
                self.answer(&request, None);
                return trouble(status);
            }
            Some(Fault::Throttles) => return trouble(429),
            Some(Fault::Declines { code, message }) => Some(Twist::Decline(words(code, message))),
            Some(Fault::Pends) => Some(Twist::Pend),
            Some(Fault::PendsThenDeclines { code, message }) => {
                Some(Twist::PendThenDecline(words(code, message)))
            }
            Some(Fault::ApprovesOnly(amount)) => Some(Twist::ApproveOnly(amount)),
        };
        Reply::Answer(self.answer(&request, twist))
    }

    /// Executes the requests that a script has held, in their order, and returns their number.
    pub fn deliver_held(&self) -> usize {
        let held = std::mem::take(&mut *self.lock_held());
        for request in &held {
            self.answer(request, None);
        }
        held.len()
    }

    fn lock_held(&self) -> std::sync::MutexGuard<'_, Vec<WireRequest>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &WireRequest, twist: Option<Twist>) -> WireResponse {
        self.process(request, twist)
            .unwrap_or_else(|failure| match failure {
                Failure::Refused(error) => errors::answer(error),
                Failure::Storage(error) => {
                    tracing::error!(%error, "the simulator's ledger failed");
                    errors::answer(ErrorCode::Storage.plain())
                }
            })
    }

    fn process(
        &self,
        request: &WireRequest,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        if request.api_key.expose().trim().is_empty() {
            return Err(ErrorCode::NoApiKey.into());
        }
        if request.api_key.expose() == REFUSED_API_KEY {
            return Err(ErrorCode::UnknownApiKey.into());
        }
        let account = account_of(request.api_key.expose());
        let body = request.body.expose();
        match route(request).ok_or(ErrorCode::NoSuchRoute)? {
            Route::LookUp { kind, key } => self.look_up(&account, kind, key),
            Route::Complete { key } => self.complete(&account, key, &read(body)?, twist),
            Route::Dispute { reference } => self.dispute(&account, reference),
            Route::Disputes => self.disputes(&account, &read(body)?),
            Route::AcceptDispute { reference } => {
                self.accept_dispute(&account, key_of(request)?, reference)
            }
            Route::ChallengeDispute { reference } => {
                self.challenge_dispute(&account, key_of(request)?, reference, &read(body)?)
            }
            Route::Session { connector } => session::open(&account, connector, &read(body)?),
            Route::Account => Ok(WireResponse::json(200, &AccountAnswer { account })),
            Route::NoticeEndpoint => {
                let NoticeEndpointBody { address, secret } = read(body)?;
                self.enter_notice_endpoint(&account, &address, &secret)?;
                Ok(WireResponse::json(200, &AccountAnswer { account }))
            }
            Route::Post { connector, kind } => {
                let key = key_of(request)?;
                match kind {
                    OperationKind::Authorize => {
                        self.authorize(&account, connector, key, &read(body)?, twist)
                    }
                    OperationKind::Increment => self.increment(&account, key, &read(body)?, twist),
                    OperationKind::Capture => self.capture(&account, key, &read(body)?, twist),
                    OperationKind::Void => self.void(&account, key, &read(body)?, twist),
                    OperationKind::Refund => self.refund(&account, key, &read(body)?, twist),
                }
            }
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Moves the processor's clock forward.
    pub fn advance(&self, seconds: u32) {
        let advanced = self.clock.advanced_seconds();
        let advanced = advanced.saturating_add(i64::from(seconds));
        self.clock.set_advanced_seconds(advanced);
    }

    /// Returns a new reference. Later references sort after earlier ones, as at some processors.
    fn reference(&self) -> String {
        let now = self.now().unix_milliseconds();
        format!("sim_{}", time_ordered(now, &*self.random, 24))
    }

    /// Returns the URL that collects device data for this token.
    fn method_url(&self, token: &str) -> String {
        format!("{}/dummy-connector/method/{token}", self.public_url)
    }

    /// Returns the URL where the payer with this token decides.
    fn page_url(&self, token: &str) -> String {
        format!("{}/dummy-connector/authorize/{token}", self.public_url)
    }
}

/// Returns the key of the request.
fn key_of(request: &WireRequest) -> Result<&str, Failure> {
    let key = request.key.as_deref().unwrap_or_default();
    if key.is_empty() || key.len() > 64 {
        return Err(invalid("idempotency-key"));
    }
    Ok(key)
}

/// Reads `POST /{connector}/{collection}`, `GET /{connector}/{collection}/{key}`, `GET
/// /{connector}/account`, `POST /{connector}/account/notices`, `POST /{connector}/sessions`, or a
/// route of disputes.
fn route(request: &WireRequest) -> Option<Route<'_>> {
    let mut segments = request.path.strip_prefix('/')?.split('/');
    let connector = segments.next().filter(|name| NAMES.contains(name))?;
    let kind = match segments.next()? {
        "account" => {
            return match (request.method, segments.next(), segments.next()) {
                (Method::Get, None, None) => Some(Route::Account),
                (Method::Post, Some("notices"), None) => Some(Route::NoticeEndpoint),
                (Method::Get | Method::Post, _, _) => None,
            };
        }
        "sessions" => {
            let is_whole = request.method == Method::Post && segments.next().is_none();
            return is_whole.then_some(Route::Session { connector });
        }
        "disputes" => return dispute_route(request.method, segments),
        "authorizations" => OperationKind::Authorize,
        "increments" => OperationKind::Increment,
        "captures" => OperationKind::Capture,
        "voids" => OperationKind::Void,
        "refunds" => OperationKind::Refund,
        _ => return None,
    };
    match (request.method, segments.next(), segments.next()) {
        (Method::Post, None, None) => Some(Route::Post { connector, kind }),
        (Method::Get, Some(key), None) => Some(Route::LookUp { kind, key }),
        (Method::Post, Some(key), Some("device_data")) if kind == OperationKind::Authorize => {
            Some(Route::Complete { key })
        }
        (Method::Post | Method::Get, _, _) => None,
    }
}

/// Reads the route after `/{connector}/disputes`: empty with a POST, `GET /{reference}`, `POST
/// /{reference}/accept` or `POST /{reference}/challenge`.
fn dispute_route<'a>(
    method: Method,
    mut segments: impl Iterator<Item = &'a str>,
) -> Option<Route<'a>> {
    let Some(reference) = segments.next() else {
        return (method == Method::Post).then_some(Route::Disputes);
    };
    match (method, segments.next(), segments.next()) {
        (Method::Get, None, None) => Some(Route::Dispute { reference }),
        (Method::Post, Some("accept"), None) => Some(Route::AcceptDispute { reference }),
        (Method::Post, Some("challenge"), None) => Some(Route::ChallengeDispute { reference }),
        (Method::Post | Method::Get, _, _) => None,
    }
}

/// Returns the kind of call, if scripts can have faults for it.
fn call_of(route: &Route<'_>) -> Option<Call> {
    Some(match route {
        Route::NoticeEndpoint => return None,
        Route::LookUp { .. } | Route::Dispute { .. } | Route::Disputes => Call::LookUp,
        Route::Complete { .. } => Call::CompleteAuthorization,
        Route::AcceptDispute { .. } => Call::AcceptDispute,
        Route::ChallengeDispute { .. } => Call::ChallengeDispute,
        Route::Session { .. } => Call::Session,
        Route::Account => Call::Account,
        Route::Post { kind, .. } => match kind {
            OperationKind::Authorize => Call::Authorize,
            OperationKind::Increment => Call::Increment,
            OperationKind::Capture => Call::Capture,
            OperationKind::Void => Call::Void,
            OperationKind::Refund => Call::Refund,
        },
    })
}

fn words(code: String, message: String) -> ErrorBody {
    issuer::with_issuer(ErrorBody {
        code,
        message,
        in_authentication: false,
        issuer: None,
    })
}

fn trouble(status: u16) -> Reply {
    let body = "upstream trouble".to_owned();
    Reply::Answer(WireResponse { status, body })
}

fn read<T: DeserializeOwned>(body: &str) -> Result<T, Failure> {
    // The parser's message could quote a card number, so it is dropped.
    serde_json::from_str(body).map_err(|_| ErrorCode::InvalidMember.into())
}

fn invalid(member: &str) -> Failure {
    let message = format!("A member is missing or can't be read: {member}");
    Failure::Refused(ErrorCode::InvalidMember.saying(message))
}
