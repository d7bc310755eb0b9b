//! What the page of an invoice is written from.

use multirail_app::subscriptions::InvoiceView;
use multirail_domain::billing::invoice::{Line, LineKind};
use multirail_domain::billing::invoice_status::InvoiceStatus;
use multirail_page::invoice::{self as page, InvoicePage, Standing};
use multirail_page::pay::{Amount, Language};

pub(super) fn write(view: &InvoiceView, language: Language) -> String {
    let InvoiceView {
        invoice,
        seller,
        zone,
    } = view;
    let amount = |minor| Amount {
        minor,
        decimals: invoice.currency.exponent(),
        currency: invoice.currency.as_str(),
    };
    let line = |line| one(view, line, amount);
    InvoicePage {
        language,
        seller: seller.as_deref(),
        number: invoice.invoice_id.as_str(),
        date: zone.date(invoice.created_at),
        zone: zone.as_str(),
        customer: invoice.customer_id.as_str(),
        standing: standing(invoice.status),
        lines: invoice.lines.iter().map(line).collect(),
        total: amount(invoice.amount),
    }
    .write()
}

fn one<'v>(
    view: &'v InvoiceView,
    line: &'v Line,
    amount: impl Fn(i64) -> Amount<'v>,
) -> page::Line<'v> {
    let is_of_pieces = line.item_price_id.is_some() && line.kind != LineKind::Return;
    let day = |moment| view.zone.date(moment);
    page::Line {
        kind: kind(line.kind),
        description: &line.description,
        period: line
            .period
            .map(|period| (day(period.start), day(period.end))),
        quantity: line.quantity,
        unit: is_of_pieces.then(|| amount(line.unit_amount_minor)),
        amount: amount(line.amount_minor),
    }
}

fn kind(kind: LineKind) -> page::LineKind {
    match kind {
        LineKind::Subscription | LineKind::SinglePayment => page::LineKind::Charge,
        LineKind::Trial => page::LineKind::Trial,
        LineKind::Proration => page::LineKind::Rest,
        LineKind::Discount => page::LineKind::Discount,
        LineKind::Return => page::LineKind::GivenBack,
        LineKind::Tax | LineKind::TaxReturn => page::LineKind::Tax,
        LineKind::CreditUsed => page::LineKind::CreditUsed,
        LineKind::CreditGiven => page::LineKind::CreditGiven,
    }
}

fn standing(status: InvoiceStatus) -> Standing {
    match status {
        InvoiceStatus::Paid | InvoiceStatus::PaymentSucceeded => Standing::Paid,
        InvoiceStatus::Voided => Standing::Voided,
        InvoiceStatus::Created
        | InvoiceStatus::PaymentPending
        | InvoiceStatus::PaymentPendingTimeout
        | InvoiceStatus::PaymentFailed
        | InvoiceStatus::PaymentCanceled
        | InvoiceStatus::ManualReview => Standing::Open,
    }
}
