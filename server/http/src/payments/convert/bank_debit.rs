//! Debits of bank accounts, wire to domain and back. (Facts, appendix A)

use multirail_domain::customers::saved_method::bank_account::{BankScheme, DebitInput};
use multirail_domain::payments::payment::Instrument;
use multirail_domain::payments::payment::bank_debit::BankDebitInput;
use multirail_domain::payments::payment::payer_method::PayerInput;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_sdk::bank_account::{BankAccountDetails, last_of};
use multirail_types as types;

use crate::platform::convert::address::postal_address;
use crate::platform::convert::words::{ToWire, maybe_word};

/// The beginning of a number that is hidden.
const HIDDEN: &str = "********";

/// The path of the account in a request.
const PATH: &str = "payment_method_data.bank_debit";

/// Reads the account to debit; `None` if no scheme is given.
///
/// # Errors
/// Several schemes, an unknown word, or two holders of one account.
pub fn debit(said: types::BankDebitRequest) -> Result<Option<BankDebitInput>, Refusal> {
    let types::BankDebitRequest {
        ach_bank_debit,
        bacs_bank_debit,
        becs_bank_debit,
        sepa_bank_debit,
    } = said;
    let schemes = [
        ach_bank_debit.map(ach).transpose()?,
        bacs_bank_debit.map(bacs).transpose()?,
        becs_bank_debit.map(becs).transpose()?,
        sepa_bank_debit.map(sepa).transpose()?,
    ];
    let mut given = schemes.into_iter().flatten();
    match (given.next(), given.next()) {
        (only, None) => Ok(only),
        (_, Some(_)) => Err(Refusal::invalid_value(
            "payment_method_data takes exactly one instrument",
        )),
    }
}

fn ach(own: types::AchDebitRequest) -> Result<BankDebitInput, Refusal> {
    let types::AchDebitRequest {
        account_number,
        routing_number,
        bank_account_holder_name,
        card_holder_name,
        bank_name,
        bank_type,
        bank_holder_type,
        billing_details,
    } = own;
    let holder_name = match (bank_account_holder_name, card_holder_name) {
        (Some(holder), Some(other)) if holder != other => {
            return Err(Refusal::invalid_value(format!(
                "{PATH}.ach_bank_debit has different values for bank_account_holder_name and card_holder_name"
            )));
        }
        (holder, other) => holder.or(other),
    };
    let account = DebitInput {
        bank_name,
        kind: maybe_word(bank_type, &format!("{PATH}.ach_bank_debit.bank_type"))?,
        holder_kind: maybe_word(
            bank_holder_type,
            &format!("{PATH}.ach_bank_debit.bank_holder_type"),
        )?,
        ..plain(
            BankScheme::Ach,
            account_number,
            Some(routing_number),
            holder_name,
        )
    };
    with_payer(account, "ach_bank_debit", billing_details)
}

fn bacs(own: types::BacsDebitRequest) -> Result<BankDebitInput, Refusal> {
    let types::BacsDebitRequest {
        account_number,
        sort_code,
        bank_account_holder_name: holder,
        billing_details,
    } = own;
    let account = plain(BankScheme::Bacs, account_number, Some(sort_code), holder);
    with_payer(account, "bacs_bank_debit", billing_details)
}

fn becs(own: types::BecsDebitRequest) -> Result<BankDebitInput, Refusal> {
    let types::BecsDebitRequest {
        account_number,
        bsb_number,
        bank_account_holder_name: holder,
        billing_details,
    } = own;
    let account = plain(BankScheme::Becs, account_number, Some(bsb_number), holder);
    with_payer(account, "becs_bank_debit", billing_details)
}

fn sepa(own: types::SepaDebitRequest) -> Result<BankDebitInput, Refusal> {
    let types::SepaDebitRequest {
        iban,
        bank_account_holder_name: holder,
        billing_details,
    } = own;
    let account = plain(BankScheme::Sepa, iban, None, holder);
    with_payer(account, "sepa_bank_debit", billing_details)
}

fn plain(
    scheme: BankScheme,
    number: types::Secret,
    bank_code: Option<String>,
    holder_name: Option<String>,
) -> DebitInput {
    DebitInput {
        bank_code,
        holder_name,
        ..DebitInput::new(scheme, SecretText::new(number.expose()))
    }
}

fn with_payer(
    account: DebitInput,
    member: &str,
    billing: Option<types::BankDebitBilling>,
) -> Result<BankDebitInput, Refusal> {
    let types::BankDebitBilling {
        name,
        email,
        address,
    } = billing.unwrap_or_default();
    let path = format!("{PATH}.{member}.billing_details.address");
    let place = address.map(|address| postal_address(address, &path));
    Ok(BankDebitInput {
        account,
        payer: PayerInput {
            name,
            email,
            country: None,
        },
        place: place.transpose()?,
    })
}

/// Returns the visible details of a debited account; `None` for other instruments.
pub fn details(instrument: &Instrument) -> Option<types::BankDebitDetails> {
    let account = instrument.details.bank_debit()?;
    let holder = instrument.holder.account.clone();
    let number = format!("{HIDDEN}{}", account.last4);
    let code = bank_code(account);
    let mut answer = types::BankDebitDetails::default();
    match account.scheme {
        BankScheme::Ach => {
            answer.ach = Some(types::AchDebitDetails {
                account_number: number,
                routing_number: code,
                bank_account_holder_name: holder,
                bank_name: account.bank_name.clone(),
                bank_type: account.kind.map(|kind| kind.to_wire()),
                bank_holder_type: account.holder_kind.map(|kind| kind.to_wire()),
            });
        }
        BankScheme::Bacs => {
            answer.bacs = Some(types::BacsDebitDetails {
                account_number: number,
                sort_code: code,
                bank_account_holder_name: holder,
            });
        }
        BankScheme::Becs => {
            answer.becs = Some(types::BecsDebitDetails {
                account_number: number,
                bsb_number: code,
                bank_account_holder_name: holder,
            });
        }
        BankScheme::Sepa => {
            answer.sepa = Some(types::SepaDebitDetails {
                iban: format!("{}{number}", account.country.map_or("", |one| one.as_str())),
                bank_account_holder_name: holder,
            });
        }
        // Such accounts are never debited.
        BankScheme::Pix => {}
    }
    Some(answer)
}

/// Returns the hidden code of the bank.
fn bank_code(account: &BankAccountDetails) -> String {
    let code = account.bank_code.as_deref().unwrap_or_default();
    format!("{HIDDEN}{}", last_of(code))
}
