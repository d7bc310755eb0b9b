//! Examples of payments, attempts and captures. Every struct is written out, so that a new member has to be shown here.

use std::sync::Arc;

use multirail_domain::accounts::acting::Initiator;
use multirail_domain::payments::dispute::{DisputeStage, DisputeStatus};
use multirail_domain::payments::payment::recurring::RecurringKind;
use multirail_domain::payments::payment::{
    Attempt, AttemptMethod, AttemptStatus, AuthenticationType, BroughtCredentials, Capture,
    CaptureMethod, DisputeShare, FutureUsage, Increment, Instrument, InstrumentDetails,
    MerchantDecision, MethodRole, OfferedThrough, Operation, Particulars, Payment, PaymentStatus,
    PostCaptureVoid, ProfileWishes, Program, Progress, Recurring, RefundShare, ScheduledCapture,
    Surcharge, Terms,
};
use multirail_domain::payments::refund::RefundStatus;
use multirail_domain::routing::StoredTrace;
use multirail_domain::routing::{Choice, Share, StraightThrough};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, DisputeId, IncrementId, MerchantId, PaymentId, PaymentMethodId,
    PaymentToken, ProcessorKey, ProfileId, RefundId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{
    BankAccountDetails, BankAccountKind, BankHolderKind, BankScheme,
};
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{CardDetails, CardHolder, Network};
use multirail_sdk::connector::advice::{Advice, Decision, ErrorCategory};
use multirail_sdk::connector::{
    AccountMandate, CardChecks, ConnectorMandate, Decline, DeclineCategory, Hold, IssuerWords,
    Remarks, Review, ShownStep, StepForm, UnknownReason,
};
use multirail_sdk::instrument::InstrumentHolder;
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::wallet::Wallet;
use serde_json::{Map, Value, json};

use super::super::story::billing_address;
use super::particulars;

/// 2026-01-01T00:00:00.000001Z and so many seconds.
pub(super) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_001 + seconds * 1_000_000)
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            panic!("{value} is no object")
        }
    }
}

pub(super) fn merchant_id() -> MerchantId {
    MerchantId::parse("bookshop").expect("an id")
}

pub(super) fn profile_id() -> ProfileId {
    ProfileId::parse("pro_example").expect("an id")
}

pub(super) fn account_id() -> ConnectorAccountId {
    ConnectorAccountId::parse("mca_example").expect("an id")
}

/// Examples with every way to name connectors, and one with every member.
pub(super) fn payments() -> Vec<Payment> {
    let choice = |id| Choice {
        connector: "stripe_test".to_owned(),
        merchant_connector_id: id,
    };
    let ways = [
        StraightThrough::Single(choice(Some(account_id()))),
        StraightThrough::Priority(vec![choice(None), choice(Some(account_id()))]),
        StraightThrough::VolumeSplit(vec![Share {
            connector: choice(None),
            split: 70,
        }]),
    ];
    let routed = ways.map(|routing| payment(Some(routing)));
    let mut all = vec![payment(None)];
    all.extend(routed);
    all.push(Payment {
        particulars: Arc::new(particulars::full()),
        payer: Arc::new(particulars::payer()),
        ..payment(None)
    });
    all
}

fn payment(routing: Option<StraightThrough>) -> Payment {
    let is_full = routing.is_some();
    Payment {
        merchant_id: merchant_id(),
        payment_id: PaymentId::parse("pay_example").expect("an id"),
        profile_id: profile_id(),
        publishable_key: is_full.then(|| "pk_snd_0123456789abcdef0123456789abcdef".to_owned()),
        initiator: is_full.then_some(Initiator::Platform),
        owner: None,
        version: 3,
        rests_apart: false,
        status: PaymentStatus::RequiresCapture,
        terms: Terms {
            amount: 6540,
            currency: Currency::USD,
            shipping_cost: is_full.then_some(100),
            order_tax_amount: is_full.then_some(20),
            surcharge: is_full.then_some(Surcharge {
                amount: 30,
                tax_amount: Some(4),
            }),
            amount_to_capture: is_full.then_some(6000),
            capture_method: CaptureMethod::Manual,
            authentication_type: AuthenticationType::NoThreeDs,
            authentication_type_given: true,
            customer_id: is_full.then(|| CustomerId::parse("cus_example").expect("an id")),
            return_url: is_full.then(|| "https://shop.example/back".to_owned()),
            setup_future_usage: is_full.then_some(FutureUsage::OnSession),
            enable_partial_authorization: is_full.then_some(true),
            enable_overcapture: is_full.then_some(false),
            session_expiry_seconds: 900,
            routing,
            unread: UnreadMembers::default(),
        },
        cancellation_reason: is_full.then(|| "requested_by_customer".to_owned()),
        merchant_decision: is_full.then_some(MerchantDecision::Approved),
        offered: if is_full { vec![offered()] } else { Vec::new() },
        particulars: Arc::new(Particulars {
            order_reference: Some("o-42".to_owned()),
            notes: object(json!({"metadata": {"order": 42}})),
            ..Particulars::default()
        }),
        payer: Arc::default(),
        created_at: moment(0),
        modified_at: moment(2),
        expires_at: moment(900),
        holds_card: is_full,
        refunds: if is_full { shares() } else { Vec::new() },
        disputes: if is_full {
            dispute_shares()
        } else {
            Vec::new()
        },
        attempts: Vec::new(),
        unread: UnreadMembers::default(),
    }
}

fn offered() -> OfferedThrough {
    OfferedThrough {
        wallet: Wallet::GooglePay,
        merchant_connector_id: ConnectorAccountId::parse("mca_example").expect("an id"),
        unread: UnreadMembers::default(),
    }
}

fn shares() -> Vec<RefundShare> {
    let share = |id, is_open| RefundShare {
        refund_id: RefundId::parse(id).expect("an id"),
        status: RefundStatus::Succeeded,
        amount: 2000,
        is_open,
        is_of_excess: !is_open,
        above_excess: (!is_open).then_some(100),
        unread: UnreadMembers::default(),
    };
    vec![share("ref_example", true), share("ref_excess", false)]
}

fn dispute_shares() -> Vec<DisputeShare> {
    vec![DisputeShare {
        dispute_id: DisputeId::parse("dp_example").expect("an id"),
        stage: DisputeStage::Dispute,
        status: DisputeStatus::Lost,
        amount: 4000,
        currency: Currency::USD,
        unread: UnreadMembers::default(),
    }]
}

/// One that was just created, and some with every possible history.
pub(super) fn attempts() -> Vec<Attempt> {
    let fresh = Attempt {
        number: 1,
        status: AttemptStatus::PaymentMethodAwaited,
        amount: 6540,
        connector: None,
        merchant_connector_id: None,
        connector_label: None,
        routing: None,
        brought: None,
        card_code_missing: false,
        three_ds: None,
        is_stepped_up: false,
        program: Program::default(),
        instrument: None,
        method: None,
        recurring: None,
        captures_at_once: false,
        authorized_amount: None,
        authorization: None,
        review: None,
        may_be_raised: None,
        wishes: ProfileWishes::default(),
        increments: Vec::new(),
        redirect_url: None,
        shown_step: None,
        step_expires_at: None,
        returned_with: None,
        device_data_url: None,
        network_transaction_id: None,
        connector_mandate: None,
        mandate_id: None,
        card_checks: None,
        remarks: None,
        hold: None,
        lapsed_at: None,
        excess: None,
        decline: None,
        voids: Vec::new(),
        scheduled_capture: None,
        post_capture_voids: Vec::new(),
        captures: Vec::new(),
        created_at: moment(0),
        modified_at: moment(0),
        unread: UnreadMembers::default(),
    };
    let full = |(number, progress)| Attempt {
        number,
        status: AttemptStatus::VoidInitiated,
        amount: 6540,
        connector: Some("stripe_test".to_owned()),
        merchant_connector_id: Some(account_id()),
        connector_label: Some("euro cards".to_owned()),
        routing: Some(StoredTrace::from_trace(&super::routing::trace())),
        brought: Some(BroughtCredentials {
            identifier: "theirs".to_owned(),
            are_held: true,
            unread: UnreadMembers::default(),
        }),
        card_code_missing: true,
        three_ds: Some(Box::new(super::routing::three_ds())),
        is_stepped_up: true,
        program: Program {
            source: Some("web-sdk".to_owned()),
            version: Some("1.2.3".to_owned()),
            unread: UnreadMembers::default(),
        },
        instrument: Some(instrument()),
        method: Some(Box::new(method())),
        recurring: Some(Box::new(Recurring {
            kind: RecurringKind::PaymentMethodId,
            network_transaction_id: Some("scheme-0".to_owned()),
            connector_mandates: Some(vec![AccountMandate {
                merchant_connector_id: account_id(),
                mandate: mandate(),
                unread: UnreadMembers::default(),
            }]),
            agreed_through: None,
            is_bound: None,
            mandate: Some(Box::new(super::mandate::charged_under())),
            unread: UnreadMembers::default(),
        })),
        captures_at_once: true,
        authorized_amount: Some(6500),
        authorization: Some(operation("mrk_authorize", progress)),
        review: Some(Box::new(review())),
        may_be_raised: Some(true),
        wishes: ProfileWishes {
            stands_longer: true,
            may_be_exceeded: true,
            ..ProfileWishes::default()
        },
        increments: vec![Increment {
            increment_id: IncrementId::parse("auth_example").expect("an id"),
            previously_authorized: 6540,
            reason: Some("a longer stay".to_owned()),
            operation: operation("mrk_increment", progress),
            unread: UnreadMembers::default(),
        }],
        redirect_url: Some("https://processor.example/page".to_owned()),
        shown_step: Some(Box::new(shown_step())),
        step_expires_at: Some(moment(36_000)),
        returned_with: Some("redirectResult=X3XtfGC9".to_owned()),
        device_data_url: Some("https://processor.example/method".to_owned()),
        network_transaction_id: Some("scheme-1".to_owned()),
        connector_mandate: Some(Box::new(mandate())),
        mandate_id: Some(super::mandate::id()),
        card_checks: Some(Box::new(card_checks())),
        remarks: Some(Box::new(remarks())),
        hold: Some(Box::new(Hold {
            capture_before: Some(moment(604_800)),
            is_extended: Some(true),
            most_capturable: Some(7521),
            may_be_raised: Some(true),
            unread: UnreadMembers::default(),
        })),
        lapsed_at: Some(moment(604_801)),
        excess: Some(3270),
        decline: Some(decline()),
        voids: if progress == Progress::Done {
            EACH.map(|progress| operation("mrk_void", progress)).into()
        } else {
            Vec::new()
        },
        scheduled_capture: Some(Box::new(ScheduledCapture {
            key: ProcessorKey::parse("mrk_scheduled").expect("a key"),
            due_at: moment(600),
            unread: UnreadMembers::default(),
        })),
        post_capture_voids: if progress == Progress::Done {
            EACH.map(post_capture_void).into()
        } else {
            Vec::new()
        },
        captures: Vec::new(),
        created_at: moment(1),
        modified_at: moment(2),
        unread: UnreadMembers::default(),
    };
    let sent = (2..).zip(EACH).map(full);
    let by_payer = Attempt {
        number: EACH.len() as u32 + 2,
        status: AttemptStatus::ConfirmationAwaited,
        instrument: Some(payers_instrument(PayerMethod {
            bank_name: Some(BankName::Ing),
            country: Some("NL".parse().expect("a country")),
            ..PayerMethod::new(PaymentMethodType::Ideal)
        })),
        ..fresh.clone()
    };
    let by_payers_card = Attempt {
        number: by_payer.number + 1,
        instrument: Some(payers_instrument(PayerMethod {
            last4: Some("1111".to_owned()),
            ..PayerMethod::new(PaymentMethodType::BancontactCard)
        })),
        ..by_payer.clone()
    };
    let by_payers_code = Attempt {
        number: by_payers_card.number + 1,
        instrument: Some(payers_instrument(PayerMethod {
            text_was_given: Some(true),
            ..PayerMethod::new(PaymentMethodType::Blik)
        })),
        ..by_payer.clone()
    };
    let by_debit = Attempt {
        number: by_payers_code.number + 1,
        instrument: Some(debited_account()),
        ..by_payer.clone()
    };
    let attempts = [fresh].into_iter().chain(sent);
    let by_payers = [by_payer, by_payers_card, by_payers_code, by_debit];
    attempts.chain(by_payers).collect()
}

/// A step that has every member.
fn shown_step() -> ShownStep {
    ShownStep {
        form: StepForm::BankTransfer,
        text: Some("123456789".to_owned()),
        url: Some("https://processor.example/transfer".to_owned()),
        shown_from: Some(moment(1)),
        entity: Some("11249".to_owned()),
        iban: Some("DE89370400440532013000".to_owned()),
        bic: Some("COBADEFFXXX".to_owned()),
        holder: Some("Simulated processor".to_owned()),
        country: Some("DE".parse().expect("a country")),
        amount_received: Some(4000),
        amount_remaining: Some(2540),
        unread: UnreadMembers::default(),
    }
}

/// An instrument that the payer finishes elsewhere.
fn payers_instrument(method: PayerMethod) -> Instrument {
    Instrument {
        payment_method: PaymentMethod::BankRedirect,
        payment_method_type: Some(method.kind),
        details: InstrumentDetails::Payer(Box::new(method)),
        holder: InstrumentHolder::default(),
        unread: UnreadMembers::default(),
    }
}

/// A bank account with every member.
fn debited_account() -> Instrument {
    Instrument {
        payment_method: PaymentMethod::BankDebit,
        payment_method_type: Some(PaymentMethodType::Ach),
        details: InstrumentDetails::BankDebit(BankAccountDetails {
            scheme: BankScheme::Ach,
            last4: "6789".to_owned(),
            country: Some("US".parse().expect("a country")),
            bank_code: Some("110000000".to_owned()),
            bank_name: Some("Example Bank".to_owned()),
            kind: Some(BankAccountKind::Checking),
            holder_kind: Some(BankHolderKind::Personal),
            unread: UnreadMembers::default(),
        }),
        holder: InstrumentHolder {
            account: Some("Joseph Doe".to_owned()),
            ..InstrumentHolder::default()
        },
        unread: UnreadMembers::default(),
    }
}

fn mandate() -> ConnectorMandate {
    ConnectorMandate {
        connector_mandate_id: "kept_1".to_owned(),
        connector_customer_id: Some("payer_1".to_owned()),
        unread: UnreadMembers::default(),
    }
}

fn method() -> AttemptMethod {
    AttemptMethod {
        payment_method_id: PaymentMethodId::parse("pm_example").expect("an id"),
        role: MethodRole::Pays,
        token: Some(PaymentToken::parse("token_example").expect("a token")),
        code_was_given: Some(true),
        holder_was_given: Some(true),
        billing_was_given: Some(false),
        consent_was_given: Some(true),
        consented_at: Some(moment(3)),
        unread: UnreadMembers::default(),
    }
}

fn review() -> Review {
    Review {
        screened_by: "screening.example".to_owned(),
        reference: Some("rev_1".to_owned()),
        score: Some(75),
        reason_code: Some("elevated_risk".to_owned()),
        reason: Some("The payment looks risky".to_owned()),
        unread: UnreadMembers::default(),
    }
}

fn post_capture_void(progress: Progress) -> PostCaptureVoid {
    PostCaptureVoid {
        operation: operation("mrk_post_capture_void", progress),
        reason: Some("charged twice".to_owned()),
        modified_at: moment(2),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn captures() -> Vec<Capture> {
    let capture = |(sequence, progress)| Capture {
        sequence,
        operation: operation("mrk_capture", progress),
        unread: UnreadMembers::default(),
    };
    (1..).zip(EACH).map(capture).collect()
}

/// States of operations that together have all members.
pub(super) const EACH: [Progress; 3] = [Progress::Unknown, Progress::Done, Progress::Declined];

pub(super) fn operation(key: &str, progress: Progress) -> Operation {
    let is_over = !progress.is_open();
    Operation {
        key: ProcessorKey::parse(key).expect("a key"),
        amount: 6540,
        done_amount: (progress == Progress::Done).then_some(6500),
        progress,
        reference: is_over.then(|| "ref-1".to_owned()),
        decline: (progress == Progress::Declined).then(decline),
        unknown: (progress == Progress::Unknown).then_some(UnknownReason::Timeout),
        // One of the three examples has to show this member, even if no real operation sets it.
        leaves_nothing: true,
        is_turned_away: progress == Progress::Declined,
        is_given_up: progress == Progress::Declined,
        is_of_others: progress == Progress::Declined,
        started_at: moment(1),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn decline() -> Decline {
    Decline {
        code: "DC_08".to_owned(),
        message: "Payment declined".to_owned(),
        reason: Some("insufficient funds".to_owned()),
        in_authentication: true,
        authorization_gone: true,
        takes_back: true,
        category: Some(DeclineCategory::InsufficientFunds),
        issuer: Some(Box::new(IssuerWords {
            code: "51".to_owned(),
            message: "Insufficient funds".to_owned(),
            advice_code: Some("02".to_owned()),
            advice_message: Some("Try again later".to_owned()),
            unread: UnreadMembers::default(),
        })),
        checks: Some(Box::new(card_checks())),
        advice: Some(Box::new(advice())),
        // Stored with the attempt.
        remarks: None,
        unread: UnreadMembers::default(),
    }
}

fn advice() -> Advice {
    Advice {
        decision: Decision::Retry,
        step_up_possible: Some(true),
        error_category: Some(ErrorCategory::SoftDecline),
        unified_code: Some("UE_1000".to_owned()),
        unified_message: Some("Not accepted".to_owned()),
        description: Some("the bank refused".to_owned()),
        user_guidance_message: Some("Try another card".to_owned()),
        unread: UnreadMembers::default(),
    }
}

fn remarks() -> Remarks {
    let members = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    Remarks {
        auth_code: Some("006540".to_owned()),
        authentication: members(serde_json::json!({ "version": "2.2.0" })),
        more: members(serde_json::json!({ "risk_level": "normal" })),
        unread: UnreadMembers::default(),
    }
}

fn card_checks() -> CardChecks {
    CardChecks {
        address: Some("Y".to_owned()),
        card_code: Some("M".to_owned()),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn instrument() -> Instrument {
    Instrument {
        payment_method: PaymentMethod::Card,
        payment_method_type: Some(PaymentMethodType::Credit),
        details: InstrumentDetails::Card(card_details()),
        holder: InstrumentHolder {
            card: CardHolder {
                name: Some("Joseph Doe".to_owned()),
                nick_name: Some("mine".to_owned()),
            },
            account: None,
            billing: Some(billing_address()),
        },
        unread: UnreadMembers::default(),
    }
}

fn card_details() -> CardDetails {
    CardDetails {
        last4: "1111".to_owned(),
        isin: Some("411111".to_owned()),
        extended_bin: Some("41111111".to_owned()),
        network: Some(Network::Visa),
        exp_month: "10".to_owned(),
        exp_year: "2035".to_owned(),
        issuer: Some("Example Bank".to_owned()),
        issuing_country: Some("US".to_owned()),
        card_type: Some("credit".to_owned()),
        bank_code: Some("EXB".to_owned()),
        unread: UnreadMembers::default(),
    }
}
