//! The methods that payers finish at a page: the members that Adyen requires, and the outcomes.

use serde_json::{Value, json};

/// Adyen's types of these methods. `bcmc` is missing, because it is a card.
const AT_PAGE: [&str; 13] = [
    "affirm",
    "afterpaytouch",
    "alipay",
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
const PAID_LATER: [&str; 4] = ["affirm", "afterpaytouch", "clearpay", "klarna"];
const INVOICED: &[&str] = &[
    "billingAddress",
    "countryCode",
    "shopperEmail",
    "shopperName",
];

/// The e-mail address of a payer whose bank is late: the return brings no outcome.
pub const LATE: &str = "late@example.com";

pub fn is_at_page(method: &str) -> bool {
    AT_PAGE.contains(&method)
}

/// Returns the first member that Adyen requires for the method and the request lacks.
pub fn missing(method: &str, body: &Value) -> Option<&'static str> {
    let is_later = PAID_LATER.contains(&method);
    let required: &[&'static str] = match method {
        _ if is_later => INVOICED,
        "onlineBanking_PL" => &["shopperEmail"],
        _ => &[],
    };
    let mut missing = required.iter().filter(|name| body[**name].is_null());
    let phone =
        (method == "affirm" && body["telephoneNumber"].is_null()).then_some("telephoneNumber");
    let lines = (is_later && sum_of_lines(body) != body["amount"]["value"]).then_some("lineItems");
    missing.next().copied().or(phone).or(lines)
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
