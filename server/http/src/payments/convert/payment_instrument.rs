//! The instrument of a payment, as create, update and confirm name it.

use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::{InstrumentInput, TokenInput};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::GivenCardDetails;
use multirail_types as types;

use super::payment_members::Instrument;
use super::{bank_debit, payer_method, wallet};
use crate::platform::convert::address::maybe_address;
use crate::platform::convert::words::{ToDomain, maybe_word};

/// Reads the instrument.
///
/// # Errors
///
/// A word that this version doesn't know, an invalid address, two codes that differ.
pub fn instrument(pays: Instrument) -> Result<InstrumentInput, Refusal> {
    let Instrument {
        payment_method,
        payment_method_type,
        payment_method_data: data,
        payment_token: token,
        card_cvc: token_code,
    } = pays;
    let mut input = InstrumentInput {
        payment_method: maybe_word(payment_method, "payment_method")?,
        payment_method_type: maybe_word(payment_method_type, "payment_method_type")?,
        token: token.map(|token| TokenInput {
            text: SecretText::new(token),
            found: None,
            code_was_given: false,
        }),
        token_code: token_code.map(|code| SecretText::new(code.expose())),
        ..InstrumentInput::default()
    };
    let Some(data) = data else {
        return Ok(input);
    };
    let types::PaymentMethodDataRequest {
        billing,
        card,
        card_token,
        card_redirect,
        wallet,
        pay_later,
        bank_redirect,
        bank_debit,
        bank_transfer,
        real_time_payment,
        crypto,
        upi,
        voucher,
        gift_card,
        open_banking,
        mobile_payment,
        network_token,
        mandate_payment,
        reward,
    } = *data;
    if let Some(more) = card_token {
        let types::CardTokenRequest {
            card_holder_name,
            card_cvc,
        } = more;
        let code = card_cvc.map(|code| SecretText::new(code.expose()));
        if code.is_some() && input.token_code.is_some() && code != input.token_code {
            return Err(Refusal::invalid_value(
                "card_cvc and payment_method_card_token.card_cvc differ",
            ));
        }
        input.token_code = input.token_code.or(code);
        // The object's members, even absent ones, belong to the token.
        input.token_holder_name = Some(card_holder_name.unwrap_or_default());
    }
    let wallets = wallet.map(|wallet| wallet::wallets(*wallet)).transpose()?;
    let wallet::Wallets {
        with_token,
        elsewhere: wallet,
    } = wallets.unwrap_or_default();
    let later = pay_later.map(|later| payer_method::later(*later));
    let later = later.transpose()?.unwrap_or_default();
    let bank = bank_redirect.map(|bank| payer_method::at_bank(*bank));
    let bank = bank.transpose()?.unwrap_or_default();
    let transfer = bank_transfer.map(|transfer| payer_method::transfers(*transfer));
    let transfer = transfer.transpose()?.unwrap_or_default();
    let upi = upi.map(payer_method::upi);
    let upi = upi.transpose()?.unwrap_or_default();
    let voucher = voucher.map(|voucher| payer_method::vouchers(*voucher));
    let voucher = voucher.transpose()?.unwrap_or_default();
    let debit = bank_debit.map(|debit| bank_debit::debit(*debit));
    let debit = debit.transpose()?;
    let debit_is_empty = matches!(debit, Some(None));
    // The families besides cards, each with its `payment_method` word.
    let others = [
        ("card_redirect", card_redirect.is_some()),
        ("wallet", wallet.another || wallet.is_empty),
        ("pay_later", later.another || later.is_empty),
        ("bank_redirect", bank.another || bank.is_empty),
        ("bank_debit", debit_is_empty),
        ("bank_transfer", transfer.another || transfer.is_empty),
        ("real_time_payment", real_time_payment.is_some()),
        ("crypto", crypto.is_some()),
        ("upi", upi.another || upi.is_empty),
        ("voucher", voucher.another || voucher.is_empty),
        ("gift_card", gift_card.is_some()),
        ("open_banking", open_banking.is_some()),
        ("mobile_payment", mobile_payment.is_some()),
        ("mandate_payment", mandate_payment.is_some()),
        ("reward", reward.is_some()),
    ];
    input.family_is_empty = [&wallet, &later, &bank, &transfer, &upi, &voucher]
        .iter()
        .any(|family| family.is_empty)
        || debit_is_empty;
    let given = others.into_iter().filter(|(_, given)| *given);
    input.other_families = given.map(|(family, _)| family).collect();
    input.billing = maybe_address(billing, "payment_method_data.billing")?;
    input.payer = payer_method::only([wallet, later, bank, transfer, upi, voucher])?.map(Box::new);
    input.debit = debit.flatten().map(Box::new);
    input.card = card.map(self::card);
    input.wallet = with_token.map(Box::new);
    input.network_token = network_token.map(wallet::network_token).map(Box::new);
    Ok(input)
}

fn card(card: types::CardRequest) -> CardInput {
    let types::CardRequest {
        card_number,
        card_exp_month,
        card_exp_year,
        card_holder_name,
        card_cvc,
        card_issuer,
        card_network,
        card_type,
        card_issuing_country,
        bank_code,
        nick_name,
    } = card;
    CardInput {
        number: SecretText::new(card_number.expose()),
        exp_month: card_exp_month,
        exp_year: card_exp_year,
        code: SecretText::new(card_cvc.expose()),
        given: GivenCardDetails {
            holder_name: card_holder_name,
            network: card_network.and_then(|word| word.to_domain()),
            issuer: card_issuer,
            issuing_country: card_issuing_country,
            card_type,
            nick_name,
            bank_code,
        },
    }
}
