//! The methods that payers finish at a page.

use multirail_peers::adyen::LATE;
use multirail_sdk::connector::Outcome;
use multirail_sdk::connector::details::Payer;
use multirail_sdk::payment_method::PaymentMethodType;

use super::stories::{bench, summaries};
use crate::suite::bench::{declined, done_for};
use crate::suite::cases::methods::{payer, returns, sent_away_as};

#[tokio::test]
async fn a_payer_cancels_and_another_ones_bank_is_late() {
    let bench = bench().await;
    let capabilities = &bench.subject.description().capabilities;
    let ideal = capabilities.payer_method(PaymentMethodType::Ideal);
    let ideal = ideal.expect("it is offered");
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
