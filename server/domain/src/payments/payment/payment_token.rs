//! A saved payment method as the caller names it, and the members that have to agree with it.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::CardCode;
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType, check_type};

use crate::customers::saved_method::TokenMethod;
use crate::payments::payment::instrument::{GivenInstrument, InstrumentInput};
use crate::payments::payment::saved::{AttemptMethod, MethodRole};

/// A `payment_token`.
#[derive(Clone, Debug)]
pub struct TokenInput {
    /// The token as the caller wrote it.
    pub text: SecretText,
    /// The saved method of this payment's customer that the token stands for, if any.
    pub found: Option<Box<TokenMethod>>,
    /// True if the token was given before with the card's security code, which may be gone by now.
    pub code_was_given: bool,
}

impl InstrumentInput {
    /// Checks a `payment_token` with the members that came along.
    ///
    /// # Errors
    /// A token that stands for nothing, and members that contradict the method that it stands for.
    pub(crate) fn check_token(self) -> Result<GivenInstrument, Refusal> {
        let gives_data = self.gives_data();
        let token = self.token.ok_or(Refusal::TokenInvalid)?;
        let found = token.found.ok_or(Refusal::TokenInvalid)?;
        if gives_data {
            return Err(Refusal::invalid_value(
                "payment_token and payment_method_data can't both say what pays",
            ));
        }
        let TokenMethod {
            token: stood,
            payment_method_id,
            customer_id: _,
            mut data,
            payment_method_type,
            billing,
            is_kept,
            has_consent,
            consent,
        } = *found;
        let family = check_stands_for(
            "payment_token",
            &data,
            self.payment_method,
            self.payment_method_type,
        )?;
        let code = self.token_code;
        let code = code
            .map(|code| CardCode::parse(code.expose(), "card_cvc"))
            .transpose()?;
        let said_name = self.token_holder_name.filter(|name| !name.is_empty());
        let holder_was_given = said_name.is_some();
        let mut code_was_given = token.code_was_given;
        if let PaymentMethodData::Card(card) = &mut data {
            card.code = code;
            code_was_given |= card.code.is_some();
            card.holder.name = said_name.or(card.holder.name.take());
        } else if code.is_some() || holder_was_given {
            return Err(Refusal::invalid_value(
                "payment_token stands for a bank account, which has no card_cvc and no card_holder_name",
            ));
        }
        let billing_was_given = self.billing.is_some();
        Ok(GivenInstrument {
            instrument: data.instrument(
                family,
                self.payment_method_type.or(payment_method_type),
                self.billing.or(billing),
            ),
            data,
            method: Some(Box::new(AttemptMethod {
                payment_method_id,
                role: MethodRole::Pays,
                token: Some(stood),
                code_was_given: Some(code_was_given),
                holder_was_given: Some(holder_was_given),
                billing_was_given: Some(billing_was_given),
                consent_was_given: has_consent.then_some(true),
                consented_at: None,
                unread: UnreadMembers::default(),
            })),
            recurring: None,
            mandate: None,
            consent,
            is_kept,
        })
    }
}

/// Returns the payment method of a saved method's data.
///
/// # Errors
/// A request that names another one, or another type of it.
pub(crate) fn check_stands_for(
    member: &str,
    data: &PaymentMethodData,
    method: Option<PaymentMethod>,
    kind: Option<PaymentMethodType>,
) -> Result<PaymentMethod, Refusal> {
    let (family, account_type) = match data {
        PaymentMethodData::BankDebit(account) => (PaymentMethod::BankDebit, account.debited_as()),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Payer(_) => (PaymentMethod::Card, None),
    };
    if let Some(method) = method {
        if method != family {
            return Err(Refusal::invalid_value(format!(
                "{member} stands for a {family}, and not for payment_method {method}"
            )));
        }
        check_type(method, kind.or(account_type))?;
    }
    match (kind, account_type) {
        (Some(kind), Some(account_type)) if kind != account_type => {
            Err(Refusal::invalid_value(format!(
                "{member} stands for an account of the payment_method_type {account_type}, and not {kind}"
            )))
        }
        (Some(_) | None, _) => Ok(family),
    }
}
