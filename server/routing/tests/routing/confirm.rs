//! Confirms whose payment asks for something that an account may lack.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, InstrumentInput, Particulars, PayerDetails,
};
use multirail_kernel::address::{Address, Place};
use multirail_kernel::country::CountryCode;
use multirail_routing::BuiltIn;
use serde_json::json;

use crate::support::story::Story;
use crate::support::{candidate, card, purchase};

/// Begins a payment that these rules route.
fn routed(changes: Changes) -> Story {
    let mut story = Story::create(changes);
    story.routing = &BuiltIn;
    story
}

fn wishing_longer(capture_method: CaptureMethod) -> Story {
    routed(Changes {
        particulars: Particulars {
            request_extended_authorization: Some(true),
            ..Particulars::default()
        },
        ..purchase(capture_method)
    })
}

fn wishing_overcapture() -> Story {
    routed(Changes {
        enable_overcapture: Some(true),
        ..purchase(Manual)
    })
}

#[test]
fn who_cannot_ask_for_a_longer_time_is_passed_over() {
    let mut story = wishing_longer(Manual);
    let able = story.candidates[0].clone();
    story.candidates[0].capabilities.extends_authorizations = false;
    story.confirm();
    assert_eq!(story.payment.status.as_str(), "requires_confirmation");
    let mut named = able.clone();
    std::sync::Arc::make_mut(&mut named.account).merchant_connector_id =
        multirail_kernel::ids::ConnectorAccountId::parse("mca_2").expect("an id");
    story.candidates.push(named);
    story.confirm();
    let account = story.payment.active().merchant_connector_id.clone();
    assert_eq!(account.map(|id| id.to_string()).as_deref(), Some("mca_2"));
    let mut at_once = wishing_longer(Automatic);
    at_once.candidates[0].capabilities.extends_authorizations = false;
    at_once.confirm();
    assert_eq!(at_once.payment.status.as_str(), "processing");
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, FlowNotSupported: request_extended_authorization through the connectors of the profile is not supported
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    attempt 1: started, authorize started
    ");
}

#[test]
fn who_cannot_ask_for_overcapture_is_passed_over() {
    let mut story = wishing_overcapture().afresh();
    story.candidates[0].capabilities.overcaptures = false;
    story.confirm();
    assert_snapshot!(story.page(), @"
    confirm                            refused, FlowNotSupported: enable_overcapture through the connectors of the profile is not supported
    attempt 1: confirmation_awaited
    ");
    story.candidates[0].capabilities.overcaptures = true;
    story.confirm();
    let details = story.payment.details(story.payment.active());
    assert!(details.may_be_exceeded);
}

/// Returns an address at this place.
pub(crate) fn at(place: Place) -> Option<Box<Address>> {
    Some(Box::new(Address {
        address: Some(place),
        ..Address::default()
    }))
}

/// The profile may keep the payment's address apart from that of the instrument, which has no country here, or is missing.
#[test]
fn an_address_that_stays_apart_excludes_no_account() {
    let dutch = Place {
        country: Some(CountryCode::known("NL")),
        ..Place::default()
    };
    let in_leiden = Place {
        city: Some("Leiden".to_owned()),
        ..Place::default()
    };
    let not_there = json!({ "payment_methods_enabled": [{
        "payment_method": "card", "accepted_countries": { "type": "disable_only", "list": ["NL"] },
    }] });
    let ends = |own: Option<Box<Address>>, keeps_billing_apart| {
        let mut story = routed(Changes {
            instrument: InstrumentInput {
                billing: own,
                ..card()
            },
            payer: PayerDetails {
                billing: at(dutch.clone()),
                ..PayerDetails::default()
            },
            ..purchase(Automatic)
        });
        story.candidates = vec![candidate("stripe_test", "mca_1", not_there.clone())];
        story.wishes.keeps_billing_apart = keeps_billing_apart;
        story.confirm();
        story.payment.status.as_str().to_owned()
    };
    assert_eq!(ends(at(in_leiden.clone()), false), "requires_confirmation");
    assert_eq!(ends(at(in_leiden), true), "processing");
    // No processor gets the payment's address, so it excludes none.
    assert_eq!(ends(None, true), "processing");
}
