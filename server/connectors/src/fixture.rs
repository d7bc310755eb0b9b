//! Fixtures for the connectors' tests: a valid card, bank accounts, and one-line summaries of
//! outcomes and notices.

use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccount, BankAccountKind, BankHolderKind, BankScheme};
use multirail_sdk::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::{
    About, Access, AuthorizeRequest, Details, DisputeNews, Finding, News, Notice, Outcome,
};
use multirail_sdk::instrument::PaymentMethodData;
use serde_json::Value;

use crate::client::Answer;
use crate::wire::WireAnswer;

/// Returns an account with these credentials and settings.
pub fn access(credentials: &str, test_mode: bool, metadata: &Value) -> Access {
    Access {
        credentials: SecretText::new(credentials),
        test_mode,
        metadata: metadata.as_object().cloned().unwrap_or_default(),
    }
}

/// Returns the request for a sale to a card.
pub fn authorize(key: &str, money: Money, details: Details) -> AuthorizeRequest {
    let number = CardNumber::parse("4242424242424242").expect("a number");
    let code = CardCode::parse("737", "card_cvc").expect("a code");
    let expiry = Expiry::parse("3", "2035", "card", Timestamp::EPOCH).expect("an expiry");
    let given = GivenCardDetails {
        holder_name: Some("Ada Lovelace".to_owned()),
        ..GivenCardDetails::default()
    };
    AuthorizeRequest {
        key: ProcessorKey::parse(key).expect("a key"),
        access: Access::default(),
        money,
        capture: true,
        data: PaymentMethodData::Card(Card::new(number, Some(code), expiry, given)),
        return_url: "https://pay.example/back?a=1&b=2".to_owned(),
        details,
    }
}

/// Returns an account of this scheme. Those of ACH are a company's savings.
pub fn bank_account(scheme: BankScheme, number: &str, bank_code: Option<&str>) -> BankAccount {
    let is_ach = scheme == BankScheme::Ach;
    BankAccount {
        scheme,
        number: SecretText::new(number),
        bank_code: bank_code.map(str::to_owned),
        pix_key: None,
        tax_id: None,
        bank_name: None,
        bank_branch: None,
        bank_country: None,
        bank_city: None,
        holder_name: Some("Ada Okafor".to_owned()),
        kind: is_ach.then_some(BankAccountKind::Savings),
        holder_kind: is_ach.then_some(BankHolderKind::Business),
        unread: UnreadMembers::default(),
    }
}

/// Returns the account with the IBAN that several processors share for tests.
pub fn sepa_account() -> BankAccount {
    bank_account(BankScheme::Sepa, "DE89370400440532013000", None)
}

/// Returns a JSON object with these members in place of its own.
pub fn changed(mut whole: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else {
        panic!("{changes} is no object")
    };
    whole.as_object_mut().expect("an object").extend(changes);
    whole
}

pub fn answer(status: u16, body: impl ToString) -> Answer {
    answer_with(status, &[], body)
}

pub fn answer_with(
    status: u16,
    headers: &[(&'static str, &'static str)],
    body: impl ToString,
) -> Answer {
    let headers = headers.iter().map(|(name, value)| {
        let name = HeaderName::from_static(name);
        (name, HeaderValue::from_static(value))
    });
    Ok(WireAnswer {
        status,
        headers: HeaderMap::from_iter(headers),
        body: body.to_string().into_bytes(),
    })
}

/// Summarizes an outcome in one line.
pub fn in_short(outcome: &Outcome) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    match outcome {
        Outcome::Done(done) => {
            let mut line = format!(
                "done {} {} {} {}",
                text(&done.reference),
                done.amount_minor.map_or("-".to_owned(), |a| a.to_string()),
                text(&done.currency),
                text(&done.network_transaction_id),
            );
            if let Some(checks) = &done.checks {
                let letters = (text(&checks.address), text(&checks.card_code));
                line += &format!(" | address {} code {}", letters.0, letters.1);
            }
            let end = done.hold.as_ref().and_then(|hold| hold.capture_before);
            if let Some(end) = end {
                line += &format!(" | capture before {}", end.unix_seconds());
            }
            let is_extended = done.hold.as_ref().and_then(|hold| hold.is_extended);
            if let Some(is_extended) = is_extended {
                line += &format!(" | extended {is_extended}");
            }
            let most = done.hold.as_ref().and_then(|hold| hold.most_capturable);
            if let Some(most) = most {
                line += &format!(" | up to {most}");
            }
            let may_be_raised = done.hold.as_ref().and_then(|hold| hold.may_be_raised);
            if let Some(may_be_raised) = may_be_raised {
                line += &format!(" | may be raised {may_be_raised}");
            }
            line
        }
        Outcome::DeviceDataNeeded { reference, url } => {
            format!("device data needed {} {url}", text(reference))
        }
        Outcome::CustomerMustAct { reference, step } => {
            format!(
                "customer must act {} {}",
                text(reference),
                step.url().unwrap_or_default()
            )
        }
        Outcome::Declined(decline) => {
            let mut line = format!(
                "declined {} | {} | {}",
                decline.code,
                decline.message,
                text(&decline.reason)
            );
            if let Some(issuer) = &decline.issuer {
                let advice = (text(&issuer.advice_code), text(&issuer.advice_message));
                line += &format!(" | issuer {} advice {} {}", issuer.code, advice.0, advice.1);
            }
            if let Some(category) = decline.category {
                line += &format!(" | {category}");
            }
            for (is, word) in [
                (decline.in_authentication, "in authentication"),
                (decline.authorization_gone, "authorization gone"),
                (decline.takes_back, "takes back"),
            ] {
                if is {
                    line += &format!(" | {word}");
                }
            }
            line
        }
        Outcome::Pending { reference } => format!("pending {}", text(reference)),
        Outcome::NeverHappened { reason, .. } => format!("never happened: {reason}"),
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
    }
}

pub fn finding_in_short(finding: &Finding) -> String {
    match finding {
        Finding::Outcome(outcome) => in_short(outcome),
        Finding::Absent { reason } => format!("absent: {reason}"),
    }
}

/// Summarizes the state of a dispute in one line.
pub fn dispute_in_short(dispute: &DisputeNews) -> String {
    let end = dispute.challenge_required_by;
    format!(
        "{} of {}: {} {}, {}, by {}",
        dispute.reference,
        dispute.authorization_reference.as_deref().unwrap_or("-"),
        dispute.stage,
        dispute.status,
        dispute.money,
        end.map_or(0, Timestamp::unix_seconds),
    )
}

/// Summarizes each notice in one line.
pub fn notices_in_short(notices: Vec<Notice>) -> String {
    let about = |about: About| {
        let text = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let key = about.key.map(|key| key.to_string());
        format!(
            "{} {} {} {}",
            about.kind,
            text(key),
            text(about.reference),
            text(about.authorization_reference)
        )
    };
    let lines = notices.into_iter().map(|notice| {
        let news = match notice.news {
            News::Outcome { about: of, outcome } => {
                format!("{}: {}", about(of), in_short(&outcome))
            }
            News::Hint { about: of } => format!("{}: ask", about(of)),
            News::Dispute(dispute) => dispute_in_short(&dispute),
            News::Nothing => "nothing".to_owned(),
            News::Unreadable => "unreadable".to_owned(),
        };
        format!("{} {}: {news}", notice.id, notice.kind)
    });
    lines.collect::<Vec<_>>().join("\n")
}
