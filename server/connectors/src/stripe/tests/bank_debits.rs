//! Tests of debits.

use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccount, BankScheme};
use multirail_sdk::connector::details::{
    Address, Consent, ConsentKind, FutureUsage, Initiation, OnlineConsent, Payer,
};
use multirail_sdk::connector::{AuthorizeRequest, ConnectorMandate, Details};
use multirail_sdk::instrument::PaymentMethodData;
use serde_json::json;

use super::super::{bank_debits, errors, map, requests};
use super::notices::{event, read_event};
use super::requests::lines;
use super::{KEY, authorize, key, payment};
use crate::fixture::{bank_account, in_short, sepa_account};

fn consent() -> Consent {
    Consent {
        kind: ConsentKind::Online,
        accepted_at: Some("2026-01-05T10:11:12.345Z".to_owned()),
        online: Some(OnlineConsent {
            ip_address: Some("192.0.2.7".to_owned()),
            user_agent: Some("Browser/1.0".to_owned()),
            unread: UnreadMembers::default(),
        }),
        unread: UnreadMembers::default(),
    }
}

fn debit(account: BankAccount, initiation: Initiation) -> AuthorizeRequest {
    let details = Details {
        initiation,
        payer: Payer {
            connector_customer_id: Some("cus_1".to_owned()),
            billing: Some(Address {
                email: Some("ada@example.com".to_owned()),
                ..Address::default()
            }),
            ..Payer::default()
        },
        ..Details::default()
    };
    AuthorizeRequest {
        data: PaymentMethodData::BankDebit(Box::new(account)),
        ..authorize(6540, Currency::EUR, details)
    }
}

fn written(initiation: Initiation) -> String {
    let request = debit(sepa_account(), initiation);
    lines(&requests::payment(&request, true).expect("writable"))
}

#[test]
fn a_debit_comes_with_the_consent_of_the_payer() {
    let saves = Initiation {
        consent: Some(consent()),
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    insta::assert_snapshot!(written(saves), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=automatic
    payment_method_types[0]=sepa_debit
    payment_method_data[type]=sepa_debit
    payment_method_data[sepa_debit][iban]=DE89370400440532013000
    payment_method_data[billing_details][name]=Ada Okafor
    payment_method_data[billing_details][email]=ada@example.com
    mandate_data[customer_acceptance][type]=online
    mandate_data[customer_acceptance][accepted_at]=1767607872
    mandate_data[customer_acceptance][online][ip_address]=192.0.2.7
    mandate_data[customer_acceptance][online][user_agent]=Browser/1.0
    customer=cus_1
    return_url=https://pay.example/back?a=1&b=2
    setup_future_usage=off_session
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
}

#[test]
fn a_saved_account_is_debited_by_its_id_or_with_the_old_consent() {
    let again = |mandate| Initiation {
        off_session: Some(true),
        consent: Some(consent()),
        mandate,
        ..Initiation::default()
    };
    let mandate = ConnectorMandate {
        connector_mandate_id: "pm_1".to_owned(),
        connector_customer_id: Some("cus_1".to_owned()),
        unread: UnreadMembers::default(),
    };
    insta::assert_snapshot!(written(again(Some(mandate))), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=automatic
    payment_method_types[0]=sepa_debit
    payment_method=pm_1
    customer=cus_1
    off_session=true
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
    insta::assert_snapshot!(written(again(None)), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=automatic
    payment_method_types[0]=sepa_debit
    payment_method_data[type]=sepa_debit
    payment_method_data[sepa_debit][iban]=DE89370400440532013000
    payment_method_data[billing_details][name]=Ada Okafor
    payment_method_data[billing_details][email]=ada@example.com
    mandate_data[customer_acceptance][type]=online
    mandate_data[customer_acceptance][accepted_at]=1767607872
    mandate_data[customer_acceptance][online][ip_address]=192.0.2.7
    mandate_data[customer_acceptance][online][user_agent]=Browser/1.0
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
}

/// Stripe would store a consent that nobody gave, or wait for the absent payer.
#[test]
fn a_debit_without_consent_or_without_a_payer_who_has_to_confirm_it_is_not_sent() {
    let away = || Initiation {
        off_session: Some(true),
        ..Initiation::default()
    };
    let american = bank_account(BankScheme::Ach, "000123456789", Some("110000000"));
    let agreed = Initiation {
        consent: Some(consent()),
        ..away()
    };
    let asked = [debit(sepa_account(), away()), debit(american, agreed)];
    let told = asked.map(|request| {
        let refused = requests::payment(&request, true).err();
        refused.expect("a refusal").to_string()
    });
    insta::assert_snapshot!(told.join("\n"), @"
    a debit by sepa needs the payer's consent, and none is stored
    a debit by ach needs the payer, who confirms the account at the processor
    ");
}

#[test]
fn every_scheme_has_its_members() {
    let accounts = [
        bank_account(BankScheme::Ach, "000123456789", Some("110000000")),
        bank_account(BankScheme::Bacs, "00012345", Some("108800")),
        bank_account(BankScheme::Becs, "000123456", Some("000000")),
    ];
    let told = accounts.map(|account| {
        let details = Details::default();
        lines(&bank_debits::data(&account, &details).expect("writable"))
    });
    insta::assert_snapshot!(told.join("\n"), @"
    type=us_bank_account
    us_bank_account[account_holder_type]=company
    us_bank_account[account_number]=000123456789
    us_bank_account[account_type]=savings
    us_bank_account[routing_number]=110000000
    billing_details[name]=Ada Okafor
    type=bacs_debit
    bacs_debit[account_number]=00012345
    bacs_debit[sort_code]=108800
    billing_details[name]=Ada Okafor
    type=au_becs_debit
    au_becs_debit[account_number]=000123456
    au_becs_debit[bsb_number]=000000
    billing_details[name]=Ada Okafor
    ");
}

#[test]
fn an_account_that_stripe_cannot_debit_is_not_sent() {
    let nobodys = BankAccount {
        holder_name: None,
        ..sepa_account()
    };
    let refused = [bank_account(BankScheme::Ach, "000123456789", None), nobodys];
    let told = refused.map(|account| {
        let details = Details::default();
        let refused = bank_debits::data(&account, &details).err();
        refused.expect("a refusal").to_string()
    });
    insta::assert_snapshot!(told.join("\n"), @"
    this connector has no place for ach in this form
    this connector has no place for sepa in this form
    ");
}

#[test]
fn a_debit_is_under_way_until_the_bank_decides() {
    let read = |changes| {
        let intent = serde_json::from_value(payment(changes)).expect("a payment");
        let told = map::payment(&key(KEY), intent).expect("it is read");
        in_short(&told)
    };
    let deposits = json!({"verify_with_microdeposits": {
        "hosted_verification_url": "https://payments.stripe.com/microdeposit/pi_1"}});
    let failed = json!({"type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
        "message": "The account has no funds."});
    let lines = [
        read(json!({"status": "requires_action", "next_action": deposits})),
        read(json!({"status": "processing", "amount_received": 0})),
        read(json!({"status": "requires_payment_method", "last_payment_error": failed})),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    customer must act pi_1 https://payments.stripe.com/microdeposit/pi_1
    pending pi_1
    declined insufficient_funds | The account has no funds. | card_declined | insufficient_funds
    ");
}

#[test]
fn the_reason_of_a_failed_debit_has_a_category() {
    let codes = [
        "bank_account_closed",
        "bank_account_frozen",
        "bank_account_invalid_details",
        "debit_not_authorized",
        "recipient_deceased",
    ];
    let told = codes.map(|code| {
        let category = errors::category_of(code).map(|category| category.as_str());
        format!("{code}: {}", category.unwrap_or("none"))
    });
    insta::assert_snapshot!(told.join("\n"), @"
    bank_account_closed: account_closed_or_invalid
    bank_account_frozen: transaction_not_permitted
    bank_account_invalid_details: account_closed_or_invalid
    debit_not_authorized: authorization_missing_or_revoked
    recipient_deceased: transaction_not_permitted
    ");
}

/// The bank returns a debit without asking the merchant.
#[test]
fn a_returned_debit_is_a_dispute_that_is_opened_and_lost() {
    let told = |kind: &str, status: &str| {
        let dispute = json!({"id": "du_1", "object": "dispute", "amount": 6540, "currency": "eur",
            "payment_intent": "pi_1", "status": status, "reason": "debit_not_authorized",
            "created": 1_767_268_800, "evidence_details": {"due_by": null}});
        read_event(&event(kind, dispute))
    };
    let lines = [
        told("charge.dispute.created", "lost"),
        told("charge.dispute.closed", "lost"),
        told("charge.dispute.created", "needs_response"),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    evt_1/opened charge.dispute.created: du_1 of pi_1: dispute dispute_opened, 65.40 EUR, by 0
    evt_1 charge.dispute.created: du_1 of pi_1: dispute dispute_lost, 65.40 EUR, by 0
    evt_1 charge.dispute.closed: du_1 of pi_1: dispute dispute_lost, 65.40 EUR, by 0
    evt_1 charge.dispute.created: du_1 of pi_1: dispute dispute_opened, 65.40 EUR, by 0
    ");
}
