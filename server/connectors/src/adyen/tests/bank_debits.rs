//! Tests of debits.

use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccount, BankScheme};
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{FutureUsage, Initiation, MitCategory, Payer};
use multirail_sdk::connector::{AuthorizeRequest, ConnectorMandate, Details, News, Outcome};
use multirail_sdk::instrument::PaymentMethodData;
use serde_json::{Value, json};

use super::super::{map, request};
use super::notices::{SECRET, item, read, signed};
use super::requests::{asked, written};
use super::{KEY, PSP};
use crate::fixture::{answer, bank_account, in_short, sepa_account};

fn debit(account: BankAccount, currency: Currency, initiation: Initiation) -> AuthorizeRequest {
    let details = Details {
        initiation,
        payer: Payer {
            customer_id: Some("cus_ada".to_owned()),
            ..Payer::default()
        },
        ..Details::default()
    };
    let mut request = asked(6540, currency, true, details);
    request.data = PaymentMethodData::BankDebit(Box::new(account));
    request
}

#[test]
fn every_scheme_has_its_type_and_members() {
    let ach = bank_account(BankScheme::Ach, "000123456789", Some("110000000"));
    let bacs = bank_account(BankScheme::Bacs, "00012345", Some("108800"));
    let told = [
        (ach, Currency::USD),
        (bacs, Currency::GBP),
        (sepa_account(), Currency::EUR),
    ];
    let told = told.map(|(account, currency)| {
        let written = written(&debit(account, currency, Initiation::default()));
        let country = &written["countryCode"];
        format!("{} {country}", written["paymentMethod"])
    });
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"type":"ach","bankAccountNumber":"000123456789","bankLocationId":"110000000","bankAccountType":"savings","accountHolderType":"business","ownerName":"Ada Okafor"} null
    {"type":"directdebit_GB","bankAccountNumber":"00012345","bankLocationId":"108800","holderName":"Ada Okafor"} "GB"
    {"type":"sepadirectdebit","iban":"DE89370400440532013000","ownerName":"Ada Okafor"} null
    "#);
}

#[test]
fn an_account_is_stored_and_charged_again_by_its_id() {
    let saves = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    let mandate = ConnectorMandate {
        connector_mandate_id: "8415718415172204".to_owned(),
        connector_customer_id: Some("cus_ada".to_owned()),
        unread: UnreadMembers::default(),
    };
    let again = |mandate| Initiation {
        off_session: Some(true),
        mit_category: Some(MitCategory::Recurring),
        mandate,
        ..Initiation::default()
    };
    let told = [saves, again(Some(mandate)), again(None)].map(|initiation| {
        let written = written(&debit(sepa_account(), Currency::EUR, initiation));
        let names = [
            "shopperInteraction",
            "recurringProcessingModel",
            "shopperReference",
            "storePaymentMethod",
        ];
        let others = names.map(|name| written[name].to_string()).join(" ");
        format!("{} {others}", written["paymentMethod"])
    });
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"type":"sepadirectdebit","iban":"DE89370400440532013000","ownerName":"Ada Okafor"} "Ecommerce" "UnscheduledCardOnFile" "cus_ada" true
    {"type":"sepadirectdebit","storedPaymentMethodId":"8415718415172204"} "ContAuth" "Subscription" "cus_ada" null
    {"type":"sepadirectdebit","iban":"DE89370400440532013000","ownerName":"Ada Okafor"} "ContAuth" "Subscription" "cus_ada" null
    "#);
}

#[test]
fn a_payer_of_a_debit_is_not_authenticated() {
    let mut request = debit(sepa_account(), Currency::EUR, Initiation::default());
    request.details.authentication.wanted = Some(AuthenticationType::ThreeDs);
    let attempt = written(&request)["authenticationData"]["attemptAuthentication"].clone();
    assert_eq!(attempt, Value::Null);
}

#[test]
fn an_account_that_adyen_cannot_debit_is_not_sent() {
    let nobodys = BankAccount {
        holder_name: None,
        ..sepa_account()
    };
    let refused = [
        bank_account(BankScheme::Becs, "000123456", Some("000000")),
        bank_account(BankScheme::Ach, "000123456789", None),
        nobodys,
    ];
    let told = refused.map(|account| {
        let request = debit(account, Currency::EUR, Initiation::default());
        let refused = request::payment(&request, "BookshopNL").err();
        refused.expect("a refusal").to_string()
    });
    insta::assert_snapshot!(told.join("\n"), @"
    this connector has no place for becs in this form
    this connector has no place for ach in this form
    this connector has no place for sepa in this form
    ");
}

#[test]
fn a_copy_of_the_mandate_is_no_step_of_the_payer() {
    let received = json!({
        "resultCode": "Received", "pspReference": PSP, "merchantReference": KEY,
        "action": {
            "type": "voucher", "paymentMethodType": "directdebit_GB", "url": "https://adyen.example/mandate.pdf",
        },
    });
    let told = map::payment(KEY, answer(200, received));
    assert_eq!(in_short(&told), "pending NC6HT9CRT65ZGN82");
    let authorised = json!({
        "resultCode": "Authorised", "pspReference": PSP, "merchantReference": KEY,
        "additionalData": {
            "recurring.recurringDetailReference": "8415718415172204", "recurring.shopperReference": "cus_ada",
        },
    });
    let Outcome::Done(approval) = map::payment(KEY, answer(200, authorised)) else {
        panic!("it is authorised")
    };
    let mandate = approval.mandate.expect("it is stored");
    assert_eq!(mandate.connector_mandate_id, "8415718415172204");
}

/// The bank returns a debit without asking the merchant.
#[test]
fn a_returned_debit_is_a_dispute_that_is_opened_and_lost() {
    let told = |event: &str, method: &str| {
        let mut item = signed(item(event, "true"), SECRET);
        item["paymentMethod"] = method.into();
        item["additionalData"]["chargebackReasonCode"] = "MD06".into();
        let notices = read(&[item]).expect("it is signed").into_iter();
        let told = notices.map(|notice| match notice.news {
            News::Dispute(news) => {
                let code = news.reason_code.unwrap_or_default();
                format!("{}: {} by {code}", notice.id, news.status)
            }
            other => panic!("{other:?}"),
        });
        told.collect::<Vec<_>>().join("\n")
    };
    let lines = [
        told("CHARGEBACK", "sepadirectdebit"),
        told("CHARGEBACK", "directdebit_GB"),
        told("CHARGEBACK", "ach"),
        told("CHARGEBACK", "visa"),
        told("NOTIFICATION_OF_CHARGEBACK", "ach"),
        told("CHARGEBACK_REVERSED", "ach"),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    CHARGEBACK:VBGM9HXJS8FVHHT6:true:opened: dispute_opened by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true: dispute_lost by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true:opened: dispute_opened by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true: dispute_lost by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true:opened: dispute_opened by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true: dispute_lost by MD06
    CHARGEBACK:VBGM9HXJS8FVHHT6:true: dispute_opened by MD06
    NOTIFICATION_OF_CHARGEBACK:VBGM9HXJS8FVHHT6:true: dispute_opened by MD06
    CHARGEBACK_REVERSED:VBGM9HXJS8FVHHT6:true: dispute_won by MD06
    ");
}
