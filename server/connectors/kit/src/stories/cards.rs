//! Stories of payments by card.

use multirail_sdk::connector::{DeclineCategory, DeclineGroup, Outcome, Recovery};

use super::asked::{Asked, Authorization};
use super::difference::{Difference, described, done_for, refused_for_good};
use super::stage::{Stage, finish, recovery, send};
use crate::test_mode::CardThat;

/// A card is charged. Returns the authorization.
///
/// # Errors
/// Every other outcome, and an approval without the processor's reference.
pub async fn paid_at_once(stage: &dyn Stage) -> Result<Authorization, Difference> {
    approved(stage, true).await
}

/// The price is reserved.
///
/// # Errors
/// As [`paid_at_once`].
pub async fn reserved(stage: &dyn Stage) -> Result<Authorization, Difference> {
    approved(stage, false).await
}

async fn approved(stage: &dyn Stage, capture: bool) -> Result<Authorization, Difference> {
    let asked = stage.authorize(CardThat::IsApproved, capture);
    let approval = done_for(finish(stage, &asked).await, asked.money)?;
    if approval.reference.is_none() {
        return Err(Difference::new("the processor's reference", "none"));
    }
    Ok(Authorization {
        reference: approval.reference,
        ..asked.authorization()
    })
}

/// Reserves the price, and captures this amount.
///
/// # Errors
/// Every other outcome.
pub async fn captured(stage: &dyn Stage, amount_minor: i64) -> Result<Authorization, Difference> {
    let reserved = reserved(stage).await?;
    follows(stage, &stage.capture(&reserved, amount_minor)).await?;
    Ok(reserved)
}

/// Reserves the price, and releases it.
///
/// # Errors
/// Every other outcome.
pub async fn released(stage: &dyn Stage) -> Result<Authorization, Difference> {
    let reserved = reserved(stage).await?;
    let void = stage.void(&reserved);
    match finish(stage, &void).await {
        Outcome::Done(_) => Ok(reserved),
        other if is_told_later(stage, &void, &other) => Ok(reserved),
        other => Err(Difference::new("done", described(&other))),
    }
}

/// Sells, and refunds these amounts.
///
/// # Errors
/// Every other outcome, and a refund without a reference of its own.
pub async fn refunded(stage: &dyn Stage, amounts: &[i64]) -> Result<Authorization, Difference> {
    let sold = paid_at_once(stage).await?;
    for amount in amounts {
        let reference = follows(stage, &stage.refund(&sold, *amount)).await?;
        if reference.is_none() || reference == sold.reference {
            let got = reference.unwrap_or_else(|| "none".to_owned());
            return Err(Difference::new("a reference of the refund", got));
        }
    }
    Ok(sold)
}

/// Carries out an operation on an authorization. Returns the processor's reference.
async fn follows(stage: &dyn Stage, asked: &Asked) -> Result<Option<String>, Difference> {
    let outcome = finish(stage, asked).await;
    if is_told_later(stage, asked, &outcome)
        && let Outcome::Pending { reference } = outcome
    {
        return Ok(reference);
    }
    Ok(done_for(outcome, asked.money)?.reference)
}

/// Returns whether only a notice tells the result, and none can arrive.
fn is_told_later(stage: &dyn Stage, asked: &Asked, outcome: &Outcome) -> bool {
    let by_look_up = matches!(
        recovery(stage.connector(), asked.kind()),
        Recovery::LookUp(_)
    );
    matches!(outcome, Outcome::Pending { .. }) && !by_look_up && !stage.hears_notices()
}

/// A card is refused by its issuer. Returns the request.
///
/// # Errors
/// Every other outcome, and a refusal that isn't about the card.
pub async fn declined(stage: &dyn Stage, capture: bool) -> Result<Asked, Difference> {
    let asked = stage.authorize(CardThat::IsDeclined, capture);
    let decline = refused_for_good(finish(stage, &asked).await)?;
    let group = decline.category.map(DeclineCategory::group);
    let is_about_the_card = group == Some(DeclineGroup::PaymentMethod)
        && !decline.in_authentication
        && !decline.authorization_gone;
    if !is_about_the_card || decline.code.is_empty() || decline.message.is_empty() {
        let got = described(&Outcome::Declined(decline));
        return Err(Difference::new(
            "a refusal of the card, with code and message",
            got,
        ));
    }
    Ok(asked)
}

/// A payment whose payer is sent to a page.
///
/// # Errors
/// Every other outcome.
pub async fn authenticated_by_payer(
    stage: &dyn Stage,
    capture: bool,
) -> Result<(Asked, Option<String>, String), Difference> {
    let asked = stage.authorize(CardThat::AsksThePayer, capture);
    let card = |wanted| stage.card(wanted);
    let outcome = send(stage.connector(), stage.access(), card, &asked).await;
    let (reference, page) = page_of(outcome)?;
    Ok((asked, reference, page))
}

/// Returns the processor's reference and the page of a payer's step.
fn page_of(outcome: Outcome) -> Result<(Option<String>, String), Difference> {
    let got = described(&outcome);
    let Outcome::CustomerMustAct { reference, step } = outcome else {
        return Err(Difference::new("a page for the payer", got));
    };
    let page = step.url().map(str::to_owned);
    let page = page.ok_or_else(|| Difference::new("a page for the payer", "a step without one"))?;
    Ok((reference, page))
}
