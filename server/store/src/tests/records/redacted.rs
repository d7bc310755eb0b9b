//! The members of a redacted payment. A new member shows up here, and its author decides whether it identifies the payer
//! (`server/domain/src/payments/payment/redact.rs`).

use std::collections::BTreeSet;
use std::sync::Arc;

use multirail_domain::payments::payment::{
    Attempt, AttemptInstrument, Notes, Payment, PaymentPersonal,
};
use multirail_kernel::redacted::REDACTED;
use multirail_kernel::secret::SecretText;
use serde_json::{Value, json};

use super::payment;
use crate::platform::record;

/// Collects the pointers of texts, numbers and booleans other than "Redacted"; places in lists count as one.
fn said(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Null => {}
        Value::String(text) if text == REDACTED => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(place.to_owned());
        }
        Value::Array(items) => items.iter().for_each(|item| said(item, place, found)),
        Value::Object(members) => {
            for (name, member) in members {
                said(member, &format!("{place}/{name}"), found);
            }
        }
    }
}

/// Returns particulars and payer as the record has them.
fn notes(payment: &Payment) -> Value {
    let record = serde_json::to_value(payment.record()).expect("JSON");
    record["notes"].clone()
}

fn all_said(payment: &Payment) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    said(&notes(payment), "", &mut found);
    for attempt in &payment.attempts {
        let instrument = serde_json::to_value(&attempt.instrument).expect("JSON");
        said(&instrument, "/instrument", &mut found);
    }
    found
}

/// Returns a payment with every member and every example of an attempt.
fn full() -> Payment {
    let full = payment::payments().pop().expect("an example");
    let mut attempts = payment::attempts();
    for (number, attempt) in (1..).zip(&mut attempts) {
        attempt.number = number;
    }
    Payment { attempts, ..full }
}

fn written_redacted(payment: &Payment) -> Vec<String> {
    let mut records = vec![record::text(&payment.redacted_record()).expect("a text")];
    let attempts = payment.attempts.iter();
    records
        .extend(attempts.map(|attempt| record::text(&attempt.redacted_record()).expect("a text")));
    records
}

fn written(payment: &Payment) -> Vec<String> {
    let mut records = vec![record::text(&payment.record()).expect("a text")];
    let attempts = payment.attempts.iter();
    records.extend(attempts.map(|attempt| record::text(&attempt.record()).expect("a text")));
    records
}

/// Returns payments with and without personal data, as a whole or in one member.
fn examples() -> Vec<Payment> {
    let full = full();
    let mut examples = payment::payments();
    examples.extend(full.attempts.iter().map(|attempt| Payment {
        attempts: vec![attempt.clone()],
        particulars: Arc::default(),
        payer: Arc::default(),
        ..full.clone()
    }));
    for (name, member) in notes(&full).as_object().expect("an object") {
        let alone: Notes = serde_json::from_value(json!({ name: member })).expect("notes");
        examples.push(Payment {
            attempts: Vec::new(),
            particulars: Arc::new(alone.particulars),
            payer: Arc::new(alone.payer),
            ..full.clone()
        });
    }
    examples.push(full);
    examples
}

#[test]
fn a_payment_is_written_redacted_as_a_redacted_payment_is_written() {
    let (mut telling, mut silent) = (0, 0);
    for payment in examples() {
        let before = payment.clone();
        let redacted_text = written_redacted(&payment);
        match payment.redacted() {
            Some(redacted) => {
                telling += 1;
                assert_ne!(redacted, payment);
                assert!(payment.tells_of_somebody());
                assert_eq!(redacted_text, written(&redacted));
                assert_eq!(redacted.redacted(), None, "it tells of nobody now");
                assert_eq!(redacted_text, written_redacted(&redacted));
            }
            None => {
                silent += 1;
                assert_eq!(redacted_text, written(&payment));
                assert!(payment.personal().is_none());
            }
        }
        assert_eq!(before, payment);
    }
    assert!(telling > 9 && silent > 9, "{telling} {silent}");
}

/// Splits a payment into its sealed part and the rest, and joins them again.
#[test]
fn what_is_parted_is_put_back_whole() {
    for payment in examples() {
        let Some(personal) = payment.personal() else {
            continue;
        };
        let sealed = SecretText::of_json(&personal);
        let mut left = payment.redacted().expect("it tells of somebody");
        left.put_back(record::parse(sealed.expose()).expect("it reads"));
        let rests_apart = true;
        assert_eq!(
            left,
            Payment {
                rests_apart,
                ..payment
            }
        );
    }
}

/// The first form of personal data held the whole instrument.
#[test]
fn a_whole_instrument_is_put_back_too() {
    let full = full();
    let whole = full.attempts.iter().filter_map(|attempt| {
        let instrument = attempt.instrument.clone().map(Box::new);
        instrument.is_some().then(|| AttemptInstrument {
            attempt: attempt.number,
            instrument,
            ..AttemptInstrument::default()
        })
    });
    let mut left = full.redacted().expect("it tells of somebody");
    left.put_back(PaymentPersonal {
        instruments: whole.collect(),
        ..PaymentPersonal::default()
    });
    assert_eq!(left.attempts, full.attempts);
}

/// A later version may add details of a card: an older server keeps them with the card.
#[test]
fn a_later_versions_card_details_stay_with_the_card() {
    let told = json!({
        "notes": {},
        "instruments": [{"attempt": 1, "spoken": "en", "card": {"holder_name": "Ada", "holder_title": "Dr."}}],
    });
    let attempts = full().attempts;
    let with_card = |attempt: &Attempt| attempt.instrument.is_some();
    let mut attempt = attempts.into_iter().find(with_card).expect("an example");
    attempt.number = 1;
    let mut payment = Payment {
        attempts: vec![attempt],
        ..full()
    };
    payment.put_back(record::parse(&told.to_string()).expect("it reads"));
    let kept = serde_json::to_value(&payment.attempts[0].instrument).expect("JSON");
    assert_eq!(kept["spoken"], "en");
    assert_eq!(kept["card"]["holder_name"], "Ada");
    assert_eq!(kept["card"]["holder_title"], "Dr.");
}

#[test]
fn a_redacted_payment_still_says_what_was_paid_and_not_by_whom() {
    let payment = full();
    let redacted = payment.redacted().expect("it told of somebody");
    assert_eq!(redacted.redacted(), None, "it tells of nobody now");
    let (before, after) = (all_said(&payment), all_said(&redacted));
    let list = |places: Vec<&String>| {
        let places: Vec<_> = places.into_iter().map(String::as_str).collect();
        places.join("\n")
    };
    insta::assert_snapshot!(list(before.difference(&after).collect()), @r"
    /billing/address/city
    /billing/address/first_name
    /billing/address/last_name
    /billing/address/line1
    /billing/address/line2
    /billing/address/line3
    /billing/address/state
    /billing/address/zip
    /billing/email
    /billing/phone/country_code
    /billing/phone/number
    /browser_info/accept_header
    /browser_info/accept_language
    /browser_info/color_depth
    /browser_info/device_model
    /browser_info/ip_address
    /browser_info/java_enabled
    /browser_info/java_script_enabled
    /browser_info/language
    /browser_info/os_type
    /browser_info/os_version
    /browser_info/referer
    /browser_info/screen_height
    /browser_info/screen_width
    /browser_info/time_zone
    /browser_info/user_agent
    /customer/document_details/document_number
    /customer/document_details/document_type
    /customer/email
    /customer/name
    /customer/phone
    /customer/phone_country_code
    /customer/tax_registration_id
    /customer_acceptance/online/ip_address
    /customer_acceptance/online/user_agent
    /email
    /instrument/account_holder_name
    /instrument/card/holder_name
    /instrument/card/nick_name
    /name
    /phone
    /phone_country_code
    /saved_customer_acceptance/acceptance_type
    /saved_customer_acceptance/accepted_at
    /saved_customer_acceptance/online/ip_address
    /saved_customer_acceptance/online/user_agent
    /shipping/address/city
    /shipping/address/first_name
    /shipping/address/last_name
    /shipping/address/line1
    /shipping/address/line2
    /shipping/address/line3
    /shipping/address/state
    /shipping/address/zip
    /shipping/email
    /shipping/phone/country_code
    /shipping/phone/number
    ");
    insta::assert_snapshot!(list(after.iter().collect()), @r"
    /allowed_payment_method_types
    /billing/address/country
    /billing/address/origin_zip
    /billing_descriptor/city
    /billing_descriptor/name
    /billing_descriptor/phone
    /billing_descriptor/reference
    /billing_descriptor/statement_descriptor
    /billing_descriptor/statement_descriptor_suffix
    /business_country
    /business_label
    /capture_on
    /connector_metadata/fauxpay/shop
    /customer/id
    /customer_acceptance/acceptance_type
    /customer_acceptance/accepted_at
    /description
    /discount_amount
    /duty_amount
    /force_3ds_challenge
    /installment_data/billing_frequency
    /installment_data/installment_interest
    /installment_data/number_of_installments
    /instrument/bank_debit/bank_code
    /instrument/bank_debit/bank_name
    /instrument/bank_debit/country
    /instrument/bank_debit/holder_kind
    /instrument/bank_debit/kind
    /instrument/bank_debit/last4
    /instrument/bank_debit/scheme
    /instrument/billing/address/country
    /instrument/card/bank_code
    /instrument/card/card_type
    /instrument/card/exp_month
    /instrument/card/exp_year
    /instrument/card/extended_bin
    /instrument/card/isin
    /instrument/card/issuer
    /instrument/card/issuing_country
    /instrument/card/last4
    /instrument/card/network
    /instrument/payer/bank_name
    /instrument/payer/country
    /instrument/payer/kind
    /instrument/payer/last4
    /instrument/payer/text_was_given
    /instrument/payment_method
    /instrument/payment_method_type
    /is_stored_credential
    /mandate_data/mandate_type/single_use/amount
    /mandate_data/mandate_type/single_use/currency
    /mandate_data/mandate_type/single_use/end_date
    /mandate_data/mandate_type/single_use/metadata/order
    /mandate_data/mandate_type/single_use/start_date
    /mandate_data/update_mandate_id
    /merchant_order_reference_id
    /metadata/order
    /mit_category
    /off_session
    /order_date
    /order_details/amount
    /order_details/brand
    /order_details/category
    /order_details/commodity_code
    /order_details/description
    /order_details/product_id
    /order_details/product_img_link
    /order_details/product_name
    /order_details/product_tax_code
    /order_details/product_type
    /order_details/quantity
    /order_details/requires_shipping
    /order_details/sku
    /order_details/sub_category
    /order_details/tax_rate
    /order_details/total_amount
    /order_details/total_tax_amount
    /order_details/unit_discount_amount
    /order_details/unit_of_measure
    /order_details/upc
    /payment_channel
    /payment_link
    /payment_link_config/background_colour
    /payment_link_config/custom_message_for_card_terms
    /payment_link_config/details_layout
    /payment_link_config/display_sdk_only
    /payment_link_config/enable_button_only_on_form_ready
    /payment_link_config/hide_card_nickname_field
    /payment_link_config/logo
    /payment_link_config/payment_button_colour
    /payment_link_config/payment_button_text
    /payment_link_config/payment_button_text_colour
    /payment_link_config/payment_form_header_text
    /payment_link_config/payment_form_label_type
    /payment_link_config/seller_name
    /payment_link_config/show_card_form_by_default
    /payment_link_config/show_card_terms
    /payment_link_config/skip_status_screen
    /payment_link_config/theme
    /payment_link_config/transaction_details/key
    /payment_link_config/transaction_details/ui_configuration/is_key_bold
    /payment_link_config/transaction_details/ui_configuration/is_value_bold
    /payment_link_config/transaction_details/ui_configuration/position
    /payment_link_config/transaction_details/value
    /psd2_sca_exemption_type
    /request_extended_authorization
    /request_incremental_authorization
    /shipping/address/country
    /shipping/address/origin_zip
    /shipping_amount_tax
    /statement_descriptor_name
    /statement_descriptor_suffix
    /tax_status
    /threeds_method_comp_ind
    ");
    // Nothing else of it changes.
    let as_before = Payment {
        payer: payment.payer.clone(),
        attempts: payment.attempts.clone(),
        ..redacted.clone()
    };
    assert_eq!(as_before, payment);
    for (was, is) in payment.attempts.iter().zip(redacted.attempts) {
        let mut is = is;
        is.instrument.clone_from(&was.instrument);
        assert_eq!(is, *was);
    }
}
