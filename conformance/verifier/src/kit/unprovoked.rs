//! The report's reasons why the run couldn't provoke a listed refusal.

use multirail_codegen::refusals::Refusal;

use super::concurrency::{BUSY, TOGETHER};
use crate::document::Operation;
use crate::run::Run;

/// Prefix of operation ids, status and code of a refusal, and its precondition.
const RARE: &[(&str, u16, &str, &str)] = &[
    (
        "connector",
        429,
        "MR_03",
        "more checks of credentials than an organization may make",
    ),
    (
        "events_follow",
        429,
        "MR_03",
        "more streams than a session may have at once",
    ),
    (
        "events_follow",
        503,
        "HE_00",
        "a server with the most streams, or one that stops",
    ),
    (
        "",
        429,
        "MR_03",
        "more tries than one network may make, which would lock out every other client of that network",
    ),
    (
        "payments_",
        400,
        "IR_20",
        "a processor that can't do it, as the simulated one can",
    ),
    (
        "payments_complete_authorize",
        400,
        "IR_11",
        "a customer who is redacted while the payer is asked",
    ),
    (
        "payments_incremental_authorization",
        400,
        "HE_03",
        "a mandate that ends between its charge and the raise",
    ),
    (
        "user_payments_incremental_authorization",
        400,
        "IR_20",
        "a processor that can't do it, as the simulated one can",
    ),
    (
        "user_payments_incremental_authorization",
        400,
        "HE_03",
        "a mandate that ends between its charge and the raise",
    ),
    (
        "user_subscriptions_",
        400,
        "HE_03",
        "a method without its payer's consent to later charges",
    ),
    (
        "subscription_",
        400,
        "IR_20",
        "a billing account that an earlier version made",
    ),
    (
        "subscriptions_",
        422,
        "IR_29",
        "a token that expires before its subscription is confirmed",
    ),
    (
        "subscriptions_",
        400,
        "HE_03",
        "a method without its payer's consent to later charges",
    ),
    (
        "payment_methods_create",
        400,
        "IR_16",
        "a customer with the most saved methods",
    ),
    (
        "disputes_",
        400,
        "IR_20",
        "a processor that can't do it, as the simulated one can",
    ),
    (
        "disputes_challenge",
        400,
        "IR_11",
        "a customer who is redacted while a dispute is open",
    ),
    (
        "routing_activate",
        400,
        "IR_20",
        "a configuration that can be stored but not activated",
    ),
    (
        "connector_accounts_create",
        400,
        "IR_16",
        "a processor whose answer to the check of credentials can't be trusted",
    ),
    (
        "events_profile_list",
        400,
        "IR_04",
        "a user's merchant account without a default profile",
    ),
    (
        "users_sign_up",
        403,
        "IR_22",
        "a server without open sign-up",
    ),
    (
        "users_forgot_password",
        403,
        "IR_22",
        "a server that sends no mail",
    ),
    (
        "console_sessions_begin",
        503,
        "HE_00",
        "an identity provider that doesn't answer",
    ),
    (
        "console_sessions_begin",
        400,
        "UR_46",
        "an identity provider that the run directs",
    ),
    (
        "oidc_",
        403,
        "IR_22",
        "a server that knows no identity provider",
    ),
    (
        "oidc_",
        503,
        "HE_00",
        "an identity provider that doesn't answer",
    ),
    (
        "oidc_",
        400,
        "UR_46",
        "an identity provider that the run directs",
    ),
    (
        "oidc_",
        401,
        "UR_01",
        "an identity provider that the run directs",
    ),
    (
        "oidc_",
        401,
        "IR_17",
        "an identity provider that the run directs",
    ),
    (
        "oidc_",
        400,
        "IR_16",
        "an identity provider that the run directs",
    ),
];

/// The reason for a refusal without a known precondition.
pub const NOTHING: &str = "nothing here provokes it";

/// Returns why the run didn't provoke the refusal.
pub(super) fn why(run: &Run, operation: &Operation, refusal: &Refusal) -> String {
    if let Some(ended) = run.wire.ended() {
        return ended.to_owned();
    }
    let it = (refusal.status, refusal.code.as_str());
    if it == BUSY {
        let mut rows = run.report.rows.iter();
        let came = rows.any(|row| row.operation == operation.id && row.scenario == TOGETHER);
        return match came {
            true => {
                "concurrent calls were made, but none of them conflicted: that depends on timing"
            }
            false => "it takes a concurrent call about the same object",
        }
        .to_owned();
    }
    let mut rare = RARE.iter();
    let takes = rare
        .find(|(begin, status, code, _)| operation.id.starts_with(begin) && (*status, *code) == it);
    match takes {
        Some((.., takes)) => format!("it takes {takes}"),
        None if !run.left_out.is_empty() => {
            let left_out = run.left_out.join("; ");
            format!("no story that could be told provokes it: {left_out}")
        }
        None => NOTHING.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use multirail_codegen::refusals::refusals;

    use super::*;
    use crate::document::operations;

    #[test]
    fn rare_refusals_are_listed() {
        for (begin, status, code, takes) in RARE {
            let named = operations().iter().filter(|one| one.id.starts_with(begin));
            let mut listed = named.flat_map(|one| refusals(one.text()));
            let is_listed = listed.any(|one| (one.status, one.code.as_str()) == (*status, *code));
            assert!(is_listed, "{begin} {status} {code}: {takes}");
        }
    }
}
