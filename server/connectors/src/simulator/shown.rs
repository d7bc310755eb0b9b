//! Maps the steps that the simulated processor has the merchant show.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{ShownStep, StepForm};
use multirail_simulator_wire::{ShowBody, TransferAccount, TransferBody};

use crate::amounts::counted;
use crate::outcome::web_page;

/// Returns the step for a payment of this amount, or `None` for an answer that can't be read.
pub(super) fn step(shows: ShowBody, amount: i64) -> Option<ShownStep> {
    Some(match shows {
        ShowBody::QrCode { text, page } => ShownStep {
            text: Some(text),
            url: Some(web_page(Some(page))?),
            ..ShownStep::new(StepForm::QrCode)
        },
        ShowBody::WaitScreen { from } => ShownStep {
            shown_from: Some(Timestamp::parse_rfc3339(&from).ok()?),
            ..ShownStep::new(StepForm::WaitScreen)
        },
        ShowBody::Voucher { reference, page } => ShownStep {
            text: Some(reference),
            url: Some(web_page(Some(page))?),
            ..ShownStep::new(StepForm::Voucher)
        },
        ShowBody::Transfer(transfer) => of_transfer(transfer, amount)?,
    })
}

fn of_transfer(transfer: TransferBody, amount: i64) -> Option<ShownStep> {
    let TransferBody {
        reference,
        page,
        received,
        entity,
        account,
    } = transfer;
    let received = counted(received)?;
    let step = ShownStep {
        text: Some(reference),
        url: Some(web_page(Some(page))?),
        entity,
        amount_received: Some(received),
        amount_remaining: Some(amount.checked_sub(received)?),
        ..ShownStep::new(StepForm::BankTransfer)
    };
    let Some(TransferAccount {
        iban,
        bic,
        holder,
        country,
    }) = account
    else {
        return Some(step);
    };
    Some(ShownStep {
        iban: Some(iban),
        bic: Some(bic),
        holder: Some(holder),
        country: Some(country.parse().ok()?),
        ..step
    })
}
