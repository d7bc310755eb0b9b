//! The methods on the page of a payment link, and the fields of their forms.

use multirail_app::payments::link::LinkView;
use multirail_domain::payments::offer::{Offer, RequiredField};
use multirail_kernel::country::CountryCode;
use multirail_page::pay::{
    Bank, Choices, Field, FieldKind, Language, MandateScope, Method, banks, method_name,
};
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::PaymentMethod;

use crate::platform::convert::address::address_answer;

/// Returns the payer's choices among these offers. Wallets of devices are left out: the page runs no script of theirs.
pub(super) fn choices<'a>(view: &LinkView, offers: &[Offer]) -> Choices<'a> {
    let billing = view.payment.payer.billing.clone();
    let scope = match view.payment.terms.setup_future_usage {
        Some(_) => MandateScope::Later,
        None => MandateScope::Once,
    };
    let is_card = |offer: &Offer| offer.payment_method == PaymentMethod::Card;
    let methods = offers.iter().filter_map(|offer| method(offer, scope));
    Choices {
        card: offers.iter().any(is_card),
        methods: methods.collect(),
        billing: billing.and_then(|known| serde_json::to_string(&address_answer(known)).ok()),
    }
}

/// Returns the form of an offer. `scope` is that of a debit's mandate.
fn method<'a>(offer: &Offer, scope: MandateScope) -> Option<Method<'a>> {
    method_name(offer.payment_method_type.as_str(), Language::English)?;
    match BankScheme::debited_by(offer.payment_method_type) {
        Some(scheme) => debit(offer, scheme, scope),
        None => method_of_payer(offer),
    }
}

/// Returns the fields that the offer requires, in the order of a form.
fn required_fields<'a>(offer: &Offer) -> Vec<Field<'a>> {
    let required = offer.required.iter();
    let mut fields: Vec<Field<'a>> = required.filter_map(|one| field(*one, offer)).collect();
    fields.sort_by_key(|field| place(&field.kind));
    fields.dedup_by(|one, other| one.member == other.member);
    fields
}

fn debit<'a>(offer: &Offer, scheme: BankScheme, scope: MandateScope) -> Option<Method<'a>> {
    let member = scheme.debit_member()?;
    let mut fields = required_fields(offer);
    if scheme == BankScheme::Ach {
        fields.push(Field {
            kind: FieldKind::AccountType,
            member: format!("payment_method_data.{member}.bank_type"),
            is_required: false,
        });
        fields.sort_by_key(|field| place(&field.kind));
    }
    Some(Method {
        kind: offer.payment_method_type.as_str(),
        family: offer.payment_method.as_str(),
        member,
        at_page: false,
        fields,
        mandate: Some(scope),
    })
}

fn method_of_payer<'a>(offer: &Offer) -> Option<Method<'a>> {
    let variety = Variety::of_type(offer.payment_method_type)?;
    let kind = variety.kind.as_str();
    let mut fields = required_fields(offer);
    let asks_for_bank = fields
        .iter()
        .any(|field| matches!(field.kind, FieldKind::Bank(_)));
    let banks = offered_banks(offer);
    if !asks_for_bank && !banks.is_empty() {
        fields.insert(0, bank(variety, banks));
    }
    Some(Method {
        kind,
        family: variety.method.as_str(),
        member: variety.member,
        at_page: offer.connectors.keys().all(Option::is_none),
        fields,
        mandate: None,
    })
}

/// Returns the field of a bank that the payer may leave open.
fn bank<'a>(variety: &Variety, banks: Vec<Bank>) -> Field<'a> {
    let polish = RequiredField::PolishBank.member();
    let path = format!("payment_method_data.{}.bank_name", variety.member);
    let is_polish = polish.contains(variety.member);
    Field {
        kind: FieldKind::Bank(banks),
        member: if is_polish { polish.to_owned() } else { path },
        is_required: false,
    }
}

/// Returns the banks that a connector of the offer accepts, with their names.
fn offered_banks(offer: &Offer) -> Vec<Bank> {
    let offered = offer.banks.keys().copied().flatten();
    let words: Vec<&str> = offered.map(|bank| bank.as_str()).collect();
    let banks = banks(offer.payment_method_type.as_str()).iter().copied();
    banks.filter(|(word, _)| words.contains(word)).collect()
}

/// Returns the order of the fields: first the method's own, then the payer, then the address.
fn place(kind: &FieldKind<'_>) -> u8 {
    match kind {
        FieldKind::AccountHolder
        | FieldKind::Bank(_)
        | FieldKind::BlikCode
        | FieldKind::UpiAddress
        | FieldKind::CardNumber => 0,
        FieldKind::CardExpiry
        | FieldKind::Iban
        | FieldKind::RoutingNumber
        | FieldKind::SortCode
        | FieldKind::BsbNumber => 1,
        FieldKind::AchAccount | FieldKind::BacsAccount | FieldKind::BecsAccount => 2,
        FieldKind::AccountType => 3,
        FieldKind::FirstName => 4,
        FieldKind::LastName => 5,
        FieldKind::TaxNumber => 6,
        FieldKind::Email => 7,
        FieldKind::Phone => 8,
        FieldKind::Line1 => 9,
        FieldKind::Zip => 10,
        FieldKind::City => 11,
        FieldKind::State => 12,
        FieldKind::Country(_) => 13,
    }
}

/// Returns the field of a required member. Those of cards are on the card's form, and a card's year beside its month.
fn field<'a>(required: RequiredField, offer: &Offer) -> Option<Field<'a>> {
    let kind = match required {
        RequiredField::CardNumber
        | RequiredField::CardExpMonth
        | RequiredField::CardExpYear
        | RequiredField::CardCvc
        | RequiredField::SavedCardCvc
        | RequiredField::BancontactExpYear => return None,
        RequiredField::AchAccount => FieldKind::AchAccount,
        RequiredField::AchRouting => FieldKind::RoutingNumber,
        RequiredField::BacsAccount => FieldKind::BacsAccount,
        RequiredField::BacsSortCode => FieldKind::SortCode,
        RequiredField::BecsAccount => FieldKind::BecsAccount,
        RequiredField::BecsBsb => FieldKind::BsbNumber,
        RequiredField::SepaDebitIban => FieldKind::Iban,
        RequiredField::AchHolder
        | RequiredField::BacsHolder
        | RequiredField::BecsHolder
        | RequiredField::SepaDebitHolder => FieldKind::AccountHolder,
        RequiredField::BillingEmail => FieldKind::Email,
        RequiredField::BillingFirstName => FieldKind::FirstName,
        RequiredField::BillingLastName => FieldKind::LastName,
        RequiredField::BillingPhone | RequiredField::BillingPhoneCountry => FieldKind::Phone,
        RequiredField::BillingLine1 => FieldKind::Line1,
        RequiredField::BillingCity => FieldKind::City,
        RequiredField::BillingZip => FieldKind::Zip,
        RequiredField::BillingState => FieldKind::State,
        RequiredField::BillingCountry | RequiredField::SepaCountry => {
            FieldKind::Country(countries(required))
        }
        RequiredField::PolishBank => FieldKind::Bank(offered_banks(offer)),
        RequiredField::BancontactNumber => FieldKind::CardNumber,
        RequiredField::BancontactExpMonth => FieldKind::CardExpiry,
        RequiredField::BlikCode => FieldKind::BlikCode,
        RequiredField::UpiAddress => FieldKind::UpiAddress,
        RequiredField::TaxNumber => FieldKind::TaxNumber,
    };
    // The page asks for a number with its country code.
    let is_phone = matches!(kind, FieldKind::Phone);
    let member = match is_phone {
        true => RequiredField::BillingPhone,
        false => required,
    };
    Some(Field {
        kind,
        member: member.member().to_owned(),
        is_required: true,
    })
}

fn countries(field: RequiredField) -> Vec<&'static str> {
    match field.countries() {
        Some(offered) => offered.iter().map(|one| one.as_str()).collect(),
        None => CountryCode::all().map(CountryCode::as_str).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use multirail_sdk::bank_name::BankName;
    use multirail_sdk::banks::banks_of;
    use multirail_sdk::connector::StepForm;
    use multirail_sdk::payer_method::VARIETIES;
    use multirail_sdk::payment_method::PaymentMethodType;

    use super::*;

    fn offer(kind: PaymentMethodType, required: &[RequiredField]) -> Offer {
        let variety = Variety::of_type(kind);
        Offer {
            payment_method: variety.map_or(PaymentMethod::BankDebit, |variety| variety.method),
            payment_method_type: kind,
            connectors: BTreeMap::from([(None, BTreeSet::new())]),
            networks: BTreeMap::new(),
            banks: BTreeMap::from([(banks_of(kind), BTreeSet::new())]),
            required: required.to_vec(),
        }
    }

    fn form<'a>(offer: &Offer) -> Method<'a> {
        method(offer, MandateScope::Once).expect("a method")
    }

    fn members(kind: PaymentMethodType, required: &[RequiredField]) -> Vec<(String, bool)> {
        let method = form(&offer(kind, required));
        let fields = method.fields.into_iter();
        fields
            .map(|field| (field.member, field.is_required))
            .collect()
    }

    #[test]
    fn every_variety_is_offered_under_its_words() {
        for variety in &VARIETIES {
            let method = form(&offer(variety.kind, &[]));
            assert_eq!(method.family, variety.method.as_str());
            assert_eq!(method.member, variety.member);
            assert!(method.at_page);
        }
        let mut scanned = offer(PaymentMethodType::Pix, &[]);
        scanned.connectors = BTreeMap::from([(Some(StepForm::QrCode), BTreeSet::new())]);
        assert!(!form(&scanned).at_page);
    }

    #[test]
    fn a_debit_asks_for_the_account_and_a_mandate() {
        let required = [
            RequiredField::AchAccount,
            RequiredField::AchRouting,
            RequiredField::AchHolder,
        ];
        let debit = form(&offer(PaymentMethodType::Ach, &required));
        assert_eq!(debit.family, "bank_debit");
        assert_eq!(debit.member, "bank_debit.ach_bank_debit");
        assert_eq!(debit.mandate, Some(MandateScope::Once));
        assert!(!debit.at_page);
        let names = debit.fields.iter().filter_map(|field| {
            let (_, name) = field.member.rsplit_once('.')?;
            Some((name, field.is_required))
        });
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                ("bank_account_holder_name", true),
                ("routing_number", true),
                ("account_number", true),
                ("bank_type", false),
            ]
        );
        let ideal = form(&offer(PaymentMethodType::Ideal, &[]));
        assert_eq!(ideal.mandate, None);
    }

    #[test]
    fn the_country_of_a_transfer_is_one_that_receives_them() {
        let transfers = countries(RequiredField::SepaCountry);
        assert_eq!(transfers, ["BE", "DE", "ES", "FR", "IE", "NL"]);
        assert!(countries(RequiredField::BillingCountry).len() > 200);
    }

    #[test]
    fn the_page_has_a_name_for_each_bank_of_the_contract() {
        for variety in &VARIETIES {
            let named = banks(variety.kind.as_str()).iter();
            let named: Vec<&str> = named.map(|(word, _)| *word).collect();
            let offered = banks_of(variety.kind).iter();
            let offered: Vec<&str> = offered.map(|bank| bank.as_str()).collect();
            assert_eq!(named, offered, "{}", variety.kind);
        }
    }

    #[test]
    fn only_banks_that_an_account_takes_are_shown() {
        let mut polish = offer(
            PaymentMethodType::OnlineBankingPoland,
            &[RequiredField::PolishBank],
        );
        let takes = |banks: &'static [BankName]| (banks, BTreeSet::new());
        polish.banks = BTreeMap::from([
            takes(&[BankName::MBank]),
            takes(&[BankName::MBank, BankName::VeloBank]),
        ]);
        let banks = vec![("m_bank", "mBank"), ("velo_bank", "VeloBank")];
        assert_eq!(form(&polish).fields[0].kind, FieldKind::Bank(banks));
    }

    #[test]
    fn a_bank_may_be_left_open_unless_it_is_required() {
        let path = "payment_method_data.bank_redirect.ideal.bank_name";
        let ideal = members(PaymentMethodType::Ideal, &[]);
        assert_eq!(ideal, [(path.to_owned(), false)]);
        let polish = PaymentMethodType::OnlineBankingPoland;
        let path = "payment_method_data.bank_redirect.online_banking_poland.issuer";
        assert_eq!(members(polish, &[]), [(path.to_owned(), false)]);
        let required = members(polish, &[RequiredField::PolishBank]);
        assert_eq!(required, [(path.to_owned(), true)]);
    }

    #[test]
    fn the_methods_own_field_is_first_and_the_year_is_beside_the_month() {
        let required = [
            RequiredField::BillingEmail,
            RequiredField::BillingFirstName,
            RequiredField::BlikCode,
        ];
        let names: Vec<String> = members(PaymentMethodType::Blik, &required)
            .into_iter()
            .map(|(member, _)| member)
            .collect();
        assert_eq!(
            names,
            [
                RequiredField::BlikCode.member(),
                RequiredField::BillingFirstName.member(),
                RequiredField::BillingEmail.member(),
            ]
        );
        let of_card = [
            RequiredField::BancontactExpYear,
            RequiredField::BancontactExpMonth,
            RequiredField::BancontactNumber,
        ];
        let fields = members(PaymentMethodType::BancontactCard, &of_card);
        assert_eq!(fields.len(), 2);
    }
}
