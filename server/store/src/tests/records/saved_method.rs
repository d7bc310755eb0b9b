//! Examples of saved methods. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::customers::saved_method::MethodParticulars;
use multirail_domain::customers::saved_method::bank_account::{
    BankAccount, BankAccountKind, BankHolderKind, BankScheme,
};
use multirail_kernel::country::CountryCode;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::{Card, CardRecord};
use serde_json::json;

use super::held::cards;
use super::particulars::{address, consent};
use super::payment::object;

/// Cards in the form of a payment's instrument. Holder and nick name are null in these rows: they have columns of their
/// own.
pub(super) fn card_details() -> Vec<CardRecord> {
    let record = |card: Card| CardRecord {
        details: card.details,
        holder: card.holder,
    };
    cards().into_iter().map(record).collect()
}

/// One with every member set, and one with none.
pub(super) fn particulars() -> Vec<MethodParticulars> {
    let known = MethodParticulars {
        issuer: Some("Example Bank".to_owned()),
        issuer_code: Some("EXB".to_owned()),
        metadata: Some(object(json!({"tier": "gold"}))),
        billing: Some(address("1 Billing Row")),
        consent: Some(Box::new(consent())),
        bank_account: None,
        unread: UnreadMembers::default(),
    };
    let account = MethodParticulars {
        bank_account: Some(Box::new(bank_account())),
        ..MethodParticulars::default()
    };
    vec![known, account, MethodParticulars::default()]
}

/// A bank account with every member.
fn bank_account() -> BankAccount {
    BankAccount {
        scheme: BankScheme::Pix,
        number: SecretText::new("0012345"),
        bank_code: Some("00000208".to_owned()),
        pix_key: Some(SecretText::new("ada@example.com")),
        tax_id: Some(SecretText::new("12345678909")),
        bank_name: Some("Example Bank".to_owned()),
        bank_branch: Some("0001".to_owned()),
        bank_country: CountryCode::all().find(|code| code.as_str() == "BR"),
        bank_city: Some("Recife".to_owned()),
        holder_name: Some("Ada Okafor".to_owned()),
        kind: Some(BankAccountKind::Checking),
        holder_kind: Some(BankHolderKind::Personal),
        unread: UnreadMembers::default(),
    }
}
