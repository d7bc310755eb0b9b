//! The payer's next step. (Facts 1.6)

use multirail_app::operations::questions::PAUSE;
use multirail_domain::payments::payment::Attempt;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{ShownStep, StepForm};
use multirail_types as types;
use multirail_types::NextActionType;

use super::qr_code::image_data_url;
use crate::platform::convert::words::ToWire;

/// Seconds between two questions of a payer's client. The server asks the processor no more often.
const POLL_SECONDS: i64 = PAUSE.as_secs() as i64;

/// Returns the step that an attempt waits for: a visit of a page, data of the payer's device, or something that the
/// merchant shows.
pub(super) fn next_action(
    attempt: &Attempt,
    redirect_to_url: Option<&str>,
    complete_url: Option<&str>,
) -> Option<types::NextAction> {
    if let Some(url) = redirect_to_url {
        return Some(types::NextAction {
            redirect_to_url: Some(url.to_owned()),
            ..action(NextActionType::RedirectToUrl)
        });
    }
    if let Some(url) = complete_url {
        return Some(types::NextAction {
            three_ds_data: Some(device_data(attempt, url)),
            ..action(NextActionType::ThreeDsInvoke)
        });
    }
    let shown = attempt.shown_step.as_deref()?;
    let asked = attempt.authorization.as_ref().map(|one| one.started_at);
    Some(show(shown, asked, attempt.step_expires_at))
}

/// Returns an action without data.
fn action(type_: NextActionType) -> types::NextAction {
    types::NextAction {
        type_,
        redirect_to_url: None,
        three_ds_data: None,
        image_data_url: None,
        qr_code_url: None,
        display_text: None,
        display_from_timestamp: None,
        display_to_timestamp: None,
        poll_config: None,
        voucher_details: None,
        bank_transfer_steps_and_charges_details: None,
    }
}

/// Asks the payer's client to have the payer's device data collected, and to report that at this address.
fn device_data(attempt: &Attempt, complete_url: &str) -> types::ThreeDsData {
    types::ThreeDsData {
        three_ds_authorize_url: complete_url.to_owned(),
        three_ds_method_details: types::ThreeDsMethodDetails {
            three_ds_method_data_submission: attempt.device_data_url.is_some(),
            three_ds_method_url: attempt.device_data_url.clone(),
        },
    }
}

/// Shows the step of an authorization that was `asked` for at this time.
fn show(
    shown: &ShownStep,
    asked: Option<Timestamp>,
    expires_at: Option<Timestamp>,
) -> types::NextAction {
    let end = expires_at.map(Timestamp::unix_milliseconds);
    match shown.form {
        StepForm::QrCode => types::NextAction {
            image_data_url: shown.text.as_deref().and_then(image_data_url),
            qr_code_url: shown.url.clone(),
            display_text: shown.text.clone(),
            display_to_timestamp: end,
            ..action(NextActionType::QrCodeInformation)
        },
        StepForm::WaitScreen => {
            // Not every processor says when the wait began.
            let start = shown.shown_from.or(asked);
            let seconds = match (expires_at, start) {
                (Some(end), Some(start)) => end.seconds_since(start),
                (Some(_) | None, _) => 0,
            };
            types::NextAction {
                display_from_timestamp: start.map(nanoseconds),
                display_to_timestamp: expires_at.map(nanoseconds),
                poll_config: (seconds > 0).then_some(types::PollConfig {
                    delay_in_secs: POLL_SECONDS as i32,
                    frequency: i32::try_from(seconds / POLL_SECONDS).unwrap_or(i32::MAX),
                }),
                ..action(NextActionType::WaitScreenInformation)
            }
        }
        StepForm::Voucher => types::NextAction {
            voucher_details: Some(types::VoucherSteps {
                reference: shown.text.clone().unwrap_or_default(),
                expires_at: end,
                instructions_url: shown.url.clone(),
            }),
            ..action(NextActionType::DisplayVoucherInformation)
        },
        StepForm::BankTransfer => types::NextAction {
            bank_transfer_steps_and_charges_details: Some(transfer(shown, end)),
            ..action(NextActionType::DisplayBankTransferInformation)
        },
    }
}

fn transfer(shown: &ShownStep, expires_at: Option<i64>) -> types::BankTransferSteps {
    let reference = shown.text.clone().unwrap_or_default();
    let multibanco = shown.entity.as_ref().map(|entity| types::MultibancoSteps {
        entity: entity.clone(),
        reference: reference.clone(),
    });
    let account = shown.iban.as_ref().map(|iban| types::SepaSteps {
        account_holder_name: shown.holder.clone(),
        iban: iban.clone(),
        bic: shown.bic.clone(),
        country: shown.country.map(|country| country.to_wire()),
        reference,
    });
    types::BankTransferSteps {
        sepa_bank_instructions: account,
        multibanco,
        receiver: shown
            .amount_received
            .map(|amount_received| types::TransferReceiver {
                amount_received,
                amount_remaining: shown.amount_remaining,
            }),
        expires_at,
        instructions_url: shown.url.clone(),
    }
}

/// Returns the Unix time in the unit that wait screens use.
fn nanoseconds(moment: Timestamp) -> i64 {
    moment.as_micros().saturating_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 31 January 2026, 12:15 UTC, in seconds since 1970.
    const END: i64 = 1_769_861_700;

    #[test]
    fn the_end_is_in_the_unit_of_each_form() {
        let end = Timestamp::EPOCH.plus_seconds(END);
        let told = |form| show(&ShownStep::new(form), None, end);
        let milliseconds = Some(END * 1_000);
        let code = told(StepForm::QrCode);
        assert_eq!(code.display_to_timestamp, milliseconds);
        let voucher = told(StepForm::Voucher).voucher_details;
        let voucher = voucher.expect("a voucher");
        assert_eq!(voucher.expires_at, milliseconds);
        let transfer = told(StepForm::BankTransfer).bank_transfer_steps_and_charges_details;
        let transfer = transfer.expect("a transfer");
        assert_eq!(transfer.expires_at, milliseconds);
        let wait = told(StepForm::WaitScreen);
        assert_eq!(wait.display_to_timestamp, Some(END * 1_000_000_000));
    }
}
