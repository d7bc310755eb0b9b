//! Debits of bank accounts: Stripe's words for them, its rules, and the payer's consent, which Stripe
//! stores as a mandate.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{AUD, EUR, GBP, USD};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_account::{BankAccount, BankAccountKind, BankHolderKind, BankScheme};
use multirail_sdk::connector::Details;
use multirail_sdk::connector::details::{Consent, ConsentKind};
use multirail_sdk::payer_method::{PayerMethodRules, countries};
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::required_field::RequiredField::{
    self, AchAccount, AchHolder, AchRouting, BacsAccount, BacsHolder, BacsSortCode, BecsAccount,
    BecsBsb, BecsHolder, BillingCity, BillingCountry, BillingEmail, BillingLine1, BillingZip,
    SepaDebitHolder, SepaDebitIban,
};

use super::address::billing;
use super::generated::wire::{
    AuBecsDebitData, BacsDebitData, CustomerAcceptance, CustomerAcceptanceMust,
    CustomerAcceptanceType, MandateData, MethodData, MethodDataMust, MethodType, OnlineAcceptance,
    SepaDebitData, UsBankAccountData, UsBankAccountDataAccountHolderType,
    UsBankAccountDataAccountType, UsBankAccountDataMust,
};
use crate::amounts::NotWritable;
use crate::text::{Secret, Text};

const ACH: &[RequiredField] = &[AchAccount, AchRouting, AchHolder];
const BACS: &[RequiredField] = &[
    BacsAccount,
    BacsSortCode,
    BacsHolder,
    BillingEmail,
    BillingLine1,
    BillingCity,
    BillingZip,
    BillingCountry,
];
const BECS: &[RequiredField] = &[BecsAccount, BecsBsb, BecsHolder, BillingEmail];
const SEPA: &[RequiredField] = &[SepaDebitIban, SepaDebitHolder, BillingEmail];

const AUSTRALIA: [CountryCode; 1] = countries(["AU"]);
const BRITAIN: [CountryCode; 1] = countries(["GB"]);
const UNITED_STATES: [CountryCode; 1] = countries(["US"]);

/// Every debit. An IBAN itself names the country of its account.
#[rustfmt::skip]
pub const RULES: [PayerMethodRules; 4] = [
    PayerMethodRules::new(PaymentMethodType::Ach, &[USD]).in_countries(&UNITED_STATES).requiring(ACH).recurring(),
    PayerMethodRules::new(PaymentMethodType::Bacs, &[GBP])
        .in_countries(&BRITAIN).requiring(BACS).between(&[(GBP, 30, 10_000_000)]).recurring(),
    PayerMethodRules::new(PaymentMethodType::Becs, &[AUD]).in_countries(&AUSTRALIA).requiring(BECS).recurring(),
    PayerMethodRules::new(PaymentMethodType::Sepa, &[EUR]).requiring(SEPA).recurring(),
];

/// Returns Stripe's word for a debit.
pub fn word(scheme: BankScheme) -> Option<MethodType> {
    match scheme {
        BankScheme::Ach => Some(MethodType::UsBankAccount),
        BankScheme::Bacs => Some(MethodType::BacsDebit),
        BankScheme::Becs => Some(MethodType::AuBecsDebit),
        BankScheme::Sepa => Some(MethodType::SepaDebit),
        BankScheme::Pix => None,
    }
}

/// Returns the account in Stripe's form.
///
/// # Errors
/// [`NotWritable`] for an account that nobody debits, and for one without holder or bank code, which
/// routing excludes. Also for an American account without its payer, who has to confirm it.
pub fn data<'a>(
    account: &'a BankAccount,
    details: &'a Details,
) -> Result<MethodData<'a>, NotWritable> {
    let refused = || NotWritable::debit(account);
    let kind = word(account.scheme).ok_or_else(refused)?;
    if account.scheme == BankScheme::Ach && details.initiation.off_session == Some(true) {
        return Err(NotWritable::payer_is_away(account));
    }
    let holder = account.holder_name.as_deref().ok_or_else(refused)?;
    let bank_code = || {
        account
            .bank_code
            .as_deref()
            .map(Text::from)
            .ok_or_else(refused)
    };
    let number = Secret::new(account.number.expose());
    let mut data = MethodData {
        billing_details: billing(Some(holder), details),
        ..MethodData::with(MethodDataMust { kind })
    };
    match account.scheme {
        BankScheme::Ach => data.us_bank_account = Some(american(account, number, bank_code()?)),
        BankScheme::Bacs => {
            data.bacs_debit = Some(BacsDebitData {
                account_number: number,
                sort_code: bank_code()?,
            });
        }
        BankScheme::Becs => {
            data.au_becs_debit = Some(AuBecsDebitData {
                account_number: number,
                bsb_number: bank_code()?,
            });
        }
        BankScheme::Sepa => data.sepa_debit = Some(SepaDebitData { iban: number }),
        BankScheme::Pix => return Err(refused()),
    }
    Ok(data)
}

/// Returns an American account. Stripe wants to know who holds it.
fn american<'a>(
    account: &BankAccount,
    account_number: Secret<'a>,
    routing_number: Text<'a>,
) -> UsBankAccountData<'a> {
    let account_holder_type = match account.holder_kind {
        Some(BankHolderKind::Business) => UsBankAccountDataAccountHolderType::Company,
        Some(BankHolderKind::Personal) | None => UsBankAccountDataAccountHolderType::Individual,
    };
    let account_type = account.kind.map(|kind| match kind {
        BankAccountKind::Checking => UsBankAccountDataAccountType::Checking,
        BankAccountKind::Savings => UsBankAccountDataAccountType::Savings,
    });
    UsBankAccountData {
        account_type,
        ..UsBankAccountData::with(UsBankAccountDataMust {
            account_holder_type,
            account_number,
            routing_number,
        })
    }
}

/// Returns the payer's consent. Online consent needs address and browser of the payer; without them
/// it counts as given elsewhere.
///
/// # Errors
/// [`NotWritable`] without a consent.
pub fn mandate<'a>(
    account: &BankAccount,
    details: &'a Details,
) -> Result<MandateData<'a>, NotWritable> {
    let consent = details.initiation.consent.as_ref();
    let consent = consent.ok_or_else(|| NotWritable::no_consent(account))?;
    let online = online(consent);
    let kind = match online {
        Some(_) => CustomerAcceptanceType::Online,
        None => CustomerAcceptanceType::Offline,
    };
    let accepted_at = consent.accepted_at.as_deref();
    let accepted_at = accepted_at.and_then(|at| Timestamp::parse_rfc3339(at).ok());
    Ok(MandateData {
        customer_acceptance: CustomerAcceptance {
            online,
            accepted_at: accepted_at.map(Timestamp::unix_seconds),
            ..CustomerAcceptance::with(CustomerAcceptanceMust { kind })
        },
    })
}

fn online(consent: &Consent) -> Option<OnlineAcceptance<'_>> {
    let from = consent.online.as_ref()?;
    let acceptance = OnlineAcceptance {
        ip_address: Text::from(from.ip_address.as_deref()?),
        user_agent: Text::from(from.user_agent.as_deref()?),
    };
    (consent.kind == ConsentKind::Online).then_some(acceptance)
}
