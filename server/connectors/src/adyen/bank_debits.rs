//! Debits of bank accounts, as Adyen offers them. It has none of Australian accounts.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{EUR, GBP, USD};
use multirail_sdk::bank_account::{BankAccount, BankAccountKind, BankHolderKind, BankScheme};
use multirail_sdk::connector::ConnectorMandate;
use multirail_sdk::payer_method::{PayerMethodRules, countries};
use multirail_sdk::payment_method::PaymentMethodType as Kind;
use multirail_sdk::required_field::RequiredField as Field;

use super::generated::wire::{
    AchDetails, AchDetailsAccountHolderType, AchDetailsBankAccountType, AchDetailsMust,
    BacsDirectDebitDetails, BacsDirectDebitDetailsType, PaymentMethod, SepaDirectDebitDetails,
    SepaDirectDebitDetailsType, StoredDebitDetails, StoredDebitDetailsType,
};
use crate::amounts::NotWritable;
use crate::text::{Secret, Text};

const ACH: &[Field] = &[Field::AchAccount, Field::AchRouting, Field::AchHolder];
const BACS: &[Field] = &[
    Field::BacsAccount,
    Field::BacsSortCode,
    Field::BacsHolder,
    Field::BillingEmail,
];
const SEPA: &[Field] = &[Field::SepaDebitIban, Field::SepaDebitHolder];

const GB: &[CountryCode] = &countries(["GB"]);
const US: &[CountryCode] = &countries(["US", "PR"]);

/// The rules of all debits. An IBAN itself names the country of its account.
#[rustfmt::skip]
pub(super) const RULES: [PayerMethodRules; 3] = [
    PayerMethodRules::new(Kind::Ach, &[USD]).in_countries(US).requiring(ACH).recurring(),
    PayerMethodRules::new(Kind::Bacs, &[GBP]).in_countries(GB).requiring(BACS).recurring(),
    PayerMethodRules::new(Kind::Sepa, &[EUR]).requiring(SEPA).recurring(),
];

/// Returns the account in Adyen's form. `test_holder` controls Adyen's tests.
///
/// # Errors
/// [`NotWritable`] for another scheme, and for an account without holder or bank code. Routing
/// excludes both.
pub fn payment_method<'a>(
    account: &'a BankAccount,
    test_holder: Option<&'a str>,
) -> Result<PaymentMethod<'a>, NotWritable> {
    let refused = || NotWritable::debit(account);
    let holder = test_holder.or(account.holder_name.as_deref());
    let holder = holder.ok_or_else(refused)?;
    let bank_code = || account.bank_code.as_deref().ok_or_else(refused);
    let number = Secret::new(account.number.expose());
    Ok(match account.scheme {
        BankScheme::Ach => {
            let must = AchDetailsMust {
                bank_account_number: number,
                bank_location_id: bank_code()?.into(),
                owner_name: holder.into(),
            };
            PaymentMethod::AchDetails(Box::new(AchDetails {
                bank_account_type: account.kind.map(account_type),
                account_holder_type: account.holder_kind.map(holder_type),
                ..AchDetails::with(must)
            }))
        }
        BankScheme::Bacs => {
            PaymentMethod::BacsDirectDebitDetails(Box::new(BacsDirectDebitDetails {
                kind: BacsDirectDebitDetailsType::DirectdebitGb,
                bank_account_number: number,
                bank_location_id: bank_code()?.into(),
                holder_name: holder.into(),
            }))
        }
        BankScheme::Sepa => {
            PaymentMethod::SepaDirectDebitDetails(Box::new(SepaDirectDebitDetails {
                kind: SepaDirectDebitDetailsType::Sepadirectdebit,
                iban: number,
                owner_name: holder.into(),
            }))
        }
        BankScheme::Becs | BankScheme::Pix => return Err(refused()),
    })
}

/// Returns an account that Adyen has stored.
///
/// # Errors
/// [`NotWritable`] for another scheme.
pub fn stored<'a>(
    account: &BankAccount,
    mandate: &'a ConnectorMandate,
) -> Result<PaymentMethod<'a>, NotWritable> {
    let kind = match account.scheme {
        BankScheme::Ach => StoredDebitDetailsType::Ach,
        BankScheme::Bacs => StoredDebitDetailsType::DirectdebitGb,
        BankScheme::Sepa => StoredDebitDetailsType::Sepadirectdebit,
        BankScheme::Becs | BankScheme::Pix => return Err(NotWritable::debit(account)),
    };
    Ok(PaymentMethod::StoredDebitDetails(Box::new(
        StoredDebitDetails {
            kind,
            stored_payment_method_id: Text::cut(mandate.connector_mandate_id.as_str()),
        },
    )))
}

fn account_type(kind: BankAccountKind) -> AchDetailsBankAccountType {
    match kind {
        BankAccountKind::Checking => AchDetailsBankAccountType::Checking,
        BankAccountKind::Savings => AchDetailsBankAccountType::Savings,
    }
}

fn holder_type(kind: BankHolderKind) -> AchDetailsAccountHolderType {
    match kind {
        BankHolderKind::Personal => AchDetailsAccountHolderType::Personal,
        BankHolderKind::Business => AchDetailsAccountHolderType::Business,
    }
}
