//! The members of a confirm that a checkout asks the payer for.

use multirail_kernel::country::CountryCode;
use multirail_kernel::words::words;

use crate::payer_method::countries;
use crate::payment_method::PaymentMethodType;

/// The countries whose bank accounts receive transfers in euro at the processors.
static OF_TRANSFERS: [CountryCode; 6] = countries(["BE", "DE", "ES", "FR", "IE", "NL"]);

words! {
    /// The kind of input field that a checkout shows for a member.
    pub enum FieldType {
        CardNumber = "user_card_number",
        CardExpiryMonth = "user_card_expiry_month",
        CardExpiryYear = "user_card_expiry_year",
        CardCvc = "user_card_cvc",
        EmailAddress = "user_email_address",
        BillingName = "user_billing_name",
        Country = "user_country",
        Bank = "user_bank",
        PhoneNumber = "user_phone_number",
        AddressLine1 = "user_address_line1",
        AddressCity = "user_address_city",
        AddressZip = "user_address_pincode",
        AddressState = "user_address_state",
        BlikCode = "user_blik_code",
        UpiAddress = "user_vpa_id",
        TaxNumber = "user_social_security_number",
        Iban = "user_iban",
        BankAccountNumber = "user_bank_account_number",
        BankRoutingNumber = "user_bank_routing_number",
        BankSortCode = "user_bank_sort_code",
        BsbNumber = "user_bsb_number",
        BankAccountHolder = "user_bank_account_holder_name",
    }
}

/// A member without which the confirm is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredField {
    CardNumber,
    CardExpMonth,
    CardExpYear,
    CardCvc,
    /// The security code of the saved card.
    SavedCardCvc,
    BillingEmail,
    BillingFirstName,
    BillingLastName,
    BillingPhone,
    /// The country code of a phone number that doesn't begin with one.
    BillingPhoneCountry,
    BillingLine1,
    BillingCity,
    BillingZip,
    /// The state, in countries whose addresses need one.
    BillingState,
    BillingCountry,
    /// The bank of an online banking payment in Poland.
    PolishBank,
    BancontactNumber,
    BancontactExpMonth,
    BancontactExpYear,
    /// The code that the payer's banking app shows.
    BlikCode,
    /// The payer's address in UPI.
    UpiAddress,
    /// The payer's tax number in Brazil.
    TaxNumber,
    /// The country of the payer's bank.
    SepaCountry,
    AchAccount,
    AchRouting,
    AchHolder,
    BacsAccount,
    BacsSortCode,
    BacsHolder,
    BecsAccount,
    BecsBsb,
    BecsHolder,
    SepaDebitIban,
    SepaDebitHolder,
}

/// The methods whose own data may have the payer's full name or e-mail address, with these members.
const OF_METHODS: [(PaymentMethodType, Option<&str>, &str); 9] = [
    (
        PaymentMethodType::AfterpayClearpay,
        Some("billing_name"),
        "billing_email",
    ),
    (
        PaymentMethodType::BancontactCard,
        Some("billing_details.billing_name"),
        "billing_details.email",
    ),
    (
        PaymentMethodType::Eps,
        Some("billing_details.billing_name"),
        "billing_details.email",
    ),
    (
        PaymentMethodType::Ideal,
        Some("billing_details.billing_name"),
        "billing_details.email",
    ),
    (PaymentMethodType::Klarna, None, "billing_email"),
    (PaymentMethodType::Multibanco, None, "billing_details.email"),
    (PaymentMethodType::Paypal, None, "email"),
    (
        PaymentMethodType::Przelewy24,
        Some("billing_details.billing_name"),
        "billing_details.email",
    ),
    (
        PaymentMethodType::SepaBankTransfer,
        Some("billing_details.name"),
        "billing_details.email",
    ),
];

impl RequiredField {
    /// Returns the member of a method's own data that may have this field of the payer, too.
    pub fn member_in(self, kind: PaymentMethodType) -> Option<&'static str> {
        let (_, name, email) = OF_METHODS.iter().find(|(own, ..)| *own == kind)?;
        if self == RequiredField::BillingEmail {
            return Some(*email);
        }
        name.filter(|_| self.field_type() == FieldType::BillingName)
    }

    /// Returns the field's path in the request.
    pub fn member(self) -> &'static str {
        match self {
            RequiredField::CardNumber => "payment_method_data.card.card_number",
            RequiredField::CardExpMonth => "payment_method_data.card.card_exp_month",
            RequiredField::CardExpYear => "payment_method_data.card.card_exp_year",
            RequiredField::CardCvc => "payment_method_data.card.card_cvc",
            RequiredField::SavedCardCvc => "card_cvc",
            RequiredField::BillingEmail => "payment_method_data.billing.email",
            RequiredField::BillingFirstName => "payment_method_data.billing.address.first_name",
            RequiredField::BillingLastName => "payment_method_data.billing.address.last_name",
            RequiredField::BillingPhone => "payment_method_data.billing.phone.number",
            RequiredField::BillingPhoneCountry => "payment_method_data.billing.phone.country_code",
            RequiredField::BillingLine1 => "payment_method_data.billing.address.line1",
            RequiredField::BillingCity => "payment_method_data.billing.address.city",
            RequiredField::BillingZip => "payment_method_data.billing.address.zip",
            RequiredField::BillingState => "payment_method_data.billing.address.state",
            RequiredField::BillingCountry => "payment_method_data.billing.address.country",
            RequiredField::PolishBank => {
                "payment_method_data.bank_redirect.online_banking_poland.issuer"
            }
            RequiredField::BancontactNumber => {
                "payment_method_data.bank_redirect.bancontact_card.card_number"
            }
            RequiredField::BancontactExpMonth => {
                "payment_method_data.bank_redirect.bancontact_card.card_exp_month"
            }
            RequiredField::BancontactExpYear => {
                "payment_method_data.bank_redirect.bancontact_card.card_exp_year"
            }
            RequiredField::BlikCode => "payment_method_data.bank_redirect.blik.blik_code",
            RequiredField::UpiAddress => "payment_method_data.upi.upi_collect.vpa_id",
            RequiredField::TaxNumber => "payment_method_data.voucher.boleto.social_security_number",
            RequiredField::SepaCountry => {
                "payment_method_data.bank_transfer.sepa_bank_transfer.country"
            }
            RequiredField::AchAccount => {
                "payment_method_data.bank_debit.ach_bank_debit.account_number"
            }
            RequiredField::AchRouting => {
                "payment_method_data.bank_debit.ach_bank_debit.routing_number"
            }
            RequiredField::AchHolder => {
                "payment_method_data.bank_debit.ach_bank_debit.bank_account_holder_name"
            }
            RequiredField::BacsAccount => {
                "payment_method_data.bank_debit.bacs_bank_debit.account_number"
            }
            RequiredField::BacsSortCode => {
                "payment_method_data.bank_debit.bacs_bank_debit.sort_code"
            }
            RequiredField::BacsHolder => {
                "payment_method_data.bank_debit.bacs_bank_debit.bank_account_holder_name"
            }
            RequiredField::BecsAccount => {
                "payment_method_data.bank_debit.becs_bank_debit.account_number"
            }
            RequiredField::BecsBsb => "payment_method_data.bank_debit.becs_bank_debit.bsb_number",
            RequiredField::BecsHolder => {
                "payment_method_data.bank_debit.becs_bank_debit.bank_account_holder_name"
            }
            RequiredField::SepaDebitIban => "payment_method_data.bank_debit.sepa_bank_debit.iban",
            RequiredField::SepaDebitHolder => {
                "payment_method_data.bank_debit.sepa_bank_debit.bank_account_holder_name"
            }
        }
    }

    /// Returns the field's name: the end of the path.
    pub fn name(self) -> &'static str {
        let member = self.member();
        member.rsplit_once('.').map_or(member, |(_, name)| name)
    }

    /// Returns the countries that a checkout offers for the field. `None` means every country.
    pub fn countries(self) -> Option<&'static [CountryCode]> {
        (self == RequiredField::SepaCountry).then_some(OF_TRANSFERS.as_slice())
    }

    pub fn field_type(self) -> FieldType {
        match self {
            RequiredField::CardNumber | RequiredField::BancontactNumber => FieldType::CardNumber,
            RequiredField::CardExpMonth | RequiredField::BancontactExpMonth => {
                FieldType::CardExpiryMonth
            }
            RequiredField::CardExpYear | RequiredField::BancontactExpYear => {
                FieldType::CardExpiryYear
            }
            RequiredField::CardCvc | RequiredField::SavedCardCvc => FieldType::CardCvc,
            RequiredField::BillingEmail => FieldType::EmailAddress,
            RequiredField::BillingFirstName | RequiredField::BillingLastName => {
                FieldType::BillingName
            }
            RequiredField::BillingPhone | RequiredField::BillingPhoneCountry => {
                FieldType::PhoneNumber
            }
            RequiredField::BillingLine1 => FieldType::AddressLine1,
            RequiredField::BillingCity => FieldType::AddressCity,
            RequiredField::BillingZip => FieldType::AddressZip,
            RequiredField::BillingState => FieldType::AddressState,
            RequiredField::BillingCountry | RequiredField::SepaCountry => FieldType::Country,
            RequiredField::PolishBank => FieldType::Bank,
            RequiredField::BlikCode => FieldType::BlikCode,
            RequiredField::UpiAddress => FieldType::UpiAddress,
            RequiredField::TaxNumber => FieldType::TaxNumber,
            RequiredField::AchAccount | RequiredField::BacsAccount | RequiredField::BecsAccount => {
                FieldType::BankAccountNumber
            }
            RequiredField::AchRouting => FieldType::BankRoutingNumber,
            RequiredField::AchHolder
            | RequiredField::BacsHolder
            | RequiredField::BecsHolder
            | RequiredField::SepaDebitHolder => FieldType::BankAccountHolder,
            RequiredField::BacsSortCode => FieldType::BankSortCode,
            RequiredField::BecsBsb => FieldType::BsbNumber,
            RequiredField::SepaDebitIban => FieldType::Iban,
        }
    }
}
