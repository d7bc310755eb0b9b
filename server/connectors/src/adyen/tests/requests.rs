//! Tests of requests.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Authentication, Browser, FutureUsage, Initiation, Installments, MitCategory, Payer, Phone,
    Place, ScaExemption,
};
use multirail_sdk::connector::{Access, AuthorizeRequest, Descriptor, Details};
use multirail_sdk::instrument::PaymentMethodData;
use serde_json::{Value, json};

use super::super::request;
use super::KEY;

pub fn place() -> Place {
    Place {
        first_name: Some("Ada".to_owned()),
        last_name: Some("Reader".to_owned()),
        line1: Some("6-50 Simon Carmiggeltstraat".to_owned()),
        city: Some("Amsterdam".to_owned()),
        zip: Some("1011DJ".to_owned()),
        country: "NL".parse().ok(),
        ..Place::default()
    }
}

pub fn asked(amount: i64, currency: Currency, capture: bool, details: Details) -> AuthorizeRequest {
    let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
    let given = GivenCardDetails {
        holder_name: Some("A. Reader".to_owned()),
        ..GivenCardDetails::default()
    };
    let number = CardNumber::parse("4111111145551142").expect("a number");
    let code = CardCode::parse("737", "card_cvc").expect("a code");
    AuthorizeRequest {
        key: ProcessorKey::parse(KEY).expect("a key"),
        access: Access::default(),
        money: Money::new(amount, currency),
        capture,
        data: PaymentMethodData::Card(Card::new(number, Some(code), expiry, given)),
        return_url: "https://pay.example/payments/redirect/response".to_owned(),
        details,
    }
}

pub fn written(request: &AuthorizeRequest) -> Value {
    let written = request::payment(request, "BookshopNL").expect("an amount");
    serde_json::to_value(written).expect("JSON")
}

#[test]
fn a_sale_says_no_more_than_is_known() {
    let sale = written(&asked(6540, Currency::EUR, true, Details::default()));
    insta::assert_json_snapshot!(sale, @r#"
    {
      "merchantAccount": "BookshopNL",
      "reference": "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ",
      "amount": {
        "value": 6540,
        "currency": "EUR"
      },
      "paymentMethod": {
        "type": "scheme",
        "number": "4111111145551142",
        "expiryMonth": "03",
        "expiryYear": "2030",
        "cvc": "737",
        "holderName": "A. Reader"
      },
      "returnUrl": "https://pay.example/payments/redirect/response",
      "redirectToIssuerMethod": "GET",
      "redirectFromIssuerMethod": "GET",
      "authenticationData": {
        "threeDSRequestData": {
          "nativeThreeDS": "disabled"
        }
      },
      "captureDelayHours": 0,
      "shopperInteraction": "Ecommerce"
    }
    "#);
}

#[test]
fn every_detail_that_adyen_accepts_is_sent() {
    let details = Details {
        category_code: Some("5942".to_owned()),
        descriptor: Descriptor {
            text: Some("BOOKS & MORE (Amsterdam)".to_owned()),
            ..Descriptor::default()
        },
        authentication: Authentication {
            wanted: Some(AuthenticationType::ThreeDs),
            force_challenge: Some(true),
            exemption: Some(ScaExemption::LowValue),
            browser: Some(Browser {
                color_depth: Some(24),
                java_enabled: Some(false),
                java_script_enabled: Some(true),
                language: Some("nl-NL".to_owned()),
                screen_height: Some(1080),
                screen_width: Some(1920),
                time_zone: Some(-60),
                ip_address: Some("192.0.2.7".to_owned()),
                accept_header: Some("text/html".to_owned()),
                user_agent: Some("Mozilla/5.0".to_owned()),
                ..Browser::default()
            }),
            ..Authentication::default()
        },
        initiation: Initiation {
            future_usage: Some(FutureUsage::OffSession),
            ..Initiation::default()
        },
        payer: Payer {
            customer_id: Some("cus_1".to_owned()),
            email: Some("ada@example.com".to_owned()),
            phone: Some("06 1234 5678".to_owned()),
            phone_country_code: Some("+31".to_owned()),
            billing: Some(multirail_sdk::connector::details::Address {
                address: Some(place()),
                ..Default::default()
            }),
            shipping: Some(multirail_sdk::connector::details::Address {
                address: Some(place()),
                ..Default::default()
            }),
            ..Payer::default()
        },
        installments: Some(Installments {
            number_of_installments: Some(3),
            ..Installments::default()
        }),
        takes_less: true,
        ..Details::default()
    };
    let told = written(&asked(6540, Currency::EUR, false, details));
    insta::assert_json_snapshot!(told, @r#"
    {
      "merchantAccount": "BookshopNL",
      "reference": "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ",
      "amount": {
        "value": 6540,
        "currency": "EUR"
      },
      "paymentMethod": {
        "type": "scheme",
        "number": "4111111145551142",
        "expiryMonth": "03",
        "expiryYear": "2030",
        "cvc": "737",
        "holderName": "A. Reader"
      },
      "returnUrl": "https://pay.example/payments/redirect/response",
      "redirectToIssuerMethod": "GET",
      "redirectFromIssuerMethod": "GET",
      "authenticationData": {
        "attemptAuthentication": "always",
        "threeDSRequestData": {
          "nativeThreeDS": "disabled"
        }
      },
      "threeDS2RequestData": {
        "threeDSRequestorChallengeInd": "04"
      },
      "additionalData": {
        "manualCapture": "true",
        "scaExemption": "lowValue",
        "allowPartialAuth": "true"
      },
      "shopperInteraction": "Ecommerce",
      "recurringProcessingModel": "UnscheduledCardOnFile",
      "shopperReference": "cus_1",
      "storePaymentMethod": true,
      "shopperEmail": "ada@example.com",
      "shopperIP": "192.0.2.7",
      "telephoneNumber": "+310612345678",
      "shopperName": {
        "firstName": "Ada",
        "lastName": "Reader"
      },
      "billingAddress": {
        "street": "Simon Carmiggeltstraat",
        "houseNumberOrName": "6-50",
        "city": "Amsterdam",
        "postalCode": "1011DJ",
        "country": "NL"
      },
      "deliveryAddress": {
        "firstName": "Ada",
        "lastName": "Reader",
        "street": "Simon Carmiggeltstraat",
        "houseNumberOrName": "6-50",
        "city": "Amsterdam",
        "postalCode": "1011DJ",
        "country": "NL"
      },
      "browserInfo": {
        "acceptHeader": "text/html",
        "colorDepth": 24,
        "javaEnabled": false,
        "javaScriptEnabled": true,
        "language": "nl-NL",
        "screenHeight": 1080,
        "screenWidth": 1920,
        "timeZoneOffset": -60,
        "userAgent": "Mozilla/5.0"
      },
      "shopperStatement": "BOOKS  MORE Amsterdam",
      "mcc": "5942",
      "installments": {
        "value": 3
      }
    }
    "#);
}

#[test]
fn the_request_alone_decides_the_capture_time() {
    let told = |amount, capture| {
        let request = written(&asked(amount, Currency::EUR, capture, Details::default()));
        json!([
            request.get("captureDelayHours"),
            request.get("additionalData")
        ])
    };
    let manual = json!({ "manualCapture": "true" });
    assert_eq!(told(6540, true), json!([0, null]));
    assert_eq!(told(6540, false), json!([null, manual]));
    // A card check has nothing to capture.
    assert_eq!(told(0, true), json!([null, null]));
    assert_eq!(told(0, false), json!([null, null]));
}

#[test]
fn amounts_are_counted_as_adyen_counts() {
    let sent = |amount, currency| {
        let request = asked(amount, currency, true, Details::default());
        let sent = request::payment(&request, "BookshopNL").map(|written| written.amount.value);
        sent.map_err(|error| error.to_string())
    };
    assert_eq!(sent(6540, Currency::JPY), Ok(6540));
    assert_eq!(sent(65, Currency::CLP), Ok(6500));
    assert_eq!(sent(6500, Currency::IDR), Ok(65));
    assert_eq!(sent(6500, Currency::ISK), Ok(6500));
    insta::assert_snapshot!(sent(6540, Currency::CVE).expect_err("cents"), @"the processor has no unit that is small enough for 65.40 CVE");
}

#[test]
fn authentication_is_asked_for_where_the_merchant_wants_it() {
    let attempt = |wanted, force_challenge| {
        let authentication = Authentication {
            wanted,
            force_challenge,
            ..Authentication::default()
        };
        let request = written(&asked(
            6540,
            Currency::EUR,
            true,
            Details {
                authentication,
                ..Details::default()
            },
        ));
        request["authenticationData"]["attemptAuthentication"].clone()
    };
    assert_eq!(attempt(None, None), Value::Null);
    // A fixed "never" would lead to refusals where the law requires authentication.
    assert_eq!(
        attempt(Some(AuthenticationType::NoThreeDs), None),
        Value::Null
    );
    assert_eq!(
        attempt(Some(AuthenticationType::NoThreeDs), Some(true)),
        "always"
    );
    assert_eq!(attempt(Some(AuthenticationType::ThreeDs), None), "always");
}

#[test]
fn the_initiator_is_sent_in_adyens_words() {
    let told = |initiation: Initiation| {
        let payer = Payer {
            customer_id: Some("cus_1".to_owned()),
            ..Payer::default()
        };
        let request = written(&asked(
            6540,
            Currency::EUR,
            true,
            Details {
                initiation,
                payer,
                ..Details::default()
            },
        ));
        json!([
            request["shopperInteraction"],
            request["recurringProcessingModel"],
            request["additionalData"]["networkTxReference"]
        ])
    };
    let initiation = Initiation::default;
    assert_eq!(told(initiation()), json!(["Ecommerce", null, null]));
    let by_phone = Initiation {
        channel: Some("telephone_order".to_owned()),
        ..initiation()
    };
    assert_eq!(told(by_phone), json!(["Moto", null, null]));
    let without_payer = Initiation {
        off_session: Some(true),
        ..initiation()
    };
    assert_eq!(
        told(without_payer),
        json!(["ContAuth", "UnscheduledCardOnFile", null])
    );
    let following = |category| Initiation {
        off_session: Some(true),
        mit_category: Some(category),
        network_transaction_id: Some("nti_1".to_owned()),
        ..initiation()
    };
    assert_eq!(
        told(following(MitCategory::Recurring)),
        json!(["ContAuth", "Subscription", "nti_1"])
    );
    assert_eq!(
        told(following(MitCategory::Resubmission)),
        json!(["ContAuth", "UnscheduledCardOnFile", "nti_1"])
    );
    let with_kept_card = Initiation {
        is_stored_credential: Some(true),
        ..initiation()
    };
    assert_eq!(
        told(with_kept_card),
        json!(["ContAuth", "CardOnFile", null])
    );
    let to_be_kept = Initiation {
        future_usage: Some(FutureUsage::OnSession),
        ..initiation()
    };
    assert_eq!(told(to_be_kept), json!(["Ecommerce", "CardOnFile", null]));
}

#[test]
fn a_phone_number_is_international_or_left_out() {
    let told = |number: &str, country: Option<&str>| {
        let payer = Payer {
            billing: Some(multirail_sdk::connector::details::Address {
                phone: Some(Phone {
                    number: Some(number.to_owned()),
                    country_code: country.map(str::to_owned),
                    ..Phone::default()
                }),
                ..Default::default()
            }),
            ..Payer::default()
        };
        let request = asked(
            6540,
            Currency::EUR,
            true,
            Details {
                payer,
                ..Details::default()
            },
        );
        written(&request)["telephoneNumber"].clone()
    };
    assert_eq!(told("20 123 4567", Some("+31")), "+31201234567");
    assert_eq!(told("+1 (555) 010-0199", Some("31")), "+15550100199");
    assert_eq!(told("20 123 4567", None), Value::Null);
    assert_eq!(told("none", Some("31")), Value::Null);
}

#[test]
fn the_name_that_steers_tests_goes_to_test_accounts_only() {
    let details = Details {
        connector_metadata: Some(json!({ "testing": { "holder_name": "DECLINED" } })),
        ..Details::default()
    };
    let mut request = asked(6540, Currency::EUR, true, details);
    let holder =
        |request: &AuthorizeRequest| written(request)["paymentMethod"]["holderName"].clone();
    assert_eq!(holder(&request), "A. Reader");
    request.access.test_mode = true;
    assert_eq!(holder(&request), "DECLINED");
}
