//! Prepares the data of an invoice's page.

use multirail_billing::app::subscriptions::InvoiceView;
use multirail_billing_domain::invoice::{Line, LineKind};
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_domain::customers::customer::Personal;
use multirail_kernel::address::Place;
use multirail_page::invoice::{self as page, InvoicePage, Standing};
use multirail_page::pay::{Amount, Language};

pub(super) fn write(view: &InvoiceView, language: Language) -> String {
    let InvoiceView {
        invoice,
        seller,
        customer,
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
        place: invoice.number,
        number: invoice.invoice_id.as_str(),
        date: zone.date(invoice.created_at),
        zone: zone.as_str(),
        customer: who(customer.as_ref(), invoice.customer_id.as_str()),
        standing: standing(invoice.status),
        lines: invoice.lines.iter().map(line).collect(),
        total: amount(invoice.amount),
    }
    .write()
}

/// Returns the customer's address, one line each.
fn who(customer: Option<&Personal>, customer_id: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(Personal {
        name,
        email,
        address,
        ..
    }) = customer
    {
        let place = address.as_deref();
        let lives = |part: fn(&Place) -> &Option<String>| place.and_then(|it| part(it).clone());
        let person = [lives(|it| &it.first_name), lives(|it| &it.last_name)];
        let town = [lives(|it| &it.zip), lives(|it| &it.city)];
        let country = place.and_then(|it| it.country.as_ref());
        let country = country.map(|country| country.as_str().to_owned());
        lines.extend(name.clone().or_else(|| in_one(person)));
        lines.extend(lives(|it| &it.line1));
        lines.extend(lives(|it| &it.line2));
        lines.extend(lives(|it| &it.line3));
        lines.extend(in_one(town));
        lines.extend(in_one([lives(|it| &it.state), country]));
        lines.extend(email.clone());
    }
    lines.push(customer_id.to_owned());
    lines
}

fn in_one(parts: [Option<String>; 2]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
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
        LineKind::CarriedIn => page::LineKind::CarriedIn,
        LineKind::CarriedOver => page::LineKind::CarriedOver,
        LineKind::Rounding => page::LineKind::Rounding,
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
