//! The payment method of a payment, and the checks of it.

use multirail_domain::payments::payment::{Instrument, InstrumentDetails, WalletDetails};
use multirail_sdk::connector::{CardChecks, Remarks};
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::wallet::Wallet;
use multirail_types as types;
use serde_json::{Map, Value};

use crate::payments::convert::bank_debit;
use crate::platform::convert::address::address_answer;
use crate::platform::convert::words::ToWire;

pub(crate) fn method_details(
    instrument: &Instrument,
    checks: Option<&CardChecks>,
    remarks: Option<&Remarks>,
) -> types::PaymentMethodDetails {
    types::PaymentMethodDetails {
        card: instrument.details.card().map(|card| types::CardDetails {
            last4: Some(card.last4.clone()),
            card_type: card.card_type.clone(),
            card_network: card.network.map(|network| network.to_wire()),
            card_issuer: card.issuer.clone(),
            card_issuing_country: card.issuing_country.clone(),
            card_isin: card.isin.clone(),
            card_extended_bin: card.extended_bin.clone(),
            card_exp_month: Some(card.exp_month.clone()),
            card_exp_year: Some(card.exp_year.clone()),
            card_holder_name: instrument.holder.card.name.clone(),
            payment_checks: checks.map(payment_checks),
            authentication_data: remarks.and_then(|told| members(&told.authentication)),
            auth_code: remarks.and_then(|told| told.auth_code.clone()),
        }),
        wallet: match &instrument.details {
            InstrumentDetails::Wallet(details) => Some(Box::new(wallet(details))),
            InstrumentDetails::Payer(_) => {
                let method = payer_method(instrument, PaymentMethod::Wallet);
                method.map(|method| Box::new(payers_wallet(method)))
            }
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::BankDebit(_) => None,
        },
        bank_debit: bank_debit::details(instrument),
        bank_redirect: payer_method(instrument, PaymentMethod::BankRedirect).map(|method| {
            types::BankRedirectDetails {
                bank_name: method.bank_name.map(|bank| bank.to_wire()),
                country: method.country.map(|country| country.to_wire()),
                bancontact_card: method
                    .last4
                    .clone()
                    .map(|last4| types::BancontactCardDetails { last4 }),
            }
        }),
        bank_transfer: payer_method(instrument, PaymentMethod::BankTransfer).map(|method| {
            types::BankTransferDetails {
                multibanco: if_it_is(method, PaymentMethodType::Multibanco),
                pix: if_it_is(method, PaymentMethodType::Pix),
                sepa: if_it_is(method, PaymentMethodType::SepaBankTransfer),
            }
        }),
        upi: payer_method(instrument, PaymentMethod::Upi).map(|method| types::UpiDetails {
            upi_collect: if_it_is(method, PaymentMethodType::UpiCollect),
            upi_intent: if_it_is(method, PaymentMethodType::UpiIntent),
            upi_qr: if_it_is(method, PaymentMethodType::UpiQr),
        }),
        voucher: payer_method(instrument, PaymentMethod::Voucher).map(|method| {
            types::VoucherDetails {
                boleto: if_it_is(method, PaymentMethodType::Boleto),
                oxxo: if_it_is(method, PaymentMethodType::Oxxo),
            }
        }),
        pay_later: payer_method(instrument, PaymentMethod::PayLater).map(|method| {
            types::PayLaterDetails {
                affirm: if_it_is(method, PaymentMethodType::Affirm),
                afterpay_clearpay: if_it_is(method, PaymentMethodType::AfterpayClearpay),
                klarna: if_it_is(method, PaymentMethodType::Klarna),
            }
        }),
        network_token: match &instrument.details {
            InstrumentDetails::NetworkToken(token) => Some(types::NetworkTokenDetails {
                last4: token.last4.clone(),
                card_network: token.network.map(|network| network.to_wire()),
                token_exp_month: token.exp_month.clone(),
                token_exp_year: token.exp_year.clone(),
            }),
            InstrumentDetails::Card(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_)
            | InstrumentDetails::BankDebit(_) => None,
        },
        billing: instrument.holder.billing.clone().map(address_answer),
    }
}

/// Returns the method that the payer finishes elsewhere, if it belongs to this family.
fn payer_method(instrument: &Instrument, family: PaymentMethod) -> Option<&PayerMethod> {
    match &instrument.details {
        InstrumentDetails::Payer(method) if instrument.payment_method == family => Some(method),
        InstrumentDetails::Payer(_)
        | InstrumentDetails::Card(_)
        | InstrumentDetails::NetworkToken(_)
        | InstrumentDetails::Wallet(_)
        | InstrumentDetails::Kept(_)
        | InstrumentDetails::BankDebit(_) => None,
    }
}

/// Returns a wallet that the payer finishes elsewhere.
fn payers_wallet(method: &PayerMethod) -> types::WalletDetails {
    types::WalletDetails {
        apple_pay: None,
        google_pay: None,
        ali_pay: if_it_is(method, PaymentMethodType::AliPay),
        cashapp: if_it_is(method, PaymentMethodType::Cashapp),
        mobile_pay: if_it_is(method, PaymentMethodType::MobilePay),
        paypal: if_it_is(method, PaymentMethodType::Paypal),
        twint: if_it_is(method, PaymentMethodType::Twint),
        vipps: if_it_is(method, PaymentMethodType::Vipps),
        we_chat_pay: if_it_is(method, PaymentMethodType::WeChatPay),
    }
}

/// Returns the details of a method that has none, if the payer chose it.
fn if_it_is(method: &PayerMethod, kind: PaymentMethodType) -> Option<Map<String, Value>> {
    (method.kind == kind).then(Map::new)
}

fn wallet(details: &WalletDetails) -> types::WalletDetails {
    let card = types::WalletCard {
        last4: details.last4.clone().unwrap_or_default(),
        card_network: details.card_network.clone().unwrap_or_default(),
        type_: details.kind.clone(),
    };
    let mut answer = types::WalletDetails {
        apple_pay: None,
        google_pay: None,
        ali_pay: None,
        cashapp: None,
        mobile_pay: None,
        paypal: None,
        twint: None,
        vipps: None,
        we_chat_pay: None,
    };
    match details.wallet {
        Wallet::ApplePay => answer.apple_pay = Some(card),
        Wallet::GooglePay => answer.google_pay = Some(card),
        // No other wallet can pay.
        Wallet::SamsungPay
        | Wallet::Paypal
        | Wallet::Klarna
        | Wallet::AmazonPay
        | Wallet::Paze
        | Wallet::ClickToPay
        | Wallet::OpenBanking => {}
    }
    answer
}

/// Returns the given members, if there are any.
pub(crate) fn members(told: &Map<String, Value>) -> Option<Map<String, Value>> {
    (!told.is_empty()).then(|| told.clone())
}

fn payment_checks(checks: &CardChecks) -> Map<String, Value> {
    let results = [
        ("avs_result", &checks.address),
        ("card_code_result", &checks.card_code),
    ];
    let found = results.into_iter().filter_map(|(name, result)| {
        let result = Value::from(result.clone()?);
        Some((name.to_owned(), result))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_not_checked_is_left_out() {
        let checks = |address: Option<&str>, card_code: Option<&str>| {
            let checks = CardChecks {
                address: address.map(str::to_owned),
                card_code: card_code.map(str::to_owned),
                ..CardChecks::default()
            };
            Value::Object(payment_checks(&checks))
        };
        let both = json!({ "avs_result": "Y", "card_code_result": "N" });
        assert_eq!(checks(Some("Y"), Some("N")), both);
        assert_eq!(checks(None, Some("M")), json!({ "card_code_result": "M" }));
    }
}
