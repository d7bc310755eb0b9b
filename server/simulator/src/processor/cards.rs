//! The test cards. Only the number decides; expiry and code are ignored. One card also depends on
//! the merchant's wish for 3-D Secure. Cards that ask the payer also depend on the payer's presence
//! (`authorize.rs`).

use multirail_simulator_wire::ErrorBody;
use multirail_simulator_wire::errors::ErrorCode;

use super::issuer::Reason;
use super::refund_behavior::RefundBehavior;

/// The decision about an authorization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    /// Approved, and held for the merchant's decision.
    Hold,
    /// Approved, and every capture is refused with this error.
    ApproveNoCapture(ErrorBody),
    Decline(ErrorBody),
    /// The payer decides at the processor's page.
    AskCustomer,
    /// Needs device data first.
    CollectDeviceData,
    /// Declined even if the payer approves.
    AskCustomerThenDecline(ErrorBody),
    /// Pending, and approved by a look-up.
    Pend,
    /// Pending, and declined by a look-up.
    PendThenDecline(ErrorBody),
    /// The processor fails and files nothing.
    Trouble,
}

/// The behavior of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Approve,
    Hold,
    /// All captures are refused; the authorization stays.
    RefuseCaptures,
    /// The first capture finds the authorization expired.
    Lapse,
    /// Authorization and captures succeed; refunds behave like this.
    Refund(RefundBehavior),
    Decline(Reason),
    /// Declined unless the merchant asks for authentication; then the payer decides.
    DeclineUnlessAuthenticated,
    /// Approved by `stripe_test`. At other processors declined by the processor, not by the issuer.
    DeclineElsewhere,
    AskCustomer,
    CollectDeviceData,
    AskCustomerThenDecline(Reason),
    Pend,
    Trouble,
}

/// The card whose payments are disputed.
const DISPUTED: &str = "4000000000000259";

/// The card that is approved for half of the amount.
const APPROVED_BY_HALF: &str = "4000000000000697";

/// Every card of the simulator, with its note. `server/TEST_CARDS.md` lists them in this order.
const CARDS: &[(&str, Does, &str)] = &[
    ("4111111111111111", Does::Approve, ""),
    ("4242424242424242", Does::Approve, ""),
    ("4012888888881881", Does::Approve, ""),
    ("4000056655665556", Does::Approve, "debit"),
    ("5555555555554444", Does::Approve, ""),
    ("2223003122003222", Does::Approve, "from the 2 series"),
    ("5200828282828210", Does::Approve, "debit"),
    ("378282246310005", Does::Approve, ""),
    ("371449635398431", Does::Approve, ""),
    ("6011111111111117", Does::Approve, ""),
    ("6011000990139424", Does::Approve, ""),
    ("6011981111111113", Does::Approve, "debit"),
    ("38000000000006", Does::Approve, ""),
    ("3056930009020004", Does::Approve, ""),
    ("30569309025904", Does::Approve, ""),
    ("38520000023237", Does::Approve, ""),
    ("36227206271667", Does::Approve, "14 digits"),
    ("3566002020360505", Does::Approve, ""),
    ("3530111333300000", Does::Approve, ""),
    ("6200000000000005", Does::Approve, ""),
    ("6200000000000047", Does::Approve, "debit"),
    ("6205500000000000004", Does::Approve, "19 digits"),
    ("6555900000604105", Does::Approve, ""),
    (
        "4000000000003055",
        Does::Approve,
        "3-D Secure is possible, not asked for",
    ),
    ("4000000000000077", Does::Approve, ""),
    ("4000000000009235", Does::Hold, "elsewhere a raised risk"),
    (
        DISPUTED,
        Does::Approve,
        "disputed as fraud once money was taken; how, [the amount says](#disputes)",
    ),
    (
        APPROVED_BY_HALF,
        Does::Approve,
        "our own: a payment that doesn't set `enable_partial_authorization` is `conflicted`",
    ),
    (
        "4000000000002685",
        Does::Approve,
        "elsewhere disputed as not received; no dispute is raised here",
    ),
    (
        "4000000000001976",
        Does::Approve,
        "elsewhere an inquiry; no dispute is raised here",
    ),
    (
        "4000000000005423",
        Does::Approve,
        "elsewhere a warning of fraud; no dispute is raised here",
    ),
    (
        "4000000000007726",
        Does::Refund(RefundBehavior::PendingThenDone),
        "",
    ),
    (
        "4000000000005126",
        Does::Refund(RefundBehavior::PendingThenDeclined),
        "elsewhere its refunds succeed at first",
    ),
    (
        "4000000000000630",
        Does::Refund(RefundBehavior::Declined),
        "our own: the money stays refundable",
    ),
    (
        "4000000000000614",
        Does::RefuseCaptures,
        "our own: the payment stays capturable, and can be cancelled",
    ),
    (
        "4000000000000622",
        Does::Lapse,
        "our own: a capture ends the payment",
    ),
    ("4000000000000002", Does::Decline(Reason::CardDeclined), ""),
    (
        "5105105105105100",
        Does::Decline(Reason::CardDeclined),
        "elsewhere a prepaid card that is approved",
    ),
    (
        "4000000000009995",
        Does::DeclineElsewhere,
        "approved by the connector `stripe_test`; elsewhere without funds",
    ),
    ("4000000000009987", Does::Decline(Reason::LostCard), ""),
    ("4000000000009979", Does::Decline(Reason::StolenCard), ""),
    (
        "4000000000000069",
        Does::Decline(Reason::ExpiredCard),
        "whatever the expiry that is sent",
    ),
    (
        "4000000000000127",
        Does::Decline(Reason::IncorrectCode),
        "whatever the code that is sent",
    ),
    ("4000000000006975", Does::Decline(Reason::TooOften), ""),
    (
        "4100000000000019",
        Does::Decline(Reason::SuspectedFraud),
        "",
    ),
    (
        "4000000000000663",
        Does::DeclineUnlessAuthenticated,
        "our own: with `authentication_type` `three_ds` 3-D Secure, approved if the payer approves",
    ),
    ("4000003800000446", Does::AskCustomer, ""),
    ("4000000000003220", Does::AskCustomer, ""),
    ("4000000000003063", Does::AskCustomer, ""),
    ("4000002500003155", Does::AskCustomer, ""),
    ("4000002760003184", Does::AskCustomer, ""),
    (
        "4000000000000648",
        Does::CollectDeviceData,
        "our own: approved with `threeds_method_comp_ind` `Y`, 3-D Secure else",
    ),
    (
        "4000008400001629",
        Does::AskCustomerThenDecline(Reason::CardDeclined),
        "",
    ),
    (
        "4000008260003178",
        Does::AskCustomerThenDecline(Reason::InsufficientFunds),
        "",
    ),
    (
        "4000000000000341",
        Does::Pend,
        "elsewhere kept at first and declined later",
    ),
    (
        "4000000000000119",
        Does::Trouble,
        "elsewhere declined with a processing error",
    ),
];

/// Returns this card's decision at this processor. `wants_authentication` is the merchant's wish.
pub fn verdict(connector: &str, number: &str, wants_authentication: bool) -> Verdict {
    let known = CARDS.iter().find(|(known, ..)| *known == number);
    let Some((_, does, _)) = known else {
        return Verdict::Decline(ErrorCode::CardNotSupported.plain());
    };
    match does {
        Does::Approve | Does::Refund(_) => Verdict::Approve,
        Does::Hold => Verdict::Hold,
        Does::RefuseCaptures => {
            let message = "Capture declined: The issuer does not release the money now";
            Verdict::ApproveNoCapture(ErrorCode::Declined.saying(message))
        }
        Does::Lapse => Verdict::ApproveNoCapture(ErrorCode::AuthorizationGone.plain()),
        Does::Decline(reason) => Verdict::Decline(reason.to_error()),
        Does::DeclineUnlessAuthenticated if wants_authentication => Verdict::AskCustomer,
        Does::DeclineUnlessAuthenticated => {
            Verdict::Decline(Reason::AuthenticationRequired.to_error())
        }
        Does::DeclineElsewhere if connector == "stripe_test" => Verdict::Approve,
        Does::DeclineElsewhere => Verdict::Decline(ErrorCode::Declined.saying(
            "Payment declined: Internal Server Error from Connector, Please try again later",
        )),
        Does::AskCustomer => Verdict::AskCustomer,
        Does::CollectDeviceData => Verdict::CollectDeviceData,
        Does::AskCustomerThenDecline(reason) => Verdict::AskCustomerThenDecline(reason.to_error()),
        Does::Pend => Verdict::Pend,
        Does::Trouble => Verdict::Trouble,
    }
}

/// Returns the behavior of this card's refunds.
pub fn refund_behavior(number: &str) -> RefundBehavior {
    let known = CARDS.iter().find(|(known, ..)| *known == number);
    match known.map(|(_, does, _)| does) {
        Some(Does::Refund(behavior)) => *behavior,
        Some(
            Does::Approve
            | Does::Hold
            | Does::RefuseCaptures
            | Does::Lapse
            | Does::Decline(_)
            | Does::DeclineUnlessAuthenticated
            | Does::DeclineElsewhere
            | Does::AskCustomer
            | Does::CollectDeviceData
            | Does::AskCustomerThenDecline(_)
            | Does::Pend
            | Does::Trouble,
        )
        | None => RefundBehavior::Done,
    }
}

/// Checks whether payments with this card are disputed.
pub fn is_disputed(number: &str) -> bool {
    number == DISPUTED
}

/// Returns the part of the amount that is approved for this card.
pub fn approved_amount(number: &str, amount: i64) -> i64 {
    if number == APPROVED_BY_HALF {
        amount - amount / 2
    } else {
        amount
    }
}

/// Returns the card numbers with their notes.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    CARDS.iter().map(|(number, _, note)| (*number, *note))
}
