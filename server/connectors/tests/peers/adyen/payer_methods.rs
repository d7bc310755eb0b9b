//! The methods that payers finish elsewhere.

use multirail_connector_kit::stories::payer;
use multirail_peers::adyen::LATE;
use multirail_sdk::connector::Outcome;
use multirail_sdk::connector::details::Payer;
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::PaymentMethodType;

use super::stories::{bench, summaries};
use crate::suite::bench::{Authorization, Bench, declined, done_for};
use crate::suite::cases::methods::{returns, sent_away_as};

fn rules(bench: &Bench, kind: PaymentMethodType) -> &'static PayerMethodRules {
    let capabilities = &bench.subject.description().capabilities;
    capabilities.payer_method(kind).expect("it is offered")
}

#[tokio::test]
async fn a_payer_cancels_and_another_ones_bank_is_late() {
    let bench = bench().await;
    let ideal = rules(&bench, PaymentMethodType::Ideal);
    let away = sent_away_as(&bench, ideal, true, payer(ideal)).await;
    let decline = declined(returns(&bench, &away, false).await);
    assert_eq!(
        (decline.code.as_str(), decline.message.as_str()),
        ("16", "Shopper Cancelled")
    );
    let late = Payer {
        email: Some(LATE.to_owned()),
        ..payer(ideal)
    };
    let away = sent_away_as(&bench, ideal, true, late).await;
    let pending = returns(&bench, &away, true).await;
    assert!(matches!(pending, Outcome::Pending { .. }), "{pending:?}");
    let told = bench.outcome_by_notice(&away.asked).await;
    done_for(told.expect("a notice"), away.asked.money);
    insta::assert_snapshot!(summaries(&bench).await.join("\n"), @"
    authorize by AUTHORISATION: declined 16: Shopper Cancelled
    authorize by AUTHORISATION: done, amount Some(6540)
    ");
}

/// Only notices tell what became of a step that the merchant shows.
#[tokio::test]
async fn a_voucher_is_paid_or_lapses_and_a_code_is_refused() {
    let bench = bench().await;
    let (boleto, blik) = (PaymentMethodType::Boleto, PaymentMethodType::Blik);
    let [boleto, blik] = [boleto, blik].map(|kind| rules(&bench, kind));
    let mut told = Vec::new();
    for (rules, pays) in [(boleto, true), (boleto, false), (blik, true), (blik, false)] {
        let away = sent_away_as(&bench, rules, true, payer(rules)).await;
        assert_eq!(bench.outcome_by_notice(&away.asked).await, None);
        match returns(&bench, &away, pays).await {
            Outcome::Done(approval) => {
                let paid = Authorization {
                    reference: approval.reference,
                    ..away.asked.authorization()
                };
                let refund = bench.refund(&paid, 540);
                told.push(matches!(bench.finish(&refund).await, Outcome::Done(_)));
            }
            Outcome::Declined(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(told, [false, true], "Adyen can't return cash");
    insta::assert_snapshot!(summaries(&bench).await.join("\n"), @"
    authorize by AUTHORISATION: done, amount Some(6540)
    refund by REFUND: declined REFUND: Refund not supported
    authorize by OFFER_CLOSED: declined OFFER_CLOSED: The processor gives no reason
    authorize by AUTHORISATION: done, amount Some(6540)
    refund by REFUND: done, amount Some(540)
    authorize by AUTHORISATION: declined 2: Refused
    ");
}
