//! The payer's step on the page of a payment link.

use multirail_kernel::timestamp::Timestamp;
use multirail_page::pay::{QrCode, Step, StepForm, Transfer};
use multirail_sdk::connector;
use multirail_sdk::connector::ShownStep;

use super::convert::payment_answer::qr_code::{Drawing, draw};

/// Returns the step. `page` leads to the processor's page with it, and `written` writes an amount.
pub(super) fn step<'a>(
    shown: &'a ShownStep,
    ends_at: Option<Timestamp>,
    page: Option<&'a str>,
    written: impl Fn(i64) -> String,
) -> Step<'a> {
    let text = shown.text.as_deref().unwrap_or_default();
    let form = match shown.form {
        connector::StepForm::QrCode => StepForm::Scan {
            code: draw(text).map(|Drawing { size, path }| QrCode { size, path }),
            text,
        },
        connector::StepForm::WaitScreen => StepForm::Wait,
        connector::StepForm::Voucher => StepForm::Voucher { number: text },
        connector::StepForm::BankTransfer => StepForm::Transfer(transfer(shown, text, written)),
    };
    Step {
        form,
        page,
        ends_at: ends_at.map(|moment| moment.to_string()),
    }
}

fn transfer<'a>(
    shown: &'a ShownStep,
    reference: &'a str,
    written: impl Fn(i64) -> String,
) -> Transfer<'a> {
    let received = shown.amount_received.filter(|received| *received > 0);
    Transfer {
        holder: shown.holder.as_deref(),
        iban: shown.iban.as_deref(),
        bic: shown.bic.as_deref(),
        entity: shown.entity.as_deref(),
        reference,
        received: received.map(&written),
        remaining: shown.amount_remaining.map(written),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(minor: i64) -> String {
        format!("{minor} cents")
    }

    #[test]
    fn a_transfer_says_what_remains() {
        let mut shown = ShownStep::new(connector::StepForm::BankTransfer);
        shown.text = Some("123456789".to_owned());
        shown.amount_received = Some(0);
        shown.amount_remaining = Some(6540);
        let told = |shown: &ShownStep| {
            let StepForm::Transfer(told) = step(shown, None, None, written).form else {
                panic!("a transfer");
            };
            (told.received, told.remaining)
        };
        assert_eq!(told(&shown), (None, Some("6540 cents".to_owned())));
        shown.amount_received = Some(540);
        shown.amount_remaining = Some(6000);
        let (received, remaining) = told(&shown);
        assert_eq!(received.as_deref(), Some("540 cents"));
        assert_eq!(remaining.as_deref(), Some("6000 cents"));
    }

    #[test]
    fn the_end_is_written_as_a_date_time() {
        let shown = ShownStep::new(connector::StepForm::Voucher);
        let end = Timestamp::EPOCH.plus_seconds(1_769_861_700);
        let ends_at = step(&shown, end, None, written).ends_at;
        assert_eq!(ends_at.as_deref(), Some("2026-01-31T12:15:00.000Z"));
    }

    #[test]
    fn a_text_that_no_code_can_hold_is_still_shown() {
        let mut shown = ShownStep::new(connector::StepForm::QrCode);
        shown.text = Some("x".repeat(3000));
        let StepForm::Scan { code, text } = step(&shown, None, None, written).form else {
            panic!("a code");
        };
        assert!(code.is_none());
        assert_eq!(text.len(), 3000);
    }
}
