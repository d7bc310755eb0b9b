//! Moving a payment to another customer.

use insta::assert_snapshot;
use multirail_domain::customers::saved_method::ChargedMethod;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, Effect, FutureUsage, Input, InstrumentInput, MandateRequest, Notes,
    Payment, PaymentStatus, RecurringInput, Step,
};
use multirail_domain::payments::payment::{Command, MethodRole};
use multirail_kernel::ids::{ConnectorAccountId, MandateId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{AccountMandate, ConnectorMandate};
use serde_json::json;

use crate::create::{bare, customer, notes_of, said, saying};
use crate::support::outcomes::{declined, never_happened};
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{by_token, card, purchase, saved, with_card};

/// All personal data that a payment may have, and some of the merchant's own texts.
fn telling() -> Notes {
    said(json!({
        "name": "Ada", "email": "ada@shopper.example", "phone": "1", "phone_country_code": "+1",
        "billing": {"address": {"line1": "12 Row"}}, "shipping": {"address": {"line1": "13 Row"}},
        "browser_info": {"ip_address": "192.0.2.7"},
        "customer_acceptance": {"acceptance_type": "online", "online": {"ip_address": "192.0.2.7"}},
        "description": "Two books", "metadata": {"order": 1}, "off_session": true,
    }))
}

fn for_customer(id: &str, changes: Changes) -> Changes {
    Changes {
        customer_id: customer(id),
        ..changes
    }
}

fn named(id: &str) -> Changes {
    for_customer(id, Changes::default())
}

/// Names the customer inside `customer`.
fn described(id: &str) -> Changes {
    saying(said(json!({"customer": {"id": id}})), Changes::default())
}

fn takes(story: &mut Story, command: Command) -> Result<Step, Refusal> {
    story.try_input(Input::Command(command))
}

fn updates(story: &mut Story, changes: Changes) -> Step {
    takes(story, Command::Update(Box::new(changes))).expect("an update")
}

/// Returns whether the payment has neither personal data nor a payment method.
fn is_blank(payment: &Payment) -> bool {
    let attempt = payment.active();
    !payment.tells_of_somebody()
        && attempt.instrument.is_none()
        && attempt.method.is_none()
        && attempt.recurring.is_none()
        && !payment.holds_card
}

/// Returns every kind of payment method that a payment can have.
fn instruments() -> Vec<(&'static str, InstrumentInput)> {
    let token = saved("10", "2035");
    let charged = ChargedMethod {
        data: token.data.clone(),
        recurs: true,
        payment_method_id: token.payment_method_id.clone(),
        payment_method_type: None,
        billing: None,
        network_transaction_id: None,
        connector_mandates: Vec::new(),
        consent: None,
        agreed_through: None,
    };
    let kept = AccountMandate {
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        mandate: ConnectorMandate {
            connector_mandate_id: "pi_1".to_owned(),
            connector_customer_id: Some("their_ada".to_owned()),
            unread: UnreadMembers::default(),
        },
        unread: UnreadMembers::default(),
    };
    let by = |recurring| InstrumentInput {
        recurring: Some(recurring),
        ..InstrumentInput::default()
    };
    vec![
        ("a card", card()),
        ("a token", by_token(Some(token))),
        (
            "a saved method",
            by(RecurringInput::Method {
                id: "pm_1".to_owned(),
                found: FoundMethod::Method(Box::new(charged)),
            }),
        ),
        (
            "a processor's token",
            by(RecurringInput::ProcessorToken(Box::new(kept))),
        ),
    ]
}

#[test]
fn personal_data_of_the_former_payer_is_removed() {
    for (what, instrument) in instruments() {
        for other in [named("cus_2"), described("cus_2")] {
            let mut story = Story::create(Changes {
                customer_id: customer("cus_1"),
                instrument: instrument.clone(),
                ..saying(telling(), bare())
            });
            let held_card = story.payment.holds_card;
            let step = updates(&mut story, other);
            assert!(is_blank(&step.payment), "{what}: {:?}", step.payment);
            assert_eq!(step.payment.status, PaymentStatus::RequiresPaymentMethod);
            assert_eq!(step.effects.contains(&Effect::DeleteCard), held_card);
            let said = &step.payment.particulars;
            assert_eq!(said.description.as_deref(), Some("Two books"));
            assert_eq!((said.off_session, said.notes.len()), (Some(true), 1));
            assert_eq!(step.payment.terms.customer_id, customer("cus_2"));
        }
    }
}

#[test]
fn new_data_stays() {
    let mut story = Story::create(Changes {
        customer_id: customer("cus_1"),
        ..saying(telling(), purchase(CaptureMethod::Automatic))
    });
    let step = updates(
        &mut story,
        saying(
            said(json!({"email": "grace@shopper.example"})),
            for_customer("cus_2", with_card()),
        ),
    );
    assert!(step.payment.holds_card && !step.effects.contains(&Effect::DeleteCard));
    assert_eq!(step.payment.status, PaymentStatus::RequiresConfirmation);
    assert_eq!(
        notes_of(&step.payment),
        json!({
            "email": "grace@shopper.example", "description": "Two books", "metadata": {"order": 1}, "off_session": true,
        })
    );
    // A saved card replaces a held one.
    let token = for_customer(
        "cus_2",
        Changes {
            instrument: by_token(Some(saved("10", "2035"))),
            ..Changes::default()
        },
    );
    let step = updates(&mut story, token);
    assert!(!step.payment.holds_card && step.effects.contains(&Effect::DeleteCard));
    let method = step.payment.active().method.as_deref();
    assert_eq!(method.map(|method| method.role), Some(MethodRole::Pays));
}

#[test]
fn a_guest_who_becomes_a_customer_is_the_same_payer() {
    for known in [named("cus_1"), described("cus_1")] {
        let mut story = Story::create(saying(telling(), purchase(CaptureMethod::Automatic)));
        let before = story.payment.clone();
        let step = updates(&mut story, known.clone());
        let after = &step.payment;
        assert!(after.holds_card && after.instrument() == before.instrument());
        assert_eq!(after.payer.name, before.payer.name);
        assert_eq!(after.payer.billing, before.payer.billing);
        // It also stays if the customer is named again.
        story.payment = step.payment.clone();
        let again = updates(&mut story, known).payment;
        assert_eq!(again.instrument(), before.instrument());
        assert_eq!(again.payer.shipping, before.payer.shipping);
    }
}

/// A mandate that was to be changed belongs to the former payer; the terms of a new one are the merchant's wish.
#[test]
fn a_mandate_of_the_former_payer_is_not_changed() {
    let story = |request: MandateRequest| {
        let mut story = Story::create(Changes {
            customer_id: customer("cus_1"),
            ..saying(telling(), purchase(CaptureMethod::Automatic))
        });
        let notes = std::sync::Arc::make_mut(&mut story.payment.particulars);
        notes.mandate = Some(Box::new(request));
        story.payment.terms.setup_future_usage = Some(FutureUsage::OffSession);
        story
    };
    let mut changes = story(MandateRequest {
        update_mandate_id: MandateId::parse("man_1").ok(),
        ..MandateRequest::default()
    });
    let step = updates(&mut changes, named("cus_2"));
    assert_eq!(step.payment.particulars.mandate, None);
    let often = said(json!({"mandate_data": {"mandate_type": {"multi_use": {}}}}));
    let request = often.particulars.mandate.expect("a request");
    let mut makes = story(*request.clone());
    let step = updates(&mut makes, named("cus_2"));
    assert_eq!(step.payment.particulars.mandate, Some(request));
}

#[test]
fn a_confirm_for_another_customer_needs_what_he_pays_with() {
    let mut story = Story::create(Changes {
        customer_id: customer("cus_1"),
        ..saying(telling(), purchase(CaptureMethod::Automatic))
    });
    let before = story.payment.clone();
    story.confirm_with(named("cus_2"));
    assert_eq!(story.payment, before);
    story.confirm_with(for_customer("cus_2", with_card()));
    assert!(!story.payment.holds_card);
    assert_eq!(story.payment.payer.name, None);
    assert_eq!(story.payment.payer.shipping, None);
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, InvalidValue: the payment has no instrument: give payment_method with payment_method_data
    confirm                            processing                                   0 left    0 received  [ask to authorize]  [forget the card]
    attempt 1: started, authorize started
    ");
}

#[test]
fn what_a_processor_was_asked_for_stays_with_its_customer() {
    let mut pages = String::new();
    for outcome in [declined(), never_happened()] {
        for other in [named("cus_2"), described("cus_2")] {
            let mut story =
                Story::create(for_customer("cus_1", purchase(CaptureMethod::Automatic)));
            story.manual_retry_enabled = true;
            story.confirm();
            story.answer(AUTHORIZE, outcome.clone());
            let before = story.payment.clone();
            let other = Changes {
                instrument: card(),
                ..other
            };
            story.confirm_with(other);
            assert_eq!(story.payment, before);
            pages.push_str(&story.page());
        }
    }
    assert_snapshot!(pages, @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the card]
    confirm                            refused, Precondition: customer_id can't be another one than the payment's any more: a processor was asked for its customer
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the card]
    confirm                            refused, Precondition: customer.id can't be another one than the payment's any more: a processor was asked for its customer
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: never happened          failed                                       0 left    0 received  payment_failed about pay_1_1
    confirm                            refused, Precondition: customer_id can't be another one than the payment's any more: a processor was asked for its customer
    attempt 1: failure, authorize never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: never happened          failed                                       0 left    0 received  payment_failed about pay_1_1
    confirm                            refused, Precondition: customer.id can't be another one than the payment's any more: a processor was asked for its customer
    attempt 1: failure, authorize never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    ");
    // A guest's payment becomes the customer's even after a processor was asked.
    let mut story = Story::created(CaptureMethod::Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, declined());
    story.confirm_with(for_customer("cus_1", with_card()));
    assert_eq!(story.payment.terms.customer_id, customer("cus_1"));
    assert_eq!(story.payment.attempts.len(), 2);
}
