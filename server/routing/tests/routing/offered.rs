//! A wallet's token goes to the account that offered the wallet in the checkout.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{
    CaptureMethod, Instrument, InstrumentDetails, OfferedThrough, Payment, WalletDetails,
};
use multirail_domain::routing::elimination::{EliminationConfig, Full};
use multirail_domain::routing::{Dynamic, Elimination, RoutedBy};
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::{choose, learned};
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::instrument::InstrumentHolder;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::wallet::Wallet;
use serde_json::json;

use crate::properties::record;
use crate::support::{candidate, create, purchase};

fn account(place: usize) -> multirail_kernel::ids::ConnectorAccountId {
    format!("mca_{place}").parse().expect("an id")
}

fn accounts() -> Vec<Candidate> {
    let of = |place: usize| {
        let mut able = candidate("stripe_test", &format!("mca_{place}"), json!({}));
        able.capabilities.payment_methods = &[PaymentMethod::Card, PaymentMethod::Wallet];
        able.capabilities.wallets = WalletAbilities {
            opens_sealed: &[Wallet::GooglePay, Wallet::ApplePay],
            ..WalletAbilities::NONE
        };
        able
    };
    (0..3).map(of).collect()
}

/// Builds a payment with this wallet, which the account at this place offered.
fn paid_with(wallet: Wallet, offered: Wallet, place: usize) -> Payment {
    let created = create(purchase(CaptureMethod::Automatic));
    let mut payment = created.expect("a payment").payment;
    payment.attempts[0].instrument = Some(Instrument {
        payment_method: PaymentMethod::Wallet,
        payment_method_type: None,
        details: InstrumentDetails::Wallet(WalletDetails {
            wallet,
            last4: None,
            card_network: None,
            kind: None,
            is_open: None,
            unread: UnreadMembers::default(),
        }),
        holder: InstrumentHolder::default(),
        unread: UnreadMembers::default(),
    });
    payment.offered.push(OfferedThrough {
        wallet: offered,
        merchant_connector_id: account(place),
        unread: UnreadMembers::default(),
    });
    payment
}

#[test]
fn it_goes_first_whatever_chance_rules_and_outcomes_say() {
    let candidates = accounts();
    let payment = paid_with(Wallet::GooglePay, Wallet::GooglePay, 1);
    let share = |place: usize| json!({"connector": {"connector": "stripe_test", "merchant_connector_id": format!("mca_{place}")}, "split": 50});
    let split = record(&json!({"type": "volume_split", "data": [share(0), share(2)]}));
    let counted = Dynamic {
        split: 100,
        success_rates: None,
        elimination: Some(Elimination {
            config: EliminationConfig::default(),
            full: vec![Full {
                parameters: "wallet".to_owned(),
                account: account(1),
            }],
        }),
    };
    let instrument = payment.instrument().expect("a wallet");
    for draw in [0, 1, u32::MAX / 2, u32::MAX] {
        for active in [None, Some(&split)] {
            let routed = choose(
                &payment.facts(Some(instrument)),
                instrument,
                &candidates,
                active,
                draw,
            )
            .expect("a route");
            assert_eq!(routed.trace.by, RoutedBy::Session);
            let routed = learned(
                routed,
                &payment.facts(payment.instrument()),
                Some(&counted),
                draw,
            );
            assert_eq!(routed.first().account.merchant_connector_id, account(1));
            assert_eq!(routed.eligible.len(), 3, "nobody is lost");
        }
    }
}

#[test]
fn another_wallet_or_another_wish_of_the_merchants_is_not_bound() {
    let candidates = accounts();
    let other = paid_with(Wallet::ApplePay, Wallet::GooglePay, 1);
    let instrument = other.instrument().expect("a wallet");
    let routed = choose(
        &other.facts(Some(instrument)),
        instrument,
        &candidates,
        None,
        0,
    )
    .expect("a route");
    assert_eq!(routed.trace.by, RoutedBy::Default);
    assert_eq!(routed.first().account.merchant_connector_id, account(0));
    let mut asks = paid_with(Wallet::GooglePay, Wallet::GooglePay, 1);
    let routing = json!({"type": "single", "data": {"connector": "stripe_test", "merchant_connector_id": "mca_2"}});
    asks.terms.routing = Some(serde_json::from_value(routing).expect("routing"));
    let instrument = asks.instrument().expect("a wallet");
    let routed = choose(
        &asks.facts(Some(instrument)),
        instrument,
        &candidates,
        None,
        0,
    )
    .expect("a route");
    assert_eq!(routed.trace.by, RoutedBy::Request);
    assert_eq!(routed.first().account.merchant_connector_id, account(2));
}
