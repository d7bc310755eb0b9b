//! Methods that the payer finishes elsewhere, wire to domain. (Facts, appendix A)

mod families;

use multirail_domain::payments::payment::payer_method::{
    PayerCardInput, PayerInput, PayerMethodInput,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;

use crate::platform::convert::words::maybe_word;

pub use families::{at_bank, later, transfers, upi, vouchers};

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
pub fn only<const N: usize>(families: [Found; N]) -> Result<Option<PayerMethodInput>, Refusal> {
    let mut methods = families.into_iter().flat_map(|family| family.methods);
    match (methods.next(), methods.next()) {
        (only, None) => Ok(only),
        (_, Some(_)) => Err(Refusal::invalid_value(
            "payment_method_data takes exactly one instrument",
        )),
    }
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

impl Choices for types::BlikRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::BlikRequest { blik_code } = self;
        Ok(with_text(method, blik_code))
    }
}

impl Choices for types::UpiCollectRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::UpiCollectRequest { vpa_id } = self;
        Ok(with_text(method, vpa_id))
    }
}

impl Choices for types::BoletoRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::BoletoRequest {
            social_security_number,
        } = self;
        Ok(with_text(method, social_security_number))
    }
}

impl Choices for types::SepaBankTransferRequest {
    fn read(self, path: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::SepaBankTransferRequest {
            country,
            billing_details,
        } = self;
        let types::SepaBankTransferBilling { name, email } = billing_details.unwrap_or_default();
        Ok(PayerMethodInput {
            country: maybe_word(country, &format!("{path}.country"))?,
            payer: PayerInput {
                name,
                email,
                country: None,
            },
            ..method
        })
    }
}

impl Choices for types::MultibancoRequest {
    fn read(self, _: &str, method: PayerMethodInput) -> Result<PayerMethodInput, Refusal> {
        let types::MultibancoRequest { billing_details } = self;
        let types::MultibancoBilling { email } = billing_details.unwrap_or_default();
        Ok(PayerMethodInput {
            payer: PayerInput {
                email,
                ..PayerInput::default()
            },
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

/// Adds the payer's text, which is never stored.
fn with_text(method: PayerMethodInput, text: Option<types::Secret>) -> PayerMethodInput {
    PayerMethodInput {
        text: text.map(|text| SecretText::new(text.expose())),
        ..method
    }
}
