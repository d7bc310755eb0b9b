use std::collections::BTreeSet;

use multirail_domain::accounts::organization::OrganizationType;
use multirail_domain::accounts::profile::link_look::{DetailsLayout, FormLabels};
use multirail_domain::payments::dispute::{DisputeActionKind, DisputeStatus};
use multirail_domain::payments::offer::FieldType;
use multirail_domain::payments::payment::CardDiscovery;
use multirail_domain::payments::session::google_pay::AddressFormat;
use multirail_domain::routing::Dropped;
use multirail_domain::routing::program::ThreeDsDecision;
use multirail_kernel::event::{EventClass, EventType};
use multirail_sdk::charge::DeviceDataCollected;
use multirail_sdk::connector::OperationKind;

use super::*;

#[test]
fn countries_are_those_of_the_document() {
    let own: BTreeSet<_> = CountryCode::all().map(ToWire::to_wire).collect();
    let wire: BTreeSet<_> = types::CountryCode::ALL.iter().cloned().collect();
    assert_eq!(own, wire);
}

#[test]
fn a_text_is_read_by_the_words_of_the_document() {
    let read = text_word::<types::Currency, Currency>;
    assert_eq!(read("EUR"), Some(Currency::EUR));
    assert_eq!(read("eur"), None);
    assert_eq!(text_word::<types::CountryCode, CountryCode>("XX"), None);
}

/// A listed pair could join two different words.
#[test]
fn pairs_have_one_word() {
    fn same<W: AsRef<str>, D: ToWire<W>>(own: &[D], word: fn(D) -> &'static str) {
        for one in own {
            assert_eq!(one.to_wire().as_ref(), word(*one));
        }
    }
    macro_rules! all {
        ($($wire:ident $domain:ident;)+) => {
            $(same::<types::$wire, $domain>($domain::ALL, $domain::as_str);)+
        };
    }
    all! {
        CardDiscovery CardDiscovery;
        DisputeStatus DisputeStatus;
        DroppedBecause Dropped;
        EventClass EventClass;
        EventType EventType;
        GooglePayBillingAddressFormat AddressFormat;
        OperationKind DisputeActionKind;
        OperationKind OperationKind;
        OrganizationType OrganizationType;
        PaymentLinkDetailsLayout DetailsLayout;
        PaymentLinkLabels FormLabels;
        RequiredFieldType FieldType;
        ThreeDsCompletionIndicator DeviceDataCollected;
        ThreeDsDecision ThreeDsDecision;
    }
}
