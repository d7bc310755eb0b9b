//! Updating payments.

use insta::assert_snapshot;
use multirail_domain::payments::payment::{CaptureMethod, Changes};
use multirail_kernel::currency::Currency;
use multirail_sdk::browser::Browser;
use serde_json::json;

use crate::support::outcomes::done;
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{create, with_card};

use crate::create::{bare, notes_of, said, saying};

#[test]
fn an_update_lays_over_what_is_known_and_follows_the_instrument() {
    let mut story = Story::create(bare());
    story.update(Changes {
        amount: Some(700),
        ..Changes::default()
    });
    story.update(with_card());
    story.update(Changes {
        order_tax_amount: Some(70),
        capture_method: Some(CaptureMethod::Manual),
        ..Changes::default()
    });
    assert_snapshot!(story.page(), @"
    create                             requires_payment_method                   6540 left    - received
    update                             requires_payment_method                    700 left    - received
    update                             requires_confirmation                      700 left    - received
    update                             requires_confirmation                      770 left    - received
    attempt 1: confirmation_awaited
    ");
    assert!(story.payment.holds_card);
    assert_eq!(story.payment.terms.currency, Currency::USD);
}

#[test]
fn an_update_that_is_refused_changes_nothing() {
    let mut story = Story::created(CaptureMethod::Automatic);
    let before = story.payment.clone();
    story.update(Changes {
        amount: Some(-1),
        ..Changes::default()
    });
    assert_eq!(story.payment, before);
}

#[test]
fn a_payment_that_was_sent_is_not_updated() {
    let mut story = Story::created(CaptureMethod::Automatic);
    story.confirm();
    story.update(Changes {
        amount: Some(1),
        ..Changes::default()
    });
    story.answer(AUTHORIZE, done());
    story.update(Changes::default());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    update                             refused, Precondition: a payment whose status is processing can't be updated any more
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]
    update                             refused, Precondition: a payment whose status is succeeded can't be updated any more
    attempt 1: charged, authorize done
    ");
}

#[test]
fn an_update_replaces_what_it_says_and_keeps_the_rest() {
    let created = create(saying(
        said(json!({
            "description": "shoes",
            "billing": {"address": {"city": "Lagos", "country": "NG"}, "email": "ada@example.com"},
            "off_session": true,
            "metadata": {"order": 1},
            "capture_on": "2026-02-05T10:11:12.345Z",
        })),
        bare(),
    ));
    let mut story = Story::create(bare());
    story.payment = created.expect("a payment").payment;
    story.update(saying(
        said(json!({
            "description": "boots",
            "billing": {"address": {"country": "GH"}},
            "metadata": {"size": 43},
        })),
        Changes::default(),
    ));
    assert_eq!(
        notes_of(&story.payment),
        json!({
            "description": "boots",
            "billing": {"address": {"country": "GH"}},
            "off_session": true,
            "metadata": {"size": 43},
            "capture_on": "2026-02-05T10:11:12.345Z",
        })
    );
}

#[test]
fn a_browser_adds_what_was_not_said_of_it() {
    let shown = |user_agent: &str| {
        let browser = Browser {
            ip_address: Some("203.0.113.9".to_owned()),
            user_agent: Some(user_agent.to_owned()),
            ..Browser::default()
        };
        Some(Box::new(browser))
    };
    let mut story = Story::create(Changes {
        payer: said(json!({"browser_info": {"user_agent": "Said/1.0", "language": "en-NG"}})).payer,
        ..bare()
    });
    story.update(Changes {
        browser: shown("Shown/1.0"),
        ..Changes::default()
    });
    assert_eq!(
        notes_of(&story.payment),
        json!({"browser_info": {"user_agent": "Said/1.0", "language": "en-NG", "ip_address": "203.0.113.9"}})
    );

    let mut story = Story::create(bare());
    story.update(Changes {
        browser: shown("Shown/1.0"),
        ..Changes::default()
    });
    assert_eq!(
        notes_of(&story.payment),
        json!({"browser_info": {"user_agent": "Shown/1.0", "ip_address": "203.0.113.9"}})
    );
}
