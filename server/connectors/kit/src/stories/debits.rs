//! The story of a debited account, up to the bank's decision.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::connector::details::{Consent, ConsentKind, Initiation, OnlineConsent};
use multirail_sdk::connector::{AuthorizeRequest, Capabilities, Details, Outcome};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::PayerMethodRules;

use super::difference::{Difference, described};
use super::methods::{asked_by, payer};
use super::stage::{RETURN_URL, Stage};
use crate::test_mode::TestAccount;

/// Returns the debits that a connector with these abilities offers, each with its scheme.
pub fn debits(
    able: &Capabilities,
) -> impl Iterator<Item = (&'static PayerMethodRules, BankScheme)> {
    let all = able.payer_methods.iter();
    all.filter_map(|rules| Some((rules, BankScheme::debited_by(rules.kind)?)))
}

/// An account is debited with its payer's consent. The bank decides at once or later, and some payers confirm the account at a
/// page before.
///
/// # Errors
/// Every other outcome.
pub async fn debited(
    stage: &dyn Stage,
    rules: &PayerMethodRules,
    account: &TestAccount,
) -> Result<(), Difference> {
    let asked = asked_by(stage, rules, true);
    let initiation = Initiation {
        consent: Some(consent()),
        ..Initiation::default()
    };
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: stage.access(),
        money: asked.money,
        capture: true,
        data: PaymentMethodData::BankDebit(Box::new(account.entered())),
        return_url: RETURN_URL.to_owned(),
        details: Details {
            payer: payer(rules),
            initiation,
            ..Details::default()
        },
    };
    match stage.connector().authorize(request).await {
        Outcome::Done(_) | Outcome::Pending { .. } | Outcome::CustomerMustAct { .. } => Ok(()),
        other @ (Outcome::DeviceDataNeeded { .. }
        | Outcome::Declined(_)
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_)) => Err(Difference::new("a debit", described(&other))),
    }
}

fn consent() -> Consent {
    Consent {
        kind: ConsentKind::Online,
        accepted_at: None,
        online: Some(OnlineConsent {
            ip_address: Some("192.0.2.7".to_owned()),
            user_agent: Some("Browser/1.0".to_owned()),
            ..OnlineConsent::default()
        }),
        unread: UnreadMembers::default(),
    }
}
