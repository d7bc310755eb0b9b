//! The methods that payers finish elsewhere: the members that Adyen requires, and the payer's next
//! action.

use serde_json::{Value, json};

/// Adyen's types of these methods. `bcmc` is missing, because it is a card.
const AT_PAGE: [&str; 14] = [
    "affirm",
    "afterpaytouch",
    "alipay",
    "cashapp",
    "clearpay",
    "eps",
    "ideal",
    "klarna",
    "mobilepay",
    "onlineBanking_PL",
    "paypal",
    "trustly",
    "twint",
    "vipps",
];
/// Adyen's types of the methods whose step the merchant shows: the result, and the action.
const SHOWN: [(&str, &str, &str); 10] = [
    ("bankTransfer_IBAN", "Received", "bankTransfer"),
    ("blik", "Pending", "await"),
    ("boletobancario", "PresentToShopper", "voucher"),
    ("multibanco", "PresentToShopper", "voucher"),
    ("oxxo", "PresentToShopper", "voucher"),
    ("pix", "Pending", "qrCode"),
    ("swish", "Pending", "qrCode"),
    ("upi_collect", "Pending", "await"),
    ("upi_qr", "Pending", "qrCode"),
    ("wechatpayQR", "Pending", "qrCode"),
];
/// Methods whose money Adyen can't return.
const UNRETURNABLE: [&str; 2] = ["boletobancario", "oxxo"];

const PAID_LATER: [&str; 4] = ["affirm", "afterpaytouch", "clearpay", "klarna"];
const BILLED: &[&str] = &["billingAddress", "shopperName", "socialSecurityNumber"];
const INVOICED: &[&str] = &[
    "billingAddress",
    "countryCode",
    "shopperEmail",
    "shopperName",
];

/// The e-mail address of a payer whose bank is late: the return brings no outcome.
pub const LATE: &str = "late@example.com";

/// Returns whether a refund of the method always fails.
pub fn is_unreturnable(method: &str) -> bool {
    UNRETURNABLE.contains(&method)
}

/// Returns the event about a payer who doesn't pay by the method, if the merchant shows its step:
/// they refuse in their app, or let the time pass.
pub fn event_of_rejection(method: &str) -> Option<&'static str> {
    let (.., action) = SHOWN.iter().find(|(own, ..)| *own == method)?;
    Some(match *action {
        "await" => "AUTHORISATION",
        _ => "OFFER_CLOSED",
    })
}

/// Returns the result and the action of a method whose step the merchant shows. Each action names
/// the payment.
pub fn shown(method: &str, psp: &str) -> Option<(&'static str, Value)> {
    let (_, result, action) = SHOWN.iter().find(|(own, ..)| *own == method)?;
    let page = "https://checkoutshopper-test.adyen.com/checkoutshopper";
    let mut step = match *action {
        "qrCode" => json!({
            "qrCodeData": format!("{method}:{psp}"), "expiresAt": "2026-01-31T12:15:00Z",
        }),
        "voucher" => json!({
            "reference": psp, "downloadUrl": format!("{page}/voucherDownload?MD={psp}"),
            "expiresAt": "2026-02-07T00:00:00",
        }),
        "bankTransfer" => json!({
            "iban": "NL13TEST0123456789", "bic": "TESTNL01", "beneficiary": "BookshopNL", "reference": psp,
        }),
        _ => json!({}),
    };
    if method == "multibanco" {
        step["entity"] = json!("12101");
    }
    step["type"] = json!(action);
    step["paymentMethodType"] = json!(method);
    Some((*result, step))
}

pub fn is_at_page(method: &str) -> bool {
    AT_PAGE.contains(&method)
}

/// Returns the first member that Adyen requires for the method and the request lacks.
pub fn missing(method: &str, body: &Value) -> Option<&'static str> {
    let is_later = PAID_LATER.contains(&method);
    let required: &[&'static str] = match method {
        _ if is_later => INVOICED,
        "bankTransfer_IBAN" | "multibanco" | "oxxo" => &["countryCode"],
        "boletobancario" => BILLED,
        "cashapp" => &["channel"],
        "directdebit_GB" | "onlineBanking_PL" => &["shopperEmail"],
        _ => &[],
    };
    let mut missing = required.iter().filter(|name| body[**name].is_null());
    let phone =
        (method == "affirm" && body["telephoneNumber"].is_null()).then_some("telephoneNumber");
    let state = &body["billingAddress"]["stateOrProvince"];
    let state = (method == "boletobancario" && state.is_null()).then_some("stateOrProvince");
    let lines = (is_later && sum_of_lines(body) != body["amount"]["value"]).then_some("lineItems");
    missing.next().copied().or(phone).or(state).or(lines)
}

/// Checks whether the change of a payment lacks the lines that a part of a pay-later payment needs.
pub fn lacks_lines(method: &str, body: &Value, of: i64) -> bool {
    let amount = &body["amount"]["value"];
    PAID_LATER.contains(&method) && *amount != of && sum_of_lines(body) != *amount
}

fn sum_of_lines(body: &Value) -> Value {
    let lines = body["lineItems"].as_array().into_iter().flatten();
    let number = |value: &Value| value.as_i64().unwrap_or_default();
    let amounts = lines.map(|line| number(&line["quantity"]) * number(&line["amountIncludingTax"]));
    json!(amounts.sum::<i64>())
}
