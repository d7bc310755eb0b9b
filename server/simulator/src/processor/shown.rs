//! The steps that a merchant shows to the payer, in place of a page.

use multirail_simulator_wire::{ShowBody, Step, TransferAccount, TransferBody};

use super::record::AuthorizationRecord;

/// The entity that collects Multibanco payments.
const ENTITY: &str = "11249";
/// Country, IBAN and BIC of the accounts that receive transfers. They are the usual examples.
const ACCOUNTS: [(&str, &str, &str); 3] = [
    ("DE", "DE89370400440532013000", "COBADEFFXXX"),
    ("FR", "FR1420041010050500013M02606", "PSSTFRPPPAR"),
    ("NL", "NL91ABNA0417164300", "ABNANL2A"),
];

/// Returns the step of an authorization whose payer acts elsewhere. `page` stands for that place.
pub(super) fn shows(record: &AuthorizationRecord, page: &str) -> Option<ShowBody> {
    let (method, payer) = record.payer_method()?;
    let page = page.to_owned();
    match method.step {
        Step::Page => None,
        Step::QrCode => Some(ShowBody::QrCode {
            text: page.clone(),
            page,
        }),
        Step::WaitScreen => Some(ShowBody::WaitScreen {
            from: record.created_at.to_string(),
        }),
        Step::Voucher => Some(ShowBody::Voucher {
            reference: reference(record),
            page,
        }),
        Step::Transfer => {
            let has_entity = method.word == "multibanco";
            Some(ShowBody::Transfer(TransferBody {
                reference: reference(record),
                page,
                received: record.received,
                entity: has_entity.then(|| ENTITY.to_owned()),
                account: (!has_entity).then(|| account(payer.country.as_deref())),
            }))
        }
    }
}

/// Returns the account in this country, or else the first one.
fn account(country: Option<&str>) -> TransferAccount {
    let mut accounts = ACCOUNTS.iter();
    let found = accounts.find(|(own, ..)| Some(*own) == country);
    let (country, iban, bic) = *found.unwrap_or(&ACCOUNTS[0]);
    TransferAccount {
        iban: iban.to_owned(),
        bic: bic.to_owned(),
        holder: "Simulated processor".to_owned(),
        country: country.to_owned(),
    }
}

/// Returns nine digits that the payer quotes.
fn reference(record: &AuthorizationRecord) -> String {
    let number = record.reference.bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    format!("{:09}", number % 1_000_000_000)
}
