//! A payment method that is saved for a customer's later payments. (Specification 2.6)

pub mod bank_account;
mod charge;
mod filter;
mod identity;
mod token;

use serde_json::{Map, Value};

use multirail_kernel::address::Address;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MerchantId, PaymentId, PaymentMethodId,
};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;
use multirail_sdk::card::{CardDetails, CardFingerprint, CardHolder, Expiry, Network};
use multirail_sdk::connector::AccountMandate;
use multirail_sdk::consent::Consent;
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use bank_account::BankAccount;

pub use filter::MethodFilter;
pub use token::{TOKEN_SECONDS, TokenListing, TokenMethod};

words! {
    /// The status of a saved payment method.
    pub enum SavedMethodStatus {
        Active = "active",
        Inactive = "inactive",
        Processing = "processing",
        AwaitingData = "awaiting_data",
    }
}

/// A saved payment method. The vault holds the chargeable data; this record holds the data that may be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedMethod {
    pub merchant_id: MerchantId,
    pub payment_method_id: PaymentMethodId,
    pub customer_id: CustomerId,
    /// Number of stored changes; 0 until the record is stored.
    pub version: i64,
    pub status: SavedMethodStatus,
    pub payment_method: PaymentMethod,
    pub payment_method_type: Option<PaymentMethodType>,
    /// Present for cards. A bank account is one of the particulars, which are all stored sealed.
    pub card: Option<SavedCard>,
    pub particulars: MethodParticulars,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    /// When it was saved, or when a payment with it was approved.
    pub last_used_at: Timestamp,
    /// True if its customer pays with it unless a payment names another one.
    pub is_default: bool,
    /// The payment with which the payer agreed to charges in their absence.
    pub agreed_by: Option<PaymentId>,
    /// When the last payment with the payer's consent was confirmed. `None` in older records.
    pub consented_at: Option<Timestamp>,
    /// When a revocation last ended the payer's consent.
    pub consent_ended_at: Option<Timestamp>,
    /// The network transaction id of the newest payment that saved it.
    pub network_transaction_id: Option<String>,
    /// True if a processor stores it too and can charge it by its reference there.
    pub is_kept: bool,
}

/// A saved payment method with all data that a charge without its payer needs. `Debug` doesn't print it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargedMethod {
    pub payment_method_id: PaymentMethodId,
    /// A card without the security code, or a bank account.
    pub data: PaymentMethodData,
    pub payment_method_type: Option<PaymentMethodType>,
    pub billing: Option<Box<Address>>,
    /// True if the payer agreed to charges in their absence.
    pub recurs: bool,
    pub network_transaction_id: Option<String>,
    pub connector_mandates: Vec<AccountMandate>,
    /// The payer's consent to debits of a bank account, given when it was saved.
    pub consent: Option<Box<Consent>>,
    /// The account of the payment with which the payer agreed, if no processor stores the method.
    pub agreed_through: Option<ConnectorAccountId>,
}

/// The data of a saved card other than its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCard {
    pub fingerprint: CardFingerprint,
    pub details: CardDetails,
    pub holder: CardHolder,
}

/// Reasons why a saved method isn't charged without its payer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotChargeable {
    /// The payer didn't agree to such charges.
    NotAgreed,
}

impl ChargedMethod {
    /// Checks that the method may be charged without its payer. The issuer judges an expired card: processors replace cards.
    ///
    /// # Errors
    /// The reason why it may not be charged.
    pub fn check_chargeable(&self) -> Result<(), NotChargeable> {
        if !self.recurs {
            return Err(NotChargeable::NotAgreed);
        }
        Ok(())
    }
}

record_object! {
    /// Data stored with a payment method that the server only returns.
    #[derive(Default)]
    pub struct MethodParticulars {
    } and maybe {
        #[serde(rename = "payment_method_issuer")]
        issuer: String,
        #[serde(rename = "payment_method_issuer_code")]
        issuer_code: String,
        metadata: Map<String, Value>,
        billing: Box<Address>,
        /// The payer's consent to save it, if given.
        #[serde(rename = "customer_acceptance")]
        consent: Box<Consent>,
        /// The bank account, if the method is one.
        bank_account: Box<BankAccount>,
    }
}

/// A caller's update of a card. Absent members stay as they are.
#[derive(Clone, Debug, Default)]
pub struct CardUpdate {
    pub exp_month: Option<String>,
    pub exp_year: Option<String>,
    pub holder_name: Option<String>,
    pub nick_name: Option<String>,
}

impl SavedMethod {
    /// Creates a card that its customer saves. Its id is derived from customer and card, see `identity::card_id`.
    pub fn of_card(
        merchant_id: MerchantId,
        customer_id: CustomerId,
        card: SavedCard,
        payment_method_type: Option<PaymentMethodType>,
        particulars: MethodParticulars,
        now: Timestamp,
    ) -> Self {
        SavedMethod {
            merchant_id,
            payment_method_id: identity::card_id(&customer_id, &card.fingerprint),
            customer_id,
            version: 0,
            status: SavedMethodStatus::Active,
            payment_method: PaymentMethod::Card,
            payment_method_type,
            card: Some(card),
            particulars,
            created_at: now,
            modified_at: now,
            last_used_at: now,
            is_default: false,
            agreed_by: None,
            consented_at: None,
            consent_ended_at: None,
            network_transaction_id: None,
            is_kept: false,
        }
    }

    /// Creates a bank account that its customer saves, as one of the particulars. Its id is derived from customer, family and
    /// account, see `identity::account_id`.
    pub fn of_account(
        merchant_id: MerchantId,
        customer_id: CustomerId,
        (payment_method, payment_method_type): (PaymentMethod, Option<PaymentMethodType>),
        hash: &str,
        particulars: MethodParticulars,
        now: Timestamp,
    ) -> Self {
        let id = identity::account_id(&customer_id, payment_method, hash);
        SavedMethod {
            merchant_id,
            payment_method_id: id,
            customer_id,
            version: 0,
            status: SavedMethodStatus::Active,
            payment_method,
            payment_method_type,
            card: None,
            particulars,
            created_at: now,
            modified_at: now,
            last_used_at: now,
            is_default: false,
            agreed_by: None,
            consented_at: None,
            consent_ended_at: None,
            network_transaction_id: None,
            is_kept: false,
        }
    }

    /// Returns the account of a method that is debited.
    pub fn debited_account(&self) -> Option<&BankAccount> {
        let account = self.particulars.bank_account.as_deref();
        account.filter(|_| self.payment_method == PaymentMethod::BankDebit)
    }

    /// Returns the account as it is debited. The person at the billing address holds it, unless another holder is known:
    /// processors require one.
    pub fn account_to_debit(&self) -> Option<BankAccount> {
        let account = self.debited_account()?.clone();
        let billing = self.particulars.billing.as_deref();
        Some(BankAccount {
            holder_name: account
                .holder_name
                .clone()
                .or_else(|| billing?.address.as_ref()?.full_name()),
            ..account
        })
    }

    /// Returns whether the payer consented to its use, by a payment that saved it. A revocation ends every earlier consent.
    pub fn has_consent(&self) -> bool {
        let stands = self.consent_ended_at.is_none_or(|ended_at| {
            self.consented_at
                .is_some_and(|given_at| given_at > ended_at)
        });
        self.is_agreed() || (stands && self.particulars.consent.is_some())
    }

    /// Returns the stored consent to debits of a bank account, unless a revocation ended it.
    pub fn consent_to_debit(&self) -> Option<Box<Consent>> {
        let consents = self.debited_account().is_some() && self.has_consent();
        self.particulars.consent.clone().filter(|_| consents)
    }

    /// Returns the network of a card, if known.
    pub fn network(&self) -> Option<Network> {
        self.card.as_ref().and_then(|card| card.details.network)
    }

    /// Returns the method after the same card or account is saved again: the expiry and other new members replace stored ones,
    /// the rest stays.
    pub fn renewed(&self, again: SavedMethod) -> Self {
        let card = match (&self.card, again.card) {
            (Some(former), Some(again)) => Some(former.renewed(again)),
            (former, _) => former.clone(),
        };
        let mut particulars = self.particulars.clone();
        let said = again.particulars;
        if let (Some(former), Some(again)) = (&mut particulars.bank_account, said.bank_account) {
            **former = former.renewed(*again);
        }
        replace(&mut particulars.issuer, said.issuer);
        replace(&mut particulars.issuer_code, said.issuer_code);
        replace(&mut particulars.metadata, said.metadata);
        replace(&mut particulars.billing, said.billing);
        replace(&mut particulars.consent, said.consent);
        SavedMethod {
            status: SavedMethodStatus::Active,
            payment_method_type: again.payment_method_type.or(self.payment_method_type),
            card,
            particulars,
            modified_at: again.modified_at,
            ..self.clone()
        }
    }

    /// Updates the members of a saved card that may change. `path` is the card's path in the body.
    ///
    /// # Errors
    /// A refusal for an invalid or past expiry, and for a method that isn't a card.
    pub fn update_card(
        &mut self,
        update: CardUpdate,
        path: &str,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let Some(card) = &mut self.card else {
            let method = self.payment_method;
            return Err(Refusal::invalid_value(format!(
                "{path} can't be said of a saved {method}"
            )));
        };
        let SavedCard {
            details, holder, ..
        } = card;
        if update.exp_month.is_some() || update.exp_year.is_some() {
            let month = update.exp_month.as_deref().unwrap_or(&details.exp_month);
            let year = update.exp_year.as_deref().unwrap_or(&details.exp_year);
            let expiry = Expiry::parse(month, year, path, now)?;
            details.exp_month = expiry.month_text();
            details.exp_year = expiry.year_text();
        }
        if update.holder_name.is_some() {
            holder.name = update.holder_name;
        }
        if update.nick_name.is_some() {
            holder.nick_name = update.nick_name;
        }
        self.modified_at = now;
        Ok(())
    }
}

impl SavedCard {
    fn renewed(&self, again: SavedCard) -> SavedCard {
        let (former, said) = (&self.holder, again.holder);
        SavedCard {
            fingerprint: self.fingerprint.clone(),
            details: again.details,
            holder: CardHolder {
                name: said.name.or_else(|| former.name.clone()),
                nick_name: said.nick_name.or_else(|| former.nick_name.clone()),
            },
        }
    }
}

fn replace<T>(kept: &mut Option<T>, said: Option<T>) {
    if said.is_some() {
        *kept = said;
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::address::Place;
    use multirail_kernel::secret::SecretText;
    use multirail_kernel::unread::UnreadMembers;
    use multirail_sdk::consent::ConsentKind;

    use super::bank_account::{BankScheme, DebitInput};
    use super::*;

    fn account(holder: Option<&str>, first: Option<&str>, last: Option<&str>) -> SavedMethod {
        let iban = SecretText::new("DE89370400440532013000");
        let account = DebitInput {
            holder_name: holder.map(str::to_owned),
            ..DebitInput::new(BankScheme::Sepa, iban)
        };
        let place = Place {
            first_name: first.map(str::to_owned),
            last_name: last.map(str::to_owned),
            ..Place::default()
        };
        let billing = Address {
            address: Some(place),
            ..Address::default()
        };
        let particulars = MethodParticulars {
            billing: Some(Box::new(billing)),
            bank_account: Some(Box::new(account.check("account").expect("an account"))),
            ..MethodParticulars::default()
        };
        let family = (PaymentMethod::BankDebit, Some(PaymentMethodType::Sepa));
        let now = Timestamp::EPOCH;
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let ada = CustomerId::parse("ada").expect("an id");
        SavedMethod::of_account(merchant_id, ada, family, "hash", particulars, now)
    }

    #[test]
    fn a_revocation_ends_the_consent_until_a_later_one() {
        let at = Timestamp::from_micros;
        let table = [
            (None, None, false, true),
            (Some(1), None, false, true),
            (None, Some(2), false, false),
            (Some(1), Some(2), false, false),
            (Some(2), Some(2), false, false),
            (Some(3), Some(2), false, true),
            (Some(1), Some(2), true, true),
        ];
        for (given, ended, is_agreed, expected) in table {
            let mut method = account(None, None, None);
            method.particulars.consent = Some(Box::new(Consent {
                kind: ConsentKind::Offline,
                accepted_at: None,
                online: None,
                unread: UnreadMembers::default(),
            }));
            method.consented_at = given.map(at);
            method.consent_ended_at = ended.map(at);
            method.agreed_by = is_agreed.then(|| PaymentId::parse("pay_1").expect("an id"));
            assert_eq!(method.has_consent(), expected, "{given:?} {ended:?}");
            assert_eq!(
                method.consent_to_debit(),
                method.particulars.consent.clone().filter(|_| expected)
            );
        }
        assert!(!account(None, None, None).has_consent());
    }

    #[test]
    fn the_person_at_the_billing_address_holds_an_account_without_a_holder() {
        let (ada, okafor) = (Some("Ada"), Some("Okafor"));
        let table = [
            (Some("Okafor GmbH"), ada, okafor, Some("Okafor GmbH")),
            (None, ada, okafor, Some("Ada Okafor")),
            (None, None, okafor, Some("Okafor")),
            (None, None, None, None),
        ];
        for (holder, first, last, expected) in table {
            let debited = account(holder, first, last).account_to_debit();
            let debited = debited.expect("an account").holder_name;
            assert_eq!(debited.as_deref(), expected);
        }
        let mut bare = account(None, None, None);
        bare.particulars.billing = None;
        let debited = bare.account_to_debit().expect("an account");
        assert_eq!(debited.holder_name, None);
    }
}
