//! Saved bank accounts, wire to domain and back. (Specification 2.6; facts, appendix A)

use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::customers::saved_method::bank_account::{
    BankAccount, BankScheme, DebitInput, TransferInput, hidden,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_types as types;

use super::saved_method::AskedBy;
use crate::platform::convert::words::maybe_word;

const DEBIT: &str = "payment_method_data.bank_debit";

/// Reads an account for payouts.
///
/// # Errors
/// As [`TransferInput::check`], and an unknown country.
pub fn transfer(said: types::BankTransferToSave) -> Result<Box<BankAccount>, Refusal> {
    let types::BankTransferToSave {
        bank_account_number,
        bank_routing_number,
        bank_sort_code,
        iban,
        bic,
        pix_key,
        tax_id,
        bank_name,
        bank_branch,
        bank_country_code,
        bank_city,
        account_holder_name,
    } = said;
    let country = maybe_word(bank_country_code, "bank_transfer.bank_country_code")?;
    let account = TransferInput {
        account_number: bank_account_number.map(secret),
        routing_number: bank_routing_number,
        sort_code: bank_sort_code,
        iban: iban.map(secret),
        bic,
        pix_key: pix_key.map(secret),
        tax_id: tax_id.map(secret),
        bank_name,
        bank_branch,
        bank_country: country,
        bank_city,
        holder_name: account_holder_name,
    };
    account.check().map(Box::new)
}

/// Reads an account to debit.
///
/// # Errors
/// No scheme or several, and as [`DebitInput::check`].
pub fn debit(said: types::BankDebitToSave) -> Result<Box<BankAccount>, Refusal> {
    let types::BankDebitToSave {
        ach_bank_debit,
        bacs_bank_debit,
        becs_bank_debit,
        sepa_bank_debit,
    } = said;
    let plain = |scheme, number, bank_code, holder_name| DebitInput {
        bank_code,
        holder_name,
        ..DebitInput::new(scheme, secret(number))
    };
    let (input, scheme) = match (
        ach_bank_debit,
        bacs_bank_debit,
        becs_bank_debit,
        sepa_bank_debit,
    ) {
        (Some(own), None, None, None) => {
            let types::AchDebitToSave {
                account_number,
                routing_number,
                bank_account_holder_name: holder,
                bank_name,
                bank_type,
                bank_holder_type,
            } = own;
            let input = DebitInput {
                bank_name,
                kind: maybe_word(bank_type, "bank_type")?,
                holder_kind: maybe_word(bank_holder_type, "bank_holder_type")?,
                ..plain(
                    BankScheme::Ach,
                    account_number,
                    Some(routing_number),
                    holder,
                )
            };
            (input, "ach_bank_debit")
        }
        (None, Some(own), None, None) => {
            let types::BacsDebitToSave {
                account_number,
                sort_code,
                bank_account_holder_name: holder,
            } = own;
            let input = plain(BankScheme::Bacs, account_number, Some(sort_code), holder);
            (input, "bacs_bank_debit")
        }
        (None, None, Some(own), None) => {
            let types::BecsDebitToSave {
                account_number,
                bsb_number,
                bank_account_holder_name: holder,
            } = own;
            let input = plain(BankScheme::Becs, account_number, Some(bsb_number), holder);
            (input, "becs_bank_debit")
        }
        (None, None, None, Some(own)) => {
            let types::SepaDebitToSave {
                iban,
                bank_account_holder_name: holder,
            } = own;
            let input = plain(BankScheme::Sepa, iban, None, holder);
            (input, "sepa_bank_debit")
        }
        _ => {
            return Err(Refusal::invalid_value(format!(
                "{DEBIT} has to have exactly one member"
            )));
        }
    };
    input.check(&format!("{DEBIT}.{scheme}")).map(Box::new)
}

/// Returns the account of a payout method.
pub fn paid_out_to(method: &SavedMethod, asked_by: AskedBy) -> Option<types::SavedBankTransfer> {
    let account = method.particulars.bank_account.as_deref();
    let account = account.filter(|_| method.payment_method == PaymentMethod::BankTransfer)?;
    let shown = |text: &SecretText| match asked_by {
        AskedBy::Merchant => text.expose().to_owned(),
        AskedBy::Payer => hidden(text),
    };
    let number = shown(&account.number);
    let (account_number, iban) = match account.scheme {
        BankScheme::Sepa => (None, Some(number)),
        BankScheme::Ach | BankScheme::Bacs | BankScheme::Becs | BankScheme::Pix => {
            (Some(number), None)
        }
    };
    let code = |scheme| {
        let code = account.bank_code.clone();
        code.filter(|_| account.scheme == scheme)
    };
    Some(types::SavedBankTransfer {
        bank_account_number: account_number,
        bank_routing_number: code(BankScheme::Ach),
        bank_sort_code: code(BankScheme::Bacs),
        iban,
        bic: code(BankScheme::Sepa),
        pix_key: account.pix_key.as_ref().map(shown),
        tax_id: account.tax_id.as_ref().map(shown),
        bank_branch: account.bank_branch.clone(),
        bank_name: account.bank_name.clone(),
        bank_country_code: account.bank_country.map(|country| country.to_string()),
        bank_city: account.bank_city.clone(),
        account_holder_name: account.holder_name.clone(),
    })
}

/// Returns the visible members of a debited account.
pub fn debited(method: &SavedMethod) -> Option<types::SavedBank> {
    let account = method.debited_account()?;
    Some(types::SavedBank {
        mask: account.mask(),
    })
}

fn secret(given: types::Secret) -> SecretText {
    SecretText::new(given.expose())
}
