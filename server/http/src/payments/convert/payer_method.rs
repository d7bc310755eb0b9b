//! Methods that the payer finishes elsewhere, wire to domain. (Facts, appendix A)
//!
//! A family's function names every member of its request, so that a new one of the document doesn't
//! compile until it is handled.

use multirail_domain::payments::payment::payer_method::{
    PayerCardInput, PayerInput, PayerMethodInput,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;

use crate::platform::convert::words::maybe_word;

/// The methods in one family of a request.
#[derive(Debug, Default)]
pub struct Found {
    pub methods: Vec<PayerMethodInput>,
    /// The family has a member that nothing accepts.
    pub another: bool,
    /// The family has no member.
    pub is_empty: bool,
}

impl Found {
    pub(super) fn new<const K: usize, const A: usize>(
        known: [Option<PayerMethodInput>; K],
        others: [bool; A],
    ) -> Self {
        let methods: Vec<PayerMethodInput> = known.into_iter().flatten().collect();
        let another = others.contains(&true);
        Found {
            is_empty: methods.is_empty() && !another,
            another,
            methods,
        }
    }
}

/// Returns the only method of these families.
///
/// # Errors
/// Several methods.
pub fn only(families: [Found; 3]) -> Result<Option<PayerMethodInput>, Refusal> {
    let mut methods = families.into_iter().flat_map(|family| family.methods);
    match (methods.next(), methods.next()) {
        (only, None) => Ok(only),
        (_, Some(_)) => Err(Refusal::invalid_value(
            "payment_method_data takes exactly one instrument",
        )),
    }
}

/// Reads the methods at a bank.
///
/// # Errors
/// A word that this version doesn't know.
pub fn at_bank(request: types::BankRedirectRequest) -> Result<Found, Refusal> {
    let types::BankRedirectRequest {
        ideal,
        bancontact_card,
        bizum,
        blik,
        eps,
        giropay,
        interac,
        online_banking_czech_republic,
        online_banking_finland,
        online_banking_poland,
        online_banking_slovakia,
        open_banking_uk,
        przelewy24,
        sofort,
        swish,
        trustly,
        online_banking_fpx,
        online_banking_thailand,
        local_bank_redirect,
        eft,
    } = request;
    let known = [
        given(PaymentMethodType::BancontactCard, bancontact_card)?,
        given(PaymentMethodType::Eps, eps)?,
        given(PaymentMethodType::Ideal, ideal)?,
        given(
            PaymentMethodType::OnlineBankingPoland,
            online_banking_poland,
        )?,
        given(PaymentMethodType::Przelewy24, przelewy24)?,
        given(PaymentMethodType::Trustly, trustly)?,
    ];
    let others = [
        bizum.is_some(),
        blik.is_some(),
        giropay.is_some(),
        interac.is_some(),
        online_banking_czech_republic.is_some(),
        online_banking_finland.is_some(),
        online_banking_slovakia.is_some(),
        open_banking_uk.is_some(),
        sofort.is_some(),
        swish.is_some(),
        online_banking_fpx.is_some(),
        online_banking_thailand.is_some(),
        local_bank_redirect.is_some(),
        eft.is_some(),
    ];
    Ok(Found::new(known, others))
}

/// Reads the pay-later accounts.
///
/// # Errors
/// A word that this version doesn't know.
pub fn later(request: types::PayLaterRequest) -> Result<Found, Refusal> {
    let types::PayLaterRequest {
        klarna_redirect,
        klarna_sdk,
        affirm_redirect,
        afterpay_clearpay_redirect,
        pay_bright_redirect,
        flexiti_redirect,
        walley_redirect,
        alma_redirect,
        atome_redirect,
        breadpay_redirect,
    } = request;
    let known = [
        given(PaymentMethodType::Affirm, affirm_redirect)?,
        given(
            PaymentMethodType::AfterpayClearpay,
            afterpay_clearpay_redirect,
        )?,
        given(PaymentMethodType::Klarna, klarna_redirect)?,
    ];
    let others = [
        klarna_sdk.is_some(),
        pay_bright_redirect.is_some(),
        flexiti_redirect.is_some(),
        walley_redirect.is_some(),
        alma_redirect.is_some(),
        atome_redirect.is_some(),
        breadpay_redirect.is_some(),
    ];
    Ok(Found::new(known, others))
}

/// The members of one method in a request.
pub(super) trait Choices {
    /// Returns the payer's choices. `path` is the method's member in the request.
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal>;
}

/// Reads a method, if it is given.
pub(super) fn given<T: Choices>(
    kind: PaymentMethodType,
    choices: Option<T>,
) -> Result<Option<PayerMethodInput>, Refusal> {
    let member = Variety::of_type(kind).map_or("", |variety| variety.member);
    let read = choices.map(|choices| {
        let path = format!("payment_method_data.{member}");
        choices.read(&path, PayerMethodInput::new(kind))
    });
    read.transpose()
}

impl Choices for types::RedirectRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        // The document allows no member.
        let types::RedirectRequest(_) = self;
        Ok(method)
    }
}

impl Choices for types::IdealRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::IdealRequest {
            bank_name,
            country,
            billing_details,
        } = self;
        at_a_bank(path, method, bank_name, country, billing_details)
    }
}

impl Choices for types::EpsRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::EpsRequest {
            bank_name,
            country,
            billing_details,
        } = self;
        at_a_bank(path, method, bank_name, country, billing_details)
    }
}

impl Choices for types::Przelewy24Request {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::Przelewy24Request {
            bank_name,
            billing_details,
        } = self;
        at_a_bank(path, method, bank_name, None, billing_details)
    }
}

impl Choices for types::OnlineBankingPolandRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::OnlineBankingPolandRequest { issuer } = self;
        Ok(PayerMethodInput {
            bank_name: maybe_word(issuer, &format!("{path}.issuer"))?,
            ..method
        })
    }
}

impl Choices for types::TrustlyRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::TrustlyRequest { country } = self;
        Ok(PayerMethodInput {
            country: maybe_word(country, &format!("{path}.country"))?,
            ..method
        })
    }
}

impl Choices for types::BancontactCardRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::BancontactCardRequest {
            card_number,
            card_exp_month,
            card_exp_year,
            card_holder_name,
            billing_details,
        } = self;
        let is_given = card_number.is_some()
            || card_exp_month.is_some()
            || card_exp_year.is_some()
            || card_holder_name.is_some();
        Ok(PayerMethodInput {
            card: is_given.then(|| PayerCardInput {
                number: card_number.map(|number| SecretText::new(number.expose())),
                exp_month: card_exp_month,
                exp_year: card_exp_year,
                holder_name: card_holder_name,
            }),
            payer: payer(billing_details),
            ..method
        })
    }
}

impl Choices for types::KlarnaRedirectRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::KlarnaRedirectRequest {
            billing_email,
            billing_country,
        } = self;
        Ok(PayerMethodInput {
            payer: PayerInput {
                name: None,
                email: billing_email,
                country: maybe_word(billing_country, &format!("{path}.billing_country"))?,
            },
            ..method
        })
    }
}

impl Choices for types::AfterpayClearpayRedirectRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::AfterpayClearpayRedirectRequest {
            billing_email,
            billing_name,
        } = self;
        Ok(PayerMethodInput {
            payer: PayerInput {
                name: billing_name,
                email: billing_email,
                country: None,
            },
            ..method
        })
    }
}

impl Choices for types::PaypalRedirectRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::PaypalRedirectRequest { email } = self;
        Ok(PayerMethodInput {
            payer: PayerInput {
                email,
                ..PayerInput::default()
            },
            ..method
        })
    }
}

/// Reads the choices of a payer who pays at the page of a bank.
fn at_a_bank(
    path: &str,
    method: PayerMethodInput,
    bank_name: Option<types::BankName>,
    country: Option<types::CountryCode>,
    billing_details: Option<types::BankRedirectBilling>,
) -> Result<PayerMethodInput, Refusal> {
    Ok(PayerMethodInput {
        bank_name: maybe_word(bank_name, &format!("{path}.bank_name"))?,
        country: maybe_word(country, &format!("{path}.country"))?,
        payer: payer(billing_details),
        ..method
    })
}

fn payer(billing: Option<types::BankRedirectBilling>) -> PayerInput {
    let types::BankRedirectBilling {
        billing_name,
        email,
    } = billing.unwrap_or_default();
    PayerInput {
        name: billing_name,
        email,
        country: None,
    }
}
