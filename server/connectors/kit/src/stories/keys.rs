//! Stories of credentials and of our keys.

use multirail_sdk::connector::{AccountCheck, Finding};

use super::asked::Asked;
use super::difference::{Difference, done_for, finding};
use super::stage::{Stage, finish, look_up};
use crate::test_mode::CardThat;

/// The processor accepts the credentials.
///
/// # Errors
/// Every other answer.
pub async fn credentials_accepted(stage: &dyn Stage) -> Result<(), Difference> {
    let got = match stage.connector().check(stage.access()).await {
        AccountCheck::Accepted => return Ok(()),
        AccountCheck::Refused { message } => format!("refused ({message})"),
        AccountCheck::NotKnown(why) => format!("no answer that can be trusted ({why})"),
    };
    Err(Difference::new("accepted", got))
}

/// A repeated request has the first one's outcome and reference. Returns the request.
///
/// # Errors
/// Every other outcome.
pub async fn repeated_key(stage: &dyn Stage) -> Result<Asked, Difference> {
    let asked = stage.authorize(CardThat::IsApproved, true);
    let first = done_for(finish(stage, &asked).await, asked.money)?;
    let again = done_for(finish(stage, &asked).await, asked.money)?;
    if again.reference != first.reference {
        let shown = |reference: Option<String>| reference.unwrap_or_else(|| "none".to_owned());
        return Err(Difference::new(
            format!("the reference {}", shown(first.reference)),
            shown(again.reference),
        ));
    }
    Ok(asked)
}

/// A key that was never used isn't found.
///
/// # Errors
/// Every other finding.
pub async fn unknown_key(stage: &dyn Stage) -> Result<(), Difference> {
    let asked = stage.authorize(CardThat::IsApproved, true);
    match look_up(stage, &asked, None, None).await {
        Finding::Absent { .. } => Ok(()),
        found => Err(Difference::new("nothing found", finding(&found))),
    }
}
