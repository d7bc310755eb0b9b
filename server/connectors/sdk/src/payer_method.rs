//! Methods that the payer finishes outside the merchant's checkout, such as at a page of a bank.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::record_object::record_object;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;

use crate::bank_account::BankScheme;
use crate::bank_name::BankName;
use crate::card::Card;
use crate::charge::CaptureMethod;
use crate::connector::{NotCounted, StepForm};
use crate::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};
use crate::required_field::RequiredField;

record_object! {
    /// A method that the payer finishes elsewhere, with the payer's choices. Nobody can pay with it
    /// alone, so that it is stored as it was given.
    #[derive(Eq)]
    pub struct PayerMethod {
        kind: PaymentMethodType,
    } and maybe {
        bank_name: BankName,
        /// The country of the bank.
        country: CountryCode,
        /// The last digits of the card that the payer entered.
        last4: String,
        /// True if the payer entered a text for one payment, such as a code. It isn't stored.
        text_was_given: bool,
    }
}

impl PayerMethod {
    /// Returns a method without choices of the payer.
    pub fn new(kind: PaymentMethodType) -> Self {
        PayerMethod {
            kind,
            bank_name: None,
            country: None,
            last4: None,
            text_was_given: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Checks whether 3-D Secure may authenticate the payer: only if they entered a card.
    pub fn has_three_ds(&self) -> bool {
        self.last4.is_some()
    }

    /// Removes the traces of a secret that is gone.
    pub fn forget_secret(&mut self) {
        self.last4 = None;
        self.text_was_given = None;
    }
}

/// A payer's method, as it is sent to the processor. Its secret is never stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayerData {
    pub method: PayerMethod,
    pub secret: Option<PayerSecret>,
}

/// The part of a payer's method that serves one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayerSecret {
    /// The card behind a bank's method. It has no code.
    Card(Box<Card>),
    /// A code, a UPI address or a tax number.
    Text(SecretText),
}

impl From<PayerMethod> for PayerData {
    fn from(method: PayerMethod) -> Self {
        PayerData {
            method,
            secret: None,
        }
    }
}

/// A type of such a method, and its place in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variety {
    pub method: PaymentMethod,
    pub kind: PaymentMethodType,
    /// The member of `payment_method_data` with the method's data.
    pub member: &'static str,
}

const fn variety(method: PaymentMethod, kind: PaymentMethodType, member: &'static str) -> Variety {
    Variety {
        method,
        kind,
        member,
    }
}

/// Every method that payers finish elsewhere.
#[rustfmt::skip]
pub static VARIETIES: [Variety; 26] = [
    variety(PaymentMethod::BankRedirect, PaymentMethodType::BancontactCard, "bank_redirect.bancontact_card"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Blik, "bank_redirect.blik"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Eps, "bank_redirect.eps"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Ideal, "bank_redirect.ideal"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::OnlineBankingPoland, "bank_redirect.online_banking_poland"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Przelewy24, "bank_redirect.przelewy24"),
    // The contract has its data among the wallets.
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Swish, "wallet.swish_qr"),
    variety(PaymentMethod::BankRedirect, PaymentMethodType::Trustly, "bank_redirect.trustly"),
    variety(PaymentMethod::BankTransfer, PaymentMethodType::Multibanco, "bank_transfer.multibanco_bank_transfer"),
    variety(PaymentMethod::BankTransfer, PaymentMethodType::Pix, "bank_transfer.pix"),
    variety(PaymentMethod::BankTransfer, PaymentMethodType::SepaBankTransfer, "bank_transfer.sepa_bank_transfer"),
    variety(PaymentMethod::PayLater, PaymentMethodType::Affirm, "pay_later.affirm_redirect"),
    variety(PaymentMethod::PayLater, PaymentMethodType::AfterpayClearpay, "pay_later.afterpay_clearpay_redirect"),
    variety(PaymentMethod::PayLater, PaymentMethodType::Klarna, "pay_later.klarna_redirect"),
    variety(PaymentMethod::Upi, PaymentMethodType::UpiCollect, "upi.upi_collect"),
    variety(PaymentMethod::Upi, PaymentMethodType::UpiIntent, "upi.upi_intent"),
    variety(PaymentMethod::Upi, PaymentMethodType::UpiQr, "upi.upi_qr"),
    variety(PaymentMethod::Voucher, PaymentMethodType::Boleto, "voucher.boleto"),
    variety(PaymentMethod::Voucher, PaymentMethodType::Oxxo, "voucher.oxxo"),
    variety(PaymentMethod::Wallet, PaymentMethodType::AliPay, "wallet.ali_pay_redirect"),
    variety(PaymentMethod::Wallet, PaymentMethodType::Cashapp, "wallet.cashapp_qr"),
    variety(PaymentMethod::Wallet, PaymentMethodType::MobilePay, "wallet.mobile_pay_redirect"),
    variety(PaymentMethod::Wallet, PaymentMethodType::Paypal, "wallet.paypal_redirect"),
    variety(PaymentMethod::Wallet, PaymentMethodType::Twint, "wallet.twint_redirect"),
    variety(PaymentMethod::Wallet, PaymentMethodType::Vipps, "wallet.vipps_redirect"),
    variety(PaymentMethod::Wallet, PaymentMethodType::WeChatPay, "wallet.we_chat_pay_qr"),
];

impl Variety {
    /// Returns the variety of this type, if payers finish it elsewhere.
    pub fn of_type(kind: PaymentMethodType) -> Option<&'static Variety> {
        VARIETIES.iter().find(|variety| variety.kind == kind)
    }

    /// Returns the family whose member has the method's data.
    pub fn family(&self) -> &'static str {
        self.member.split_once('.').map_or("", |(family, _)| family)
    }
}

/// Returns these countries, for rules.
pub const fn countries<const N: usize>(codes: [&str; N]) -> [CountryCode; N] {
    let mut all = [CountryCode::known("NL"); N];
    let mut place = 0;
    while place < N {
        all[place] = CountryCode::known(codes[place]);
        place += 1;
    }
    all
}

/// Returns the contract's word for the payer's way through a method. It has none for debits, vouchers and
/// transfers.
pub fn experience(kind: PaymentMethodType, shows: Option<StepForm>) -> Option<PaymentExperience> {
    match shows {
        Some(StepForm::QrCode) => Some(PaymentExperience::DisplayQrCode),
        Some(StepForm::WaitScreen) => Some(PaymentExperience::DisplayWaitScreen),
        Some(StepForm::Voucher | StepForm::BankTransfer) => None,
        None if BankScheme::debited_by(kind).is_some() => None,
        None => Some(PaymentExperience::RedirectToUrl),
    }
}

/// A method that a connector offers, with its limits: one that payers finish elsewhere, or a debit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayerMethodRules {
    pub kind: PaymentMethodType,
    /// The only accepted currencies. Empty: every currency.
    pub currencies: &'static [Currency],
    /// The only accepted countries of payers. Empty: every country.
    pub countries: &'static [CountryCode],
    /// The members without which the processor refuses the method.
    pub required: &'static [RequiredField],
    /// The money can be reserved, and captured later.
    pub reserves: bool,
    /// Reserved money can be captured only once.
    pub captured_once: bool,
    /// The payer enters a card at the page only.
    pub without_card: bool,
    /// The only accepted banks, where the payer names one. Empty: every bank.
    pub banks: &'static [BankName],
    /// The method can be saved, and charged again without the payer.
    pub recurs: bool,
    /// The step that the merchant shows. Unset: the payer visits a page.
    pub shows: Option<StepForm>,
    /// The method's own smallest and largest amount by currency, in minor units. A currency without
    /// a row is limited by the processor's units alone.
    pub amounts: &'static [(Currency, i64, i64)],
}

impl PayerMethodRules {
    /// Returns a method that is captured at once, in these currencies.
    pub const fn new(kind: PaymentMethodType, currencies: &'static [Currency]) -> Self {
        PayerMethodRules {
            kind,
            currencies,
            countries: &[],
            required: &[],
            reserves: false,
            captured_once: false,
            without_card: false,
            banks: &[],
            recurs: false,
            shows: None,
            amounts: &[],
        }
    }

    /// Returns the rules of a table that has the processor's form of each method.
    pub const fn of_table<T, const N: usize>(table: &[(T, Self); N]) -> [Self; N] {
        let mut all = [table[0].1; N];
        let mut place = 0;
        while place < N {
            all[place] = table[place].1;
            place += 1;
        }
        all
    }

    /// Returns the rules of two tables.
    pub const fn joined<const N: usize, const M: usize, const ALL: usize>(
        first: [Self; N],
        second: [Self; M],
    ) -> [Self; ALL] {
        let mut all = [first[0]; ALL];
        let mut place = 0;
        while place < ALL {
            all[place] = if place < N {
                first[place]
            } else {
                second[place - N]
            };
            place += 1;
        }
        all
    }

    /// Limits the payers' countries.
    #[must_use]
    pub const fn in_countries(self, countries: &'static [CountryCode]) -> Self {
        PayerMethodRules { countries, ..self }
    }

    /// Requires these members.
    #[must_use]
    pub const fn requiring(self, required: &'static [RequiredField]) -> Self {
        PayerMethodRules { required, ..self }
    }

    /// Allows captures later.
    #[must_use]
    pub const fn reserving(self) -> Self {
        PayerMethodRules {
            reserves: true,
            ..self
        }
    }

    /// Allows one capture later.
    #[must_use]
    pub const fn reserving_once(self) -> Self {
        PayerMethodRules {
            captured_once: true,
            ..self.reserving()
        }
    }

    /// Refuses a card that the payer entered before.
    #[must_use]
    pub const fn without_card(self) -> Self {
        PayerMethodRules {
            without_card: true,
            ..self
        }
    }

    /// Limits the banks.
    #[must_use]
    pub const fn at_banks(self, banks: &'static [BankName]) -> Self {
        PayerMethodRules { banks, ..self }
    }

    /// Has the merchant show a step of this form.
    #[must_use]
    pub const fn showing(self, form: StepForm) -> Self {
        PayerMethodRules {
            shows: Some(form),
            ..self
        }
    }

    /// Limits the amount in each of these currencies, from the smallest to the largest, in minor
    /// units.
    #[must_use]
    pub const fn between(self, amounts: &'static [(Currency, i64, i64)]) -> Self {
        PayerMethodRules { amounts, ..self }
    }

    /// Allows charges without the payer.
    #[must_use]
    pub const fn recurring(self) -> Self {
        PayerMethodRules {
            recurs: true,
            ..self
        }
    }

    /// Checks whether the method debits a bank account.
    pub fn is_debit(&self) -> bool {
        BankScheme::debited_by(self.kind).is_some()
    }

    /// Checks whether this amount can be paid.
    ///
    /// # Errors
    /// [`NotCounted::OutsideMethod`]
    pub fn check_charged(&self, money: Money) -> Result<(), NotCounted> {
        let mut rows = self.amounts.iter();
        let row = rows.find(|(currency, ..)| *currency == money.currency);
        match row {
            Some((currency, least, most)) if !(*least..=*most).contains(&money.amount_minor) => {
                Err(NotCounted::OutsideMethod {
                    kind: self.kind,
                    least: Money::new(*least, *currency),
                    most: Money::new(*most, *currency),
                })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks whether the method can be paid at this bank. A payer who names none excludes none.
    pub fn knows_bank(&self, bank: Option<BankName>) -> bool {
        self.banks.is_empty() || bank.is_none_or(|bank| self.banks.contains(&bank))
    }

    /// Checks whether the payer's way through the method is the wanted one. A payment that wants none excludes
    /// none. A debit leads the payer nowhere, so every wish fits.
    pub fn leads_by(&self, wanted: Option<PaymentExperience>) -> bool {
        wanted.is_none() || self.is_debit() || wanted == experience(self.kind, self.shows)
    }

    /// Checks whether the connector can send the method, if a card came along.
    pub fn takes(&self, with_card: bool) -> bool {
        !(with_card && self.without_card)
    }

    /// Checks whether the method can be paid in this currency.
    pub fn accepts(&self, currency: Currency) -> bool {
        self.currencies.is_empty() || self.currencies.contains(&currency)
    }

    /// Checks whether payers of this country can use the method. An unknown country excludes none.
    pub fn serves(&self, country: Option<CountryCode>) -> bool {
        self.countries.is_empty() || country.is_none_or(|country| self.countries.contains(&country))
    }

    /// Checks whether the method can be captured in this way.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        let is_once = !self.captured_once || method != CaptureMethod::ManualMultiple;
        method.is_automatic() || (self.reserves && is_once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variety_lies_under_its_method_once() {
        for variety in &VARIETIES {
            let Variety {
                method,
                kind,
                member,
            } = variety;
            assert!(kind.belongs_to(*method), "{kind}");
            let is_swish = *kind == PaymentMethodType::Swish;
            assert_eq!(variety.family() == method.as_str(), !is_swish, "{member}");
            assert_eq!(Variety::of_type(*kind), Some(variety));
        }
        assert_eq!(Variety::of_type(PaymentMethodType::Credit), None);
    }

    const IDEAL: PaymentMethodType = PaymentMethodType::Ideal;

    #[test]
    fn an_empty_list_excludes_no_currency_and_no_country() {
        let (nl, us) = (CountryCode::known("NL"), CountryCode::known("US"));
        let open = PayerMethodRules::new(IDEAL, &[]);
        assert!(open.accepts(Currency::USD) && open.serves(Some(us)));
        const DUTCH: &[CountryCode] = &[CountryCode::known("NL")];
        let limited = PayerMethodRules::new(IDEAL, &[Currency::EUR]).in_countries(DUTCH);
        assert!(limited.accepts(Currency::EUR) && !limited.accepts(Currency::USD));
        assert!(limited.serves(Some(nl)) && !limited.serves(Some(us)));
        assert!(limited.serves(None), "a payer whose country is unknown");
    }

    #[test]
    fn a_bank_outside_of_the_list_is_excluded() {
        let open = PayerMethodRules::new(PaymentMethodType::OnlineBankingPoland, &[]);
        let (m_bank, ing) = (Some(BankName::MBank), Some(BankName::Ing));
        assert!(open.knows_bank(ing));
        let limited = open.at_banks(&[BankName::MBank]);
        assert!(limited.knows_bank(m_bank) && limited.knows_bank(None));
        assert!(!limited.knows_bank(ing));
    }

    #[test]
    fn a_wanted_experience_excludes_every_other_one() {
        let qr = Some(PaymentExperience::DisplayQrCode);
        let page = Some(PaymentExperience::RedirectToUrl);
        let open = PayerMethodRules::new(PaymentMethodType::Cashapp, &[]);
        let leads = |rules: PayerMethodRules| [None, page, qr].map(|one| rules.leads_by(one));
        assert_eq!(leads(open), [true, true, false]);
        assert_eq!(leads(open.showing(StepForm::QrCode)), [true, false, true]);
        for form in [StepForm::Voucher, StepForm::BankTransfer] {
            assert_eq!(leads(open.showing(form)), [true, false, false]);
        }
        let debit = PayerMethodRules::new(PaymentMethodType::Sepa, &[]);
        assert_eq!(leads(debit), [true, true, true]);
    }

    #[test]
    fn only_reserved_money_is_captured_later() {
        let at_once = PayerMethodRules::new(IDEAL, &[]);
        assert!(at_once.captures(CaptureMethod::Automatic));
        assert!(!at_once.captures(CaptureMethod::Manual));
        assert!(at_once.reserving().captures(CaptureMethod::Manual));
        let several = CaptureMethod::ManualMultiple;
        assert!(at_once.reserving().captures(several));
        let once = at_once.reserving_once();
        assert!(once.captures(CaptureMethod::Manual) && !once.captures(several));
    }

    #[test]
    fn a_method_may_have_its_own_smallest_and_largest_amount() {
        let open = PayerMethodRules::new(IDEAL, &[]);
        let limited = open.between(&[(Currency::EUR, 500, 4_999_999)]);
        let takes = |rules: PayerMethodRules, amount, currency| {
            let checked = rules.check_charged(Money::new(amount, currency));
            checked.is_ok()
        };
        for amount in [1, 499, 500, 4_999_999, 5_000_000, i64::MAX] {
            let is_within = (500..=4_999_999).contains(&amount);
            assert_eq!(takes(limited, amount, Currency::EUR), is_within, "{amount}");
            assert!(
                takes(limited, amount, Currency::USD),
                "a currency without limits"
            );
            assert!(takes(open, amount, Currency::EUR));
        }
        let refused = limited.check_charged(Money::new(499, Currency::EUR));
        let why = refused.map_err(|why| why.to_string());
        insta::assert_snapshot!(why.expect_err("too little"), @"takes payment_method_type ideal only from 5.00 EUR to 49999.99 EUR");
    }

    #[test]
    fn a_payers_card_needs_a_connector_that_sends_it() {
        let rules = PayerMethodRules::new(PaymentMethodType::BancontactCard, &[]);
        assert!(rules.takes(false) && rules.takes(true));
        let rules = rules.without_card();
        assert!(rules.takes(false) && !rules.takes(true));
    }
}
