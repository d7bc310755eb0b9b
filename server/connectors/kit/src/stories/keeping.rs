//! The story of a saved card that is charged without its payer.

use multirail_sdk::charge::FutureUsage;
use multirail_sdk::connector::details::{Details, Initiation, Payer};
use multirail_sdk::connector::{Approval, AuthorizeRequest, KeepCustomerRequest};
use multirail_sdk::instrument::PaymentMethodData;

use super::asked::Authorization;
use super::difference::{Difference, done_for};
use super::stage::{RETURN_URL, Stage};
use crate::test_mode::CardThat;

/// Sells to a payer who agrees to later charges, and charges again: with the scheme's reference and the card, which works at any
/// processor, and with the processor's stored instrument. Returns the later charges.
///
/// # Errors
/// Every other outcome, and a payment that can't be continued.
pub async fn charged_again(stage: &dyn Stage) -> Result<Vec<Authorization>, Difference> {
    let agrees = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    let (_, agreed) = sells(stage, true, by_ada(agrees)).await?;
    let by_scheme = agreed.network_transaction_id.map(|reference| Initiation {
        network_transaction_id: Some(reference),
        ..Initiation::default()
    });
    let by_processor = agreed.mandate.map(|mandate| Initiation {
        mandate: Some(*mandate),
        ..Initiation::default()
    });
    let mut charges = Vec::new();
    for initiation in by_scheme.into_iter().chain(by_processor) {
        let later = Initiation {
            off_session: Some(true),
            ..initiation
        };
        charges.push(sells(stage, false, by_ada(later)).await?.0);
    }
    if charges.is_empty() {
        let expected = "the scheme's reference or a stored instrument";
        return Err(Difference::new(expected, "neither"));
    }
    Ok(charges)
}

fn by_ada(initiation: Initiation) -> Details {
    Details {
        initiation,
        payer: Payer {
            customer_id: Some("ada".to_owned()),
            email: Some("ada@shopper.example".to_owned()),
            ..Payer::default()
        },
        ..Details::default()
    }
}

/// Sells with these details. The code of a card is never stored, so that later charges come without it.
async fn sells(
    stage: &dyn Stage,
    with_code: bool,
    mut details: Details,
) -> Result<(Authorization, Approval), Difference> {
    add_customer(stage, &mut details).await?;
    let asked = stage.authorize(CardThat::IsApproved, true);
    let mut card = stage.card(CardThat::IsApproved);
    if !with_code {
        card.code = None;
    }
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: stage.access(),
        money: asked.money,
        capture: true,
        data: PaymentMethodData::Card(card),
        return_url: RETURN_URL.to_owned(),
        details,
    };
    let approval = done_for(stage.connector().authorize(request).await, asked.money)?;
    let authorization = Authorization {
        reference: approval.reference.clone(),
        ..asked.authorization()
    };
    Ok((authorization, approval))
}

/// Adds the customer for whom the card is stored, if the processor has customers.
async fn add_customer(stage: &dyn Stage, details: &mut Details) -> Result<(), Difference> {
    let keeps = stage.connector().able(|able| able.keeps_customers);
    let Some(keeps) = keeps.filter(|_| details.keeps()) else {
        return Ok(());
    };
    let request =
        KeepCustomerRequest::for_payer(&stage.access(), "mca_1", &details.payer, stage.now());
    let Some(request) = request else {
        return Ok(());
    };
    let id = keeps.keep_customer(request).await;
    let id = id.map_err(|why| Difference::new("a customer", format!("no answer ({why})")))?;
    details.payer.connector_customer_id = Some(id);
    Ok(())
}
