//! A finished call as the log stores it.

use http::HeaderValue;
use multirail_api::{ActsBy, OPERATIONS, OpInfo, Principal, SharedAnswer, is_secret};
use multirail_app::platform::ports::request_log::{LoggedBody, LoggedRequest};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::masking::{HIDDEN, may_hold_a_card};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use serde_json::Value;

use super::mask;
use super::mask::{BODY_AT_MOST, Side, holds_card};
use super::waiting::Waiting;

/// The longest identifier of the document.
const ID_AT_MOST: usize = 64;
/// The most characters of a `User-Agent`.
const USER_AGENT_AT_MOST: usize = 256;
/// A body that is too long to be masked.
const LEFT_OUT: LoggedBody = LoggedBody {
    text: None,
    is_cut: true,
};

/// Returns the masked request; `None` if its merchant's id can't be read.
pub(super) fn logged(waiting: &Waiting) -> Option<LoggedRequest> {
    let call = waiting.call.as_ref();
    let operation = call.operation;
    let request = mask::parsed(call.body());
    let answer = match &waiting.answer {
        SharedAnswer::Whole(bytes) => mask::parsed(bytes),
        SharedAnswer::TooLong | SharedAnswer::Nothing => None,
    };
    let variable = |name| variable(operation, &call.variables, name);
    let member = |body: &Option<Value>, name: &str| plain_id(body.as_ref()?.get(name)?.as_str()?);
    let payment_id = variable("payment_id")
        .or_else(|| member(&request, "payment_id"))
        .or_else(|| member(&answer, "payment_id"));
    let profile_id = call.principal.as_ref().and_then(narrowed_to);
    let profile_id = profile_id.or_else(|| member(&answer, "profile_id"));
    let object_id = object_id(operation, &call.variables, answer.as_ref());
    let (caller, caller_id, is_payer) = caller(call.principal.as_ref());
    let user_agent = call.user_agent.as_ref().filter(|_| !is_payer);
    let began_at = waiting.finished_at.as_micros() - waiting.duration_micros;
    Some(LoggedRequest {
        merchant_id: MerchantId::parse(&call.merchant_id).ok()?,
        request_id: waiting.request_id.clone(),
        requested_at: Timestamp::from_micros(began_at),
        duration_ms: waiting.duration_micros / 1_000,
        method: operation.method.as_str().to_owned(),
        path: path(operation, &call.variables),
        path_template: operation.path.to_owned(),
        operation: operation.id.to_owned(),
        status: i64::from(waiting.status),
        error_code: waiting.error_code.map(str::to_owned),
        caller: caller.to_owned(),
        caller_id,
        profile_id,
        payment_id,
        object_id,
        idempotency_key: call.idempotency_key.as_ref().and_then(masked_key),
        user_agent: user_agent.and_then(shown_agent),
        request_body: request_body(call.body(), request),
        answer_body: answer_body(&waiting.answer, answer),
    })
}

fn request_body(bytes: &[u8], parsed: Option<Value>) -> LoggedBody {
    match bytes.len() > BODY_AT_MOST {
        true => LEFT_OUT,
        false => mask::body(Side::Request, parsed),
    }
}

fn answer_body(shared: &SharedAnswer, parsed: Option<Value>) -> LoggedBody {
    match shared {
        SharedAnswer::TooLong => LEFT_OUT,
        SharedAnswer::Whole(_) | SharedAnswer::Nothing => mask::body(Side::Answer, parsed),
    }
}

/// Returns an identifier that can't be a card number, an address or another text. Many have twelve digits, so only those
/// of a network with a correct check digit are left out.
fn plain_id(text: &str) -> Option<String> {
    let is_plain = text.len() <= ID_AT_MOST && mask::is_word(text) && !holds_card(text);
    is_plain.then(|| text.to_owned())
}

/// Returns the value of a parameter of the path.
fn variable(operation: &OpInfo, variables: &[String], name: &str) -> Option<String> {
    let mut named = operation.path_parameters().zip(variables);
    let (_, value) = named.find(|(parameter, _)| *parameter == name)?;
    plain_id(value)
}

/// Returns the path with its variables, as far as they may be shown.
fn path(operation: &OpInfo, variables: &[String]) -> String {
    let mut path = operation.path.to_owned();
    for (name, value) in operation.path_parameters().zip(variables) {
        let shown = Some(value).filter(|_| !is_secret(name));
        let shown = shown.and_then(|value| plain_id(value));
        let shown = shown.unwrap_or_else(|| HIDDEN.to_owned());
        path = path.replacen(&format!("{{{name}}}"), &shown, 1);
    }
    path
}

/// Returns the identifier of the object that an operation makes or is about: that of the answer, by the name that the
/// document's paths have for it, or else the last one of the path.
fn object_id(operation: &OpInfo, variables: &[String], answer: Option<&Value>) -> Option<String> {
    let parent = operation.path.rsplit_once('/').map(|(parent, _)| parent);
    let mut names = [Some(operation.path), parent]
        .into_iter()
        .flatten()
        .filter_map(name_of_child);
    let answered = answer.and_then(|answer| names.find_map(|name| answer.get(name)?.as_str()));
    let answered = answered.and_then(plain_id);
    answered.or_else(|| plain_id(variables.last()?))
}

/// Returns the parameter directly below a path, such as `payment_id` below `/payments`.
fn name_of_child(path: &str) -> Option<&'static str> {
    OPERATIONS.iter().find_map(|operation| {
        let rest = operation.path.strip_prefix(path)?.strip_prefix("/{")?;
        rest.split_once('}').map(|(name, _)| name)
    })
}

/// Returns the profile to which the call is narrowed.
fn narrowed_to(principal: &Principal) -> Option<String> {
    match principal {
        Principal::Merchant(merchant) => merchant.profile_id.clone(),
        Principal::Customer(customer) => customer.profile_id.clone(),
        Principal::Subscriber(subscriber) => Some(subscriber.profile_id.clone()),
        Principal::User(user) => user.narrowed_to.clone(),
        Principal::Anonymous | Principal::Admin(_) | Principal::Client(_) => None,
    }
}

/// Returns the word for a kind of caller, the caller's id, and whether the caller is a payer.
fn caller(principal: Option<&Principal>) -> (&'static str, Option<String>, bool) {
    match principal {
        Some(Principal::Merchant(merchant)) => match &merchant.by {
            ActsBy::Key(key_id) => ("api_key", Some(key_id.clone()), false),
            ActsBy::Platform { key_id, .. } => ("platform", Some(key_id.clone()), false),
            ActsBy::User(user_id) => ("user", Some(user_id.clone()), false),
        },
        Some(Principal::User(user)) => ("user", Some(user.user_id.clone()), false),
        Some(Principal::Customer(_)) => ("customer", None, true),
        Some(
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Client(_)
            | Principal::Subscriber(_),
        )
        | None => ("client", None, true),
    }
}

fn masked_key(key: &HeaderValue) -> Option<String> {
    Some(SecretText::new(key.to_str().ok()?).masked())
}

fn shown_agent(agent: &HeaderValue) -> Option<String> {
    let agent = agent.to_str().ok()?;
    Some(
        match may_hold_a_card(agent) || holds_card(agent) || agent.contains('@') {
            true => HIDDEN.to_owned(),
            false => agent.chars().take(USER_AGENT_AT_MOST).collect(),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_numbers_are_no_ids() {
        for text in [
            "4111111111111111",
            "4111-1111-1111-1111",
            "4111.1111.1111.1111",
            "4111_1111_1111_1111",
            "4111:1111+1111_1111",
            "pay_4111111111111111",
            "ada@shopper.example",
        ] {
            assert_eq!(plain_id(text), None, "{text}");
        }
    }

    #[test]
    fn ids_with_many_digits_are_shown() {
        for text in [
            "20261129-000123",
            "41111111-1111-4111-8111-111111111111",
            "0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e",
        ] {
            assert_eq!(plain_id(text).as_deref(), Some(text));
        }
    }
}
