use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{AuthorizeRequest, OperationKind, Outcome, Payments};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_simulator::pages;
use multirail_simulator::processor::{Totals, VoidKind};

use super::{THREE_DS, VISA, declined, done, redirect};
use crate::simulator::fixture::{Bench, RETURN_URL, authorize_request};

fn totals(bench: &Bench) -> Totals {
    bench.processor.ledger().totals().expect("totals")["a"].clone()
}

fn kinds(bench: &Bench) -> Vec<(VoidKind, i64)> {
    let voids = bench.processor.ledger().voids().expect("a list");
    voids.iter().map(|void| (void.kind, void.amount)).collect()
}

#[tokio::test]
async fn a_void_sets_free_what_is_not_captured() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    done(bench.capture("c", "a", 2000, false).await);
    assert_eq!(done(bench.void("v", "a").await), 4540);
    let expected = Totals {
        authorized: 6540,
        captured: 2000,
        released: 4540,
        reversed: 0,
        refunded: 0,
    };
    assert_eq!(totals(&bench), expected);
    assert_eq!(done(bench.look_up(OperationKind::Void, "v").await), 4540);
    let found = bench.look_up(OperationKind::Authorize, "a").await;
    assert_eq!(done(found), 6540, "the authorization itself was approved");
}

#[tokio::test]
async fn a_second_void_finds_nothing_to_do() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    assert_eq!(done(bench.void("v1", "a").await), 6540);
    assert_eq!(done(bench.void("v2", "a").await), 0);
    assert_eq!(totals(&bench).released, 6540);
}

#[tokio::test]
async fn a_sale_is_given_back_once() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    assert_eq!(done(bench.void("v1", "a").await), 6540);
    assert_eq!(done(bench.void("v2", "a").await), 0);
    assert_eq!(
        kinds(&bench),
        [(VoidKind::Reversal, 6540), (VoidKind::Reversal, 0)]
    );
    assert_eq!(
        (totals(&bench).captured, totals(&bench).reversed),
        (6540, 6540)
    );
}

#[tokio::test]
async fn a_fully_or_finally_captured_payment_cannot_be_voided() {
    for (amount, is_final) in [(6540, false), (6540, true), (2000, true)] {
        let bench = Bench::new("stripe_test");
        done(bench.reserve("a", VISA).await);
        done(bench.capture("c", "a", amount, is_final).await);
        assert_eq!(declined(bench.void("v", "a").await).code, "DC_06");
        assert_eq!(
            declined(bench.look_up(OperationKind::Void, "v").await).code,
            "DC_06"
        );
    }
}

#[tokio::test]
async fn nothing_and_the_declined_cannot_be_voided() {
    let bench = Bench::new("stripe_test");
    assert_eq!(declined(bench.void("v1", "nothing").await).code, "DC_01");
    declined(bench.sale("a", "4000000000000002").await);
    assert_eq!(declined(bench.void("v2", "a").await).code, "DC_06");
    let found = bench.look_up(OperationKind::Void, "v3").await;
    assert!(matches!(found, Outcome::NeverHappened { .. }));
}

#[tokio::test]
async fn after_a_void_the_payer_cannot_approve_any_more() {
    let bench = Bench::new("stripe_test");
    let url = redirect(bench.sale("a", THREE_DS).await);
    let token = url.rsplit('/').next().expect("a token");
    assert_eq!(done(bench.void("v", "a").await), 0);
    assert_eq!(pages::show(&bench.processor, token).status, 410);
    let page = pages::complete(&bench.processor, token, Some("true"));
    assert_eq!(page.location.as_deref(), Some(RETURN_URL));
    let found = declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert_eq!(
        (found.code.as_str(), found.in_authentication),
        ("DC_06", false)
    );
    assert_eq!(totals(&bench), Totals::default());
}

#[tokio::test]
async fn a_void_keeps_a_pending_authorization_from_succeeding() {
    let bench = Bench::new("stripe_test");
    bench.sale("a", "4000000000000341").await;
    assert_eq!(done(bench.void("v", "a").await), 0);
    declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert_eq!(totals(&bench).captured, 0);
}

/// Returns a bench with a payment by this method, and the token of its payer's page.
async fn by_method(kind: PaymentMethodType, currency: Currency) -> (Bench, String) {
    let bench = Bench::new("fauxpay");
    let method = PayerMethod::new(kind);
    let request = AuthorizeRequest {
        money: Money::new(6540, currency),
        data: PaymentMethodData::Payer(Box::new(method.into())),
        ..authorize_request("a", VISA, 6540, true)
    };
    let outcome = bench.connector.authorize(request).await;
    assert!(
        matches!(outcome, Outcome::CustomerMustAct { .. }),
        "{outcome:?}"
    );
    let filed = bench.processor.ledger().authorizations().expect("a list");
    let token = filed[0].page_token.clone().expect("a page");
    (bench, token)
}

#[tokio::test]
async fn a_voucher_is_voided_until_it_is_paid_in_cash() {
    let (bench, token) = by_method(PaymentMethodType::Oxxo, Currency::MXN).await;
    assert_eq!(done(bench.void("v", "a").await), 0);
    assert_eq!(
        pages::complete(&bench.processor, &token, Some("true")).location,
        Some(RETURN_URL.to_owned())
    );
    assert_eq!(totals(&bench).captured, 0, "it came too late");

    let (bench, token) = by_method(PaymentMethodType::Oxxo, Currency::MXN).await;
    pages::complete(&bench.processor, &token, Some("true"));
    let refused = declined(bench.void("v", "a").await);
    assert_eq!(
        (refused.code.as_str(), refused.message.as_str()),
        (
            "DC_06",
            "A voucher is paid in cash, which can't be sent back"
        )
    );
    assert_eq!(
        (totals(&bench).captured, totals(&bench).reversed),
        (6540, 0)
    );
}

/// A transfer has an account that the money can go back to.
#[tokio::test]
async fn a_transfer_is_given_back() {
    let (bench, token) = by_method(PaymentMethodType::SepaBankTransfer, Currency::EUR).await;
    pages::complete(&bench.processor, &token, Some("true"));
    assert_eq!(done(bench.void("v", "a").await), 6540);
    assert_eq!(totals(&bench).reversed, 6540);
}
