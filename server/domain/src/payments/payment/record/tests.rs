//! The texts of records, byte for byte.

use serde_json::json;

use crate::payments::payment::{Attempt, Payment};

/// A record with all personal data of its payer, and some other members.
const NAMED: &str = r#"{
  "merchant_id": "bookshop",
  "payment_id": "pay_1",
  "profile_id": "pro_1",
  "status": "requires_capture",
  "terms": {
    "amount": 6540,
    "currency": "USD",
    "capture_method": "manual",
    "authentication_type": "no_three_ds",
    "authentication_type_given": true,
    "session_expiry_seconds": 900
  },
  "cancellation_reason": "late",
  "notes": {
    "description": "Two books",
    "merchant_order_reference_id": "B-17",
    "installment_data": {
      "number_of_installments": 3
    },
    "customer": {
      "id": "cus_1",
      "name": "Ada Okafor",
      "document_details": {
        "document_number": "123"
      }
    },
    "name": "Ada Okafor",
    "email": "ada@example.com",
    "phone": "5550100",
    "phone_country_code": "+234",
    "billing": {
      "address": {
        "line1": "1 Marina",
        "country": "NG"
      }
    },
    "shipping": {
      "email": "ada@example.com"
    },
    "browser_info": {
      "language": "en-NG"
    },
    "billing_descriptor": {
      "name": "Books"
    },
    "mit_category": "recurring",
    "customer_acceptance": {
      "acceptance_type": "online",
      "online": {
        "ip_address": "203.0.113.9"
      }
    },
    "mandate_data": {
      "update_mandate_id": "man_1"
    },
    "payment_link_config": {
      "theme": "blue"
    },
    "saved_customer_acceptance": {
      "acceptance_type": "offline"
    },
    "metadata": {
      "order": 42
    },
    "of_a_later_version": 1
  },
  "created_at": 1767225600000001,
  "modified_at": 1767225600000002,
  "expires_at": 1767226500000001,
  "holds_card": true,
  "publishable_key": "pk_snd_1",
  "offered": [
    {
      "wallet": "google_pay",
      "merchant_connector_id": "mca_1"
    }
  ],
  "of_a_later_version": 2
}"#;

fn payment() -> Payment {
    serde_json::from_str(NAMED).expect("a payment")
}

#[test]
fn a_record_is_written_as_it_was_read() {
    let written = serde_json::to_string_pretty(&payment().record());
    assert_eq!(written.expect("JSON"), NAMED);
}

#[test]
fn a_redacted_record_has_a_word_where_the_payer_stood() {
    let payment = payment();
    let written = serde_json::to_string_pretty(&payment.redacted_record()).expect("JSON");
    let mut expected = NAMED
        .replace("Ada Okafor", "Redacted")
        .replace("ada@example.com", "Redacted")
        .replace("5550100", "Redacted")
        .replace("+234", "Redacted")
        .replace("1 Marina", "Redacted")
        .replace("203.0.113.9", "Redacted");
    for gone in [
        ",\n      \"document_details\": {\n        \"document_number\": \"123\"\n      }",
        "    \"browser_info\": {\n      \"language\": \"en-NG\"\n    },\n",
        "    \"saved_customer_acceptance\": {\n      \"acceptance_type\": \"offline\"\n    },\n",
    ] {
        assert!(expected.contains(gone), "{gone}");
        expected = expected.replace(gone, "");
    }
    assert_eq!(written, expected);
    let redacted = payment.redacted().expect("it names its payer");
    let again = serde_json::to_string_pretty(&redacted.record());
    assert_eq!(again.expect("JSON"), written);
    assert_eq!(payment, self::payment(), "the payment keeps its payer");
}

/// A later version may store more personal data. An older server keeps those with the payer, and deletes them with the payer.
#[test]
fn what_a_later_version_tells_of_the_payer_stays_with_the_payer() {
    let told = json!({"notes": {"name": "Ada Okafor", "title": "Dr."}});
    let mut payment = payment().redacted().expect("it names its payer");
    let record = serde_json::to_string(&payment.record()).expect("JSON");
    payment.put_back(serde_json::from_value(told).expect("a payer"));
    let personal = serde_json::to_value(payment.personal()).expect("JSON");
    assert_eq!(personal["notes"]["title"], "Dr.");
    let again = serde_json::to_string(&payment.redacted_record());
    assert_eq!(again.expect("JSON"), record, "the record doesn't say it");
    let redacted = payment.redacted().expect("it names its payer");
    assert!(!redacted.tells_of_somebody());
}

/// An attempt whose payment method has a holder.
const ATTEMPT: &str = r#"{
  "number": 1,
  "status": "charged",
  "amount": 6540,
  "connector": "stripe_test",
  "card_code_missing": true,
  "instrument": {
    "payment_method": "card",
    "payment_method_type": "credit",
    "card": {
      "last4": "4242",
      "network": "Visa",
      "exp_month": "10",
      "exp_year": "2035",
      "holder_name": "Ada Okafor",
      "issuer": "Example Bank",
      "nick_name": "hers",
      "of_a_later_version": 1
    },
    "billing": {
      "address": {
        "line1": "1 Marina",
        "country": "NG"
      }
    },
    "of_a_later_version": 2
  },
  "captures_at_once": true,
  "authorized_amount": 6540,
  "voids": [],
  "created_at": 1767225600000001,
  "modified_at": 1767225600000002,
  "of_a_later_version": 3
}"#;

#[test]
fn an_attempt_is_written_with_and_without_the_holder_of_its_instrument() {
    let attempt: Attempt = serde_json::from_str(ATTEMPT).expect("an attempt");
    let written = serde_json::to_string_pretty(&attempt.record());
    assert_eq!(written.expect("JSON"), ATTEMPT);
    let written = serde_json::to_string_pretty(&attempt.redacted_record());
    let expected = ATTEMPT
        .replace("Ada Okafor", "Redacted")
        .replace("hers", "Redacted")
        .replace("1 Marina", "Redacted");
    let redacted = written.expect("JSON");
    assert_eq!(redacted, expected);
    let again: Attempt = serde_json::from_str(&redacted).expect("an attempt");
    let again = serde_json::to_string_pretty(&again.redacted_record());
    assert_eq!(again.expect("JSON"), redacted);
}
