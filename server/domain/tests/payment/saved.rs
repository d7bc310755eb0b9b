//! Saved payment methods: a card is saved after its approval, and pays by its token.

use insta::assert_snapshot;
use multirail_domain::customers::mandate::MandateTerms;
use multirail_domain::customers::saved_method::{ChargedMethod, TokenMethod};
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, Effect, Fact, FutureUsage, Input, InstrumentInput, MandateRequest,
    MethodEffect, MitCategory, Particulars, PayerDetails, RecurringInput, TokenInput,
};
use multirail_kernel::ids::{CustomerId, PaymentMethodId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::consent::{Consent, ConsentKind};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{by_token, card, purchase, saved, with_card};

/// The payer is present and enters the code.
fn by_token_and_code() -> InstrumentInput {
    InstrumentInput {
        token_code: Some(SecretText::new("737")),
        ..by_token(Some(saved("10", "2035")))
    }
}

fn of_customer(changes: Changes) -> Changes {
    Changes {
        customer_id: CustomerId::parse("cus_1").ok(),
        ..changes
    }
}

fn saved_for(usage: FutureUsage, capture_method: CaptureMethod) -> Changes {
    of_customer(Changes {
        setup_future_usage: Some(usage),
        ..purchase(capture_method)
    })
}

fn consents() -> Changes {
    Changes {
        payer: PayerDetails {
            consent: Some(Box::new(Consent {
                kind: ConsentKind::Online,
                accepted_at: None,
                online: None,
                unread: UnreadMembers::default(),
            })),
            ..PayerDetails::default()
        },
        ..Changes::default()
    }
}

/// Confirms like the application, which knows the card's id.
fn confirm(story: &mut Story, changes: Changes) {
    story.confirm_with(changes);
    let started = story.payment.active().authorization.is_some();
    if started && story.payment.saves_card() {
        let id = PaymentMethodId::parse("pm_1").expect("an id");
        story.payment.save_as(id);
    }
}

fn shown(story: &Story) -> String {
    let attempt = story.payment.active();
    let saved = attempt.saved_method().map(ToString::to_string);
    format!(
        "{}saved as {}, {}",
        story.page(),
        saved.unwrap_or_else(|| "nothing".to_owned()),
        attempt.card_discovery()
    )
}

#[test]
fn a_card_is_saved_when_it_is_approved() {
    let mut story = Story::create(saved_for(FutureUsage::OnSession, Manual));
    confirm(&mut story, Changes::default());
    story.answer(AUTHORIZE, redirect());
    story.answer(AUTHORIZE, pending());
    assert_eq!(story.payment.active().saved_method(), None);
    story.answer(AUTHORIZE, done());
    story.answer(AUTHORIZE, done());
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(shown(&story), @r"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    authorize: pending                 processing                                   0 left    0 received  payment_processing about pay_1_1
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]  [save the card]
    authorize: done                    requires_capture                          6540 left    0 received
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    saved as pm_1, manual
    ");
}

#[test]
fn a_card_that_is_not_approved_is_not_saved() {
    let page = |name: &str, end: fn(&mut Story)| {
        let mut story = Story::create(saved_for(FutureUsage::OnSession, Automatic));
        confirm(&mut story, Changes::default());
        let mut story = story.afresh();
        end(&mut story);
        format!("{name}\n{}", shown(&story))
    };
    let pages = [
        page("declined", |story| story.answer(AUTHORIZE, declined())),
        page("never happened", |story| {
            story.answer(AUTHORIZE, never_happened());
        }),
        page("cancelled at the page", |story| {
            story.answer(AUTHORIZE, redirect());
            story.cancel();
            story.answer(AUTHORIZE, done());
        }),
    ];
    assert_snapshot!(pages.join("\n\n"), @r"
    declined
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the card]  [save nothing]
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    saved as nothing, manual

    never happened
    authorize: never happened          failed                                       0 left    0 received  payment_failed about pay_1_1  [save nothing]
    attempt 1: failure, authorize never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    saved as nothing, manual

    cancelled at the page
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    cancel                             cancelled                                    0 left    0 received  payment_cancelled about pay_1  [ask to void]  [forget the card]  [save nothing]
    authorize: done                    cancelled                                    0 left 6540 received  [ask to void]
    attempt 1: voided, authorize done, void started, void started
    saved as nothing, manual
    ");
}

#[test]
fn a_held_card_is_saved_when_the_merchant_lets_it_go_on() {
    let mut story = Story::create(saved_for(FutureUsage::OnSession, Manual));
    confirm(&mut story, Changes::default());
    let mut story = story.afresh();
    story.answer(AUTHORIZE, held_for(6540));
    assert_eq!(story.payment.active().saved_method(), None);
    story.approve();
    assert_snapshot!(shown(&story), @r"
    authorize: held                    requires_merchant_action                     0 left    0 received  action_required about pay_1_1  [forget the card]
    approve                            requires_capture                          6540 left    0 received  payment_authorized about pay_1  [save the card]
    attempt 1: authorized, authorize done
    saved as pm_1, manual
    ");
}

#[test]
fn charges_without_the_payer_need_his_consent() {
    let mut story = Story::create(saved_for(FutureUsage::OffSession, Automatic)).afresh();
    confirm(&mut story, Changes::default());
    confirm(&mut story, consents());
    story.answer(AUTHORIZE, done());
    assert_snapshot!(shown(&story), @r"
    confirm                            refused, Missing: customer_acceptance is required and was not given
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]  [save the card]
    attempt 1: charged, authorize done
    saved as pm_1, manual
    ");
}

#[test]
fn a_token_pays_with_the_code_and_is_forgotten_at_the_end() {
    let mut story = Story::create(of_customer(Changes {
        setup_future_usage: Some(FutureUsage::OnSession),
        instrument: by_token(Some(saved("10", "2035"))),
        ..purchase(Manual)
    }));
    assert!(!story.payment.holds_card, "a token is asked again");
    let with = |code: Option<&str>, code_was_given| Changes {
        instrument: InstrumentInput {
            token: Some(TokenInput {
                text: SecretText::new("token_1"),
                found: Some(Box::new(saved("10", "2035"))),
                code_was_given,
            }),
            token_code: code.map(SecretText::new),
            ..InstrumentInput::default()
        },
        ..Changes::default()
    };
    confirm(&mut story, with(None, false));
    confirm(&mut story, with(Some("737"), false));
    assert!(!story.payment.active().card_code_missing);
    story.answer(AUTHORIZE, done());
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(shown(&story), @r"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, Missing: card_cvc is required and was not given
    confirm                            processing                                   0 left    0 received  [ask to authorize]  [claim the token]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [note the use]
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the token]
    attempt 1: charged, authorize done, capture done 6540
    saved as pm_1, saved_card
    ");
    // The server asks again for a code that was given and is gone.
    let mut story = Story::create(of_customer(purchase(Automatic)));
    confirm(&mut story, with(None, true));
    assert_snapshot!(shown(&story), @r"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, Missing: card_cvc is required and was not given
    attempt 1: confirmation_awaited
    saved as nothing, manual
    ");
}

/// A consent to later charges is always a new one.
#[test]
fn a_saved_method_brings_its_consent_which_is_not_the_payments() {
    let said = |story: &Story| {
        let payment = &story.payment;
        let sent = payment.details(payment.active()).initiation.consent;
        let own = payment.payer.consent.is_some();
        (sent.map(|consent| consent.kind), own)
    };
    let method = TokenMethod {
        has_consent: true,
        consent: consents().payer.consent,
        ..saved("10", "2035")
    };
    let mut story = Story::create(of_customer(Changes {
        instrument: by_token(Some(method.clone())),
        ..purchase(Automatic)
    }));
    assert_eq!(said(&story), (Some(ConsentKind::Online), false));
    confirm(
        &mut story,
        Changes {
            setup_future_usage: Some(FutureUsage::OffSession),
            instrument: InstrumentInput {
                token_code: Some(SecretText::new("737")),
                ..by_token(Some(method))
            },
            ..Changes::default()
        },
    );
    let refused = "refused, Missing: customer_acceptance is required and was not given";
    let page = story.page();
    assert!(page.contains(refused), "{page}");
    story.update(with_card());
    assert_eq!(said(&story), (None, false));
}

#[test]
fn a_token_is_free_again_where_the_processor_was_never_asked() {
    let mut story = Story::create(of_customer(Changes {
        instrument: by_token(Some(saved("10", "2035"))),
        ..purchase(Automatic)
    }));
    confirm(
        &mut story,
        Changes {
            instrument: by_token_and_code(),
            ..Changes::default()
        },
    );
    let mut story = story.afresh();
    story.answer(AUTHORIZE, never_happened());
    assert_snapshot!(shown(&story), @r"
    authorize: never happened          failed                                       0 left    0 received  payment_failed about pay_1_1  [free the token]
    attempt 1: failure, authorize never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    saved as pm_1, saved_card
    ");
}

/// A payer with a saved card agrees like one who types the card in, but not by a refused payment.
#[test]
fn a_payer_agrees_to_later_charges_while_he_pays_by_token() {
    let page = |usage, outcome| {
        let mut story = Story::create(of_customer(Changes {
            setup_future_usage: usage,
            ..purchase(Automatic)
        }));
        confirm(
            &mut story,
            Changes {
                instrument: by_token_and_code(),
                ..consents()
            },
        );
        let mut story = story.afresh();
        story.answer(AUTHORIZE, outcome);
        story.page()
    };
    let pages = [
        page(None, done()),
        page(Some(FutureUsage::OnSession), done()),
        page(Some(FutureUsage::OffSession), done()),
        page(Some(FutureUsage::OffSession), declined()),
    ];
    assert_snapshot!(pages.join("\n"), @r"
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [note the use]  [forget the token]
    attempt 1: charged, authorize done

    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [note the use]  [forget the token]
    attempt 1: charged, authorize done

    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [note the use and the consent]  [forget the token]
    attempt 1: charged, authorize done

    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the token]
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    ");
}

/// A debit may be approved days later, when the payer has revoked their consent. A mandate that the payment makes or changes
/// begins with the approval.
#[test]
fn a_consent_counts_from_the_confirm() {
    let mandate = Particulars {
        mandate: Some(Box::new(MandateRequest {
            mandate_type: Some(MandateTerms {
                multi_use: Some(Box::default()),
                ..MandateTerms::default()
            }),
            ..MandateRequest::default()
        })),
        ..Particulars::default()
    };
    for (instrument, particulars) in [
        (by_token_and_code(), Particulars::default()),
        (card(), Particulars::default()),
        (card(), mandate),
    ] {
        let grants_mandate = particulars.mandate.is_some();
        let mut story = Story::create(Changes {
            particulars,
            ..saved_for(FutureUsage::OffSession, Automatic)
        });
        let confirmed_at = story.now;
        let changes = Changes {
            instrument,
            ..consents()
        };
        confirm(&mut story, changes);
        story.answer(AUTHORIZE, pending());
        story.now = story.now.plus_seconds(3 * 86_400).expect("a moment");
        let fact = Fact {
            about: AUTHORIZE.key(&story.payment).expect("an authorization"),
            outcome: done(),
        };
        let approved = story.try_input(Input::Fact(fact)).expect("a step");
        let consents = approved.effects.into_iter().filter_map(consented_at);
        let expected = if grants_mandate {
            story.now
        } else {
            confirmed_at
        };
        assert_eq!(consents.collect::<Vec<Timestamp>>(), [expected]);
    }
}

/// Returns the time of the consent that comes with an effect.
fn consented_at(effect: Effect) -> Option<Timestamp> {
    if let Effect::Method(
        MethodEffect::Used {
            consented_at,
            agreed: Some(_),
            ..
        }
        | MethodEffect::Save { consented_at, .. },
    ) = effect
    {
        Some(consented_at)
    } else {
        None
    }
}

#[test]
fn of_token_and_card_the_later_one_pays() {
    let token = || by_token(Some(saved("10", "2035")));
    let mut story = Story::create(of_customer(purchase(Automatic)));
    story.update(Changes {
        instrument: token(),
        ..Changes::default()
    });
    assert!(!story.payment.holds_card);
    story.update(with_card());
    assert!(story.payment.holds_card);
    assert_eq!(story.payment.active().method, None);
    assert_snapshot!(shown(&story), @r"
    create                             requires_confirmation                     6540 left    - received
    update                             requires_confirmation                     6540 left    - received  [forget the card]
    update                             requires_confirmation                     6540 left    - received
    attempt 1: confirmation_awaited
    saved as nothing, manual
    ");
}

fn charges(found: FoundMethod) -> Changes {
    Changes {
        instrument: InstrumentInput {
            recurring: Some(RecurringInput::Method {
                id: "pm_1".to_owned(),
                found,
            }),
            ..InstrumentInput::default()
        },
        particulars: away(),
        ..Changes::default()
    }
}

fn away() -> Particulars {
    Particulars {
        off_session: Some(true),
        ..Particulars::default()
    }
}

fn agreed(recurs: bool) -> FoundMethod {
    let found = saved("10", "2035");
    FoundMethod::Method(Box::new(ChargedMethod {
        payment_method_id: found.payment_method_id,
        data: found.data,
        payment_method_type: None,
        billing: None,
        recurs,
        network_transaction_id: Some("nti_1".to_owned()),
        connector_mandates: Vec::new(),
        consent: None,
        agreed_through: None,
    }))
}

#[test]
fn what_the_payer_agreed_to_is_charged_without_his_code() {
    let order = || of_customer(purchase(Automatic));
    let mut story = Story::create(order());
    confirm(&mut story, charges(FoundMethod::NoCustomer));
    confirm(&mut story, charges(FoundMethod::Nothing));
    confirm(&mut story, charges(agreed(false)));
    confirm(
        &mut story,
        Changes {
            particulars: Particulars::default(),
            ..charges(agreed(true))
        },
    );
    confirm(
        &mut story,
        Changes {
            setup_future_usage: Some(FutureUsage::OnSession),
            ..charges(agreed(true))
        },
    );
    confirm(
        &mut story,
        Changes {
            particulars: Particulars {
                mit_category: Some(MitCategory::Recurring),
                ..Particulars::default()
            },
            ..Changes::default()
        },
    );
    confirm(&mut story, charges(agreed(true)));
    assert!(!story.payment.active().card_code_missing);
    let recurring = story.payment.active().recurring.clone();
    let reference = recurring.and_then(|recurring| recurring.network_transaction_id);
    assert_eq!(reference.as_deref(), Some("nti_1"));
    story.answer(AUTHORIZE, done());
    assert_snapshot!(shown(&story), @r"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, Missing: customer_id is required and was not given
    confirm                            refused, NotFound: there is no such payment method
    confirm                            refused, NotAgreed: that can't be charged without its payer: its payer did not consent to charges in their absence: save it with setup_future_usage off_session
    confirm                            refused, Precondition: recurring_details is for charges without the payer: off_session has to be true
    confirm                            refused, Precondition: recurring_details charges without the payer, who can't agree to setup_future_usage
    confirm                            refused, Precondition: mit_category is for charges without the payer: off_session has to be true
    confirm                            processing                                   0 left    0 received  [ask to authorize]  [forget the card]
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [note the use]
    attempt 1: charged, authorize done
    saved as pm_1, saved_card
    ");
}

/// Members that didn't come with the token are stored data of that time, and the confirm doesn't repeat them.
#[test]
fn a_token_tells_what_was_said_with_it() {
    let said = |holder: Option<&str>, line1: Option<&str>| {
        let billing = line1.map(|line1| serde_json::json!({"address": {"line1": line1}}));
        let input = InstrumentInput {
            token_holder_name: holder.map(str::to_owned),
            billing: billing.map(|it| serde_json::from_value(it).expect("an address")),
            ..by_token_and_code()
        };
        let story = Story::create(of_customer(Changes {
            instrument: input,
            ..purchase(Automatic)
        }));
        let method = story.payment.active().method.as_deref();
        let method = method.expect("a method");
        (method.holder_was_given, method.billing_was_given)
    };
    assert_eq!(said(None, None), (Some(false), Some(false)));
    assert_eq!(said(Some(""), None), (Some(false), Some(false)), "no name");
    assert_eq!(said(Some("Ada"), Some("1 Row")), (Some(true), Some(true)));
}

/// A saved card is charged as a stored credential.
#[test]
fn a_saved_card_is_charged_as_a_stored_one() {
    let told = |changes: Changes| {
        let mut story = Story::create(of_customer(purchase(Automatic)));
        story.confirm_with(changes);
        let details = story.payment.details(story.payment.active());
        details.initiation.is_stored_credential
    };
    let by_saved = || Changes {
        instrument: by_token_and_code(),
        ..Changes::default()
    };
    let said = |said| Particulars {
        is_stored_credential: Some(said),
        ..Particulars::default()
    };
    assert_eq!(told(by_saved()), Some(true));
    assert_eq!(
        told(Changes {
            particulars: said(false),
            ..by_saved()
        }),
        Some(true)
    );
    assert_eq!(told(with_card()), None);
    assert_eq!(
        told(Changes {
            particulars: said(true),
            ..with_card()
        }),
        Some(true)
    );
}
