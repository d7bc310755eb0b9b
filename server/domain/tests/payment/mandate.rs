//! Mandates: an approval makes them, charges respect their limits, and a failed charge returns a single use.

use insta::assert_snapshot;
use multirail_domain::customers::mandate::{Mandate, MandateLimits, MandateStatus, MandateTerms};
use multirail_domain::customers::saved_method::ChargedMethod;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::recurring::{FoundMandate, FoundMethod};
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, Command, Effect, FutureUsage, Input, InstrumentInput, MandateRequest,
    MethodEffect, Particulars, PayerDetails, PaymentStatus, RecurringInput, Step,
};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    CustomerId, MandateId, MerchantId, PaymentId, PaymentMethodId, ProfileId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{Fact, Outcome};
use multirail_sdk::consent::{Consent, ConsentKind};
use multirail_sdk::payment_method::PaymentMethod;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID, effect_words};
use crate::support::{AMOUNT, may_be_raised, purchase, saved, start};

fn customer() -> Option<CustomerId> {
    CustomerId::parse("cus_1").ok()
}

fn terms(single_use: bool, amount: Option<i64>) -> MandateTerms {
    let limits = Some(Box::new(MandateLimits {
        amount,
        currency: amount.map(|_| Currency::USD),
        ..MandateLimits::default()
    }));
    MandateTerms {
        single_use: limits.clone().filter(|_| single_use),
        multi_use: limits.filter(|_| !single_use),
        unread: UnreadMembers::default(),
    }
}

fn asks(request: MandateRequest, capture_method: CaptureMethod) -> Changes {
    Changes {
        customer_id: customer(),
        particulars: Particulars {
            mandate: Some(Box::new(request)),
            ..Particulars::default()
        },
        payer: PayerDetails {
            consent: Some(Box::new(Consent {
                kind: ConsentKind::Offline,
                accepted_at: None,
                online: None,
                unread: UnreadMembers::default(),
            })),
            ..PayerDetails::default()
        },
        ..purchase(capture_method)
    }
}

fn for_one_charge() -> MandateRequest {
    MandateRequest {
        mandate_type: Some(terms(true, Some(AMOUNT))),
        ..MandateRequest::default()
    }
}

/// Confirms like the application, which knows the card's id, and applies the outcomes.
fn set_up(changes: Changes, outcomes: Vec<Outcome>) -> Story {
    let mut story = Story::create(changes);
    story.confirm();
    if story.payment.saves_card() {
        let id = PaymentMethodId::parse("pm_1").expect("an id");
        story.payment.save_as(id);
    }
    for outcome in outcomes {
        story.answer(AUTHORIZE, outcome);
    }
    story
}

#[test]
fn a_mandate_is_made_by_the_approval_and_once() {
    let mut pages = Vec::new();
    for outcomes in [
        vec![done(), done()],
        vec![declined(), done()],
        vec![unknown(), done()],
        vec![redirect(), not_authenticated()],
        vec![never_happened()],
    ] {
        let story = set_up(asks(for_one_charge(), Automatic), outcomes);
        let active = story.payment.active();
        let made = active.mandate().map_or("none", |_| "one");
        pages.push(format!("{}{made}\n", story.page()));
    }
    assert_snapshot!(pages.join("\n"));
    let mut story = set_up(asks(for_one_charge(), Manual), vec![done()]);
    story.capture(None);
    story.answer(CAPTURE, done());
    let page = story.page();
    assert_eq!(page.matches("[make the mandate]").count(), 1, "{page}");
    assert_eq!(
        story.payment.terms.setup_future_usage,
        Some(FutureUsage::OffSession),
        "a mandate charges what is saved"
    );
}

/// At the approval, the payment method is deleted or the mandate revoked.
#[test]
fn an_approval_is_one_without_its_mandate_too() {
    let change = MandateRequest {
        update_mandate_id: MandateId::parse("man_1").ok(),
        ..MandateRequest::default()
    };
    for request in [for_one_charge(), change] {
        let changes = Changes {
            changed_mandate: Some(FoundMandate::Mandate(Box::new(mandate(false, None)))),
            ..asks(request, Automatic)
        };
        let mut story = set_up(changes, Vec::new());
        let confirmed_at = story.now;
        story.now = story.now.plus_seconds(60).expect("a moment");
        let fact = Fact {
            about: AUTHORIZE.key(&story.payment).expect("a key"),
            outcome: done(),
        };
        let whole = story.try_input(Input::Fact(fact)).expect("a step");
        assert!(whole.payment.active().mandate().is_some());
        assert_eq!(consented_at(&whole), [Some(story.now); 2]);
        let before = whole.effects.len();
        let step = whole.without_mandate();
        assert_eq!(step.payment.status, PaymentStatus::Succeeded);
        assert_eq!(step.payment.active().mandate(), None);
        // The mandate may have been revoked since the confirm.
        assert_eq!(consented_at(&step), [Some(confirmed_at); 2]);
        assert_eq!(step.effects.len(), before - 1);
        let words: Vec<String> = step.effects.iter().map(effect_words).collect();
        assert!(!words.join(" ").contains("mandate"), "{words:?}");
    }
}

/// Returns the time of the consent in the effect that saves the method, and in the attempt.
fn consented_at(step: &Step) -> [Option<Timestamp>; 2] {
    let in_effect = step.effects.iter().find_map(|effect| match effect {
        Effect::Method(MethodEffect::Save { consented_at, .. }) => Some(*consented_at),
        Effect::Method(
            MethodEffect::Learned { .. }
            | MethodEffect::Forget { .. }
            | MethodEffect::Used { .. }
            | MethodEffect::ClaimToken(_)
            | MethodEffect::FreeToken(_)
            | MethodEffect::UseUpToken(_),
        )
        | Effect::Call(_)
        | Effect::LookUp(_)
        | Effect::Announce(_)
        | Effect::DeleteCard
        | Effect::DeleteCredentials { .. }
        | Effect::Mandate(_)
        | Effect::ReturnExcess(_) => None,
    });
    let method = step.payment.active().method.as_deref();
    [in_effect, method.and_then(|method| method.consented_at)]
}

#[test]
fn one_that_is_there_is_changed() {
    let request = MandateRequest {
        update_mandate_id: MandateId::parse("man_1").ok(),
        ..MandateRequest::default()
    };
    let found = |customer: &str, status| {
        let mut mandate = mandate(false, None);
        mandate.customer_id = CustomerId::parse(customer).expect("an id");
        mandate.status = status;
        Some(FoundMandate::Mandate(Box::new(mandate)))
    };
    let table = [
        found("cus_1", MandateStatus::Active),
        found("cus_1", MandateStatus::Inactive),
        found("cus_1", MandateStatus::Revoked),
        found("cus_2", MandateStatus::Active),
        Some(FoundMandate::Nothing),
        Some(FoundMandate::NoCustomer),
    ];
    let answers = table.map(|changed_mandate| {
        let changes = Changes {
            changed_mandate,
            ..asks(request.clone(), Automatic)
        };
        match crate::support::create(changes.clone()) {
            Ok(_) => set_up(changes, vec![done()]).page(),
            Err(refusal) => format!("{refusal}\n"),
        }
    });
    assert_snapshot!(answers.join("\n"));
}

fn mandate(single_use: bool, amount: Option<i64>) -> Mandate {
    Mandate {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        mandate_id: MandateId::parse("man_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: customer().expect("an id"),
        version: 1,
        status: MandateStatus::Active,
        terms: terms(single_use, amount),
        payment_id: PaymentId::parse("pay_0").expect("an id"),
        payment_method_id: PaymentMethodId::parse("pm_1").expect("an id"),
        payment_method: PaymentMethod::Card,
        payment_method_type: None,
        connector: None,
        merchant_connector_id: None,
        created_at: start(),
        modified_at: start(),
    }
}

fn charges(mandate: Mandate) -> Changes {
    let method = saved("10", "2035");
    Changes {
        instrument: InstrumentInput {
            recurring: Some(RecurringInput::Mandate {
                id: "man_1".to_owned(),
                found: FoundMandate::Mandate(Box::new(mandate)),
                method: FoundMethod::Method(Box::new(ChargedMethod {
                    payment_method_id: method.payment_method_id,
                    data: method.data,
                    payment_method_type: None,
                    billing: None,
                    recurs: false,
                    network_transaction_id: None,
                    connector_mandates: Vec::new(),
                    consent: None,
                    agreed_through: None,
                })),
            }),
            ..InstrumentInput::default()
        },
        particulars: Particulars {
            off_session: Some(true),
            ..Particulars::default()
        },
        ..Changes::default()
    }
}

fn order(capture_method: CaptureMethod) -> Story {
    Story::create(Changes {
        customer_id: customer(),
        ..purchase(capture_method)
    })
}

#[test]
fn a_single_use_is_given_back_where_nothing_came_of_its_charge() {
    let table = [
        vec![done()],
        vec![declined()],
        vec![never_happened()],
        vec![unknown()],
        vec![unknown(), declined()],
        vec![unknown(), done()],
        vec![pending(), declined()],
        vec![declined(), done()],
        vec![declined(), declined()],
    ];
    let told = table.map(|outcomes| {
        let said: Vec<String> = outcomes.iter().map(words).collect();
        let mut story = order(Automatic);
        story.confirm_with(charges(mandate(true, Some(AMOUNT))));
        for outcome in outcomes {
            story.answer(AUTHORIZE, outcome);
        }
        let page = story.page();
        assert_eq!(page.matches("[charge the mandate]").count(), 1, "{page}");
        let back = page.matches("[give the mandate back]").count();
        format!("{}: given back {back} times", said.join(", "))
    });
    assert_snapshot!(told.join("\n"));
    // A multi-use mandate has nothing to return.
    let mut story = order(Automatic);
    story.confirm_with(charges(mandate(false, None)));
    story.answer(AUTHORIZE, declined());
    assert!(!story.page().contains("give the mandate back"));
    // An authorization that was cancelled counts as the charge.
    let mut story = order(Manual);
    story.confirm_with(charges(mandate(true, Some(AMOUNT))));
    story.answer(AUTHORIZE, done());
    story.cancel();
    story.answer(VOID, done());
    assert!(!story.page().contains("give the mandate back"));
}

#[test]
fn what_a_mandate_does_not_permit_is_refused() {
    let mut story = order(Manual);
    let revoked = Mandate {
        status: MandateStatus::Revoked,
        ..mandate(true, Some(AMOUNT))
    };
    for refused in [mandate(true, Some(AMOUNT - 1)), revoked] {
        story.confirm_with(charges(refused));
    }
    let good = || charges(mandate(true, Some(AMOUNT)));
    let wishes = |change: fn(&mut Changes)| {
        let mut changes = good();
        change(&mut changes);
        changes
    };
    story.confirm_with(wishes(|changes| changes.particulars.off_session = None));
    story.confirm_with(wishes(|changes| changes.enable_overcapture = Some(true)));
    story.confirm_with(wishes(|changes| {
        changes.particulars.mandate = Some(Box::new(for_one_charge()));
    }));
    let gone = wishes(|changes| {
        if let Some(RecurringInput::Mandate { method, .. }) = &mut changes.instrument.recurring {
            *method = FoundMethod::Nothing;
        }
    });
    story.confirm_with(gone);
    story.confirm_with(good());
    assert_snapshot!(story.page());
}

/// A raise is another charge, so the mandate's present state has to permit it.
#[test]
fn a_raise_charges_the_mandate_once_more() {
    let reserved = |mandate: Mandate| {
        let mut story = Story::create(Changes {
            customer_id: customer(),
            particulars: may_be_raised(),
            ..purchase(Manual)
        });
        story.confirm_with(charges(mandate));
        story.answer(AUTHORIZE, done());
        story
    };
    let raised = |story: &mut Story, found: FoundMandate| {
        let Command::RaiseAuthorization(mut raise) = story.raise_command(AMOUNT + 1) else {
            panic!("no raise");
        };
        raise.mandate = found;
        let input = Input::Command(Command::RaiseAuthorization(raise));
        match story.try_input(input) {
            Ok(step) => {
                let words: Vec<String> = step.effects.iter().map(effect_words).collect();
                words.join(" ")
            }
            Err(refusal) => refusal.to_string(),
        }
    };
    let found = |status, amount| {
        FoundMandate::Mandate(Box::new(Mandate {
            status,
            ..mandate(false, amount)
        }))
    };
    let mut often = reserved(mandate(false, None));
    let mut once = reserved(mandate(true, Some(AMOUNT + 1)));
    let told = [
        raised(&mut often, found(MandateStatus::Active, None)),
        raised(&mut often, found(MandateStatus::Active, Some(AMOUNT))),
        raised(&mut often, found(MandateStatus::Revoked, None)),
        raised(&mut often, FoundMandate::Nothing),
        raised(&mut once, FoundMandate::Nothing),
    ];
    assert_snapshot!(told.join("\n"), @r"
    [charge the mandate] [ask to increment]
    the mandate can't be charged: 6541 is above its amount of 6540
    the mandate can't be charged: it is revoked
    there is no such mandate
    [ask to increment]
    ");
}
