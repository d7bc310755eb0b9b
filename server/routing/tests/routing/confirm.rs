//! Confirms whose payment asks for something that an account may lack.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{CaptureMethod, Changes, Particulars};
use multirail_routing::BuiltIn;

use crate::support::purchase;
use crate::support::story::Story;

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
