//! Methods that the payer finishes elsewhere.

use multirail_kernel::currency::Currency;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::connector::details::{Address, Payer, Place};
use multirail_sdk::connector::{
    AuthorizeRequest, Descriptor, Details, Outcome, PayerStep, StepKind,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerSecret};
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::{Value, json};

use super::super::payer_methods::{RULES, data};
use super::super::{map, requests};
use super::notices::{event, read_event};
use super::requests::lines;
use super::{KEY, authorize, key, payment};
use crate::fixture::in_short;

fn by(method: PayerMethod, currency: Currency, details: Details) -> AuthorizeRequest {
    AuthorizeRequest {
        data: PaymentMethodData::Payer(Box::new(method.into())),
        ..authorize(6540, currency, details)
    }
}

fn of_bank(kind: PaymentMethodType, bank: BankName) -> PayerMethod {
    PayerMethod {
        bank_name: Some(bank),
        ..PayerMethod::new(kind)
    }
}

#[test]
fn a_redirect_needs_little_more_than_its_method() {
    let method = of_bank(PaymentMethodType::Ideal, BankName::Ing);
    let request = by(method, Currency::EUR, Details::default());
    let payment = requests::payment(&request, true).expect("writable");
    insta::assert_snapshot!(lines(&payment), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=automatic
    payment_method_types[0]=ideal
    payment_method_data[type]=ideal
    payment_method_data[ideal][bank]=ing
    return_url=https://pay.example/back?a=1&b=2
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
}

fn address(line1: &str) -> Address {
    Address {
        address: Some(Place {
            first_name: Some("Ada".to_owned()),
            last_name: Some("Okafor".to_owned()),
            line1: Some(line1.to_owned()),
            city: Some("London".to_owned()),
            zip: Some("SW1A 1AA".to_owned()),
            country: "GB".parse().ok(),
            ..Place::default()
        }),
        email: Some("ada@example.com".to_owned()),
        ..Address::default()
    }
}

/// Members of cards are left out, and so is an address that Afterpay would refuse.
#[test]
fn a_pay_later_account_learns_who_pays_and_where_the_goods_go() {
    let written = |shipping: Address| {
        let details = Details {
            descriptor: Descriptor {
                text: Some("TEAPOTS LTD".to_owned()),
                suffix: Some("4711".to_owned()),
                ..Descriptor::default()
            },
            payer: Payer {
                billing: Some(address("1 Billing Road")),
                shipping: Some(shipping),
                ..Payer::default()
            },
            may_be_raised: true,
            may_be_exceeded: true,
            ..Details::default()
        };
        let method = PayerMethod::new(PaymentMethodType::AfterpayClearpay);
        let mut request = by(method, Currency::GBP, details);
        request.capture = false;
        lines(&requests::payment(&request, true).expect("writable"))
    };
    let whole = written(address("2 Shipping Street"));
    insta::assert_snapshot!(whole, @"
    amount=6540
    currency=gbp
    confirm=true
    capture_method=manual
    payment_method_types[0]=afterpay_clearpay
    payment_method_data[type]=afterpay_clearpay
    payment_method_data[billing_details][name]=Ada Okafor
    payment_method_data[billing_details][email]=ada@example.com
    payment_method_data[billing_details][address][line1]=1 Billing Road
    payment_method_data[billing_details][address][city]=London
    payment_method_data[billing_details][address][postal_code]=SW1A 1AA
    payment_method_data[billing_details][address][country]=GB
    return_url=https://pay.example/back?a=1&b=2
    statement_descriptor=TEAPOTS LTD
    shipping[name]=Ada Okafor
    shipping[address][line1]=2 Shipping Street
    shipping[address][city]=London
    shipping[address][postal_code]=SW1A 1AA
    shipping[address][country]=GB
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
    let mut incomplete = address("2 Shipping Street");
    incomplete.address.as_mut().expect("a place").zip = None;
    let others = whole.lines().filter(|line| !line.starts_with("shipping["));
    assert_eq!(written(incomplete), others.collect::<Vec<_>>().join("\n"));
}

/// Returns a method with the text that the payer entered, if it has one.
fn entered(kind: PaymentMethodType) -> PayerData {
    let texts = [
        (PaymentMethodType::Blik, "123456"),
        (PaymentMethodType::Boleto, "52998224725"),
    ];
    let mut texts = texts.iter();
    let text = texts.find(|(own, _)| *own == kind).map(|(_, text)| *text);
    PayerData {
        secret: text.map(|text| PayerSecret::Text(SecretText::new(text))),
        ..PayerMethod::new(kind).into()
    }
}

#[test]
fn every_method_has_a_word_at_stripe() {
    let methods = RULES.iter().filter(|rules| !rules.is_debit());
    let words = methods.map(|rules| {
        let payer = entered(rules.kind);
        let data = data(&payer, None).expect("writable");
        let sent = lines(&data);
        format!("{} {}", rules.kind, sent.lines().next().unwrap_or_default())
    });
    insta::assert_snapshot!(words.collect::<Vec<_>>().join("\n"), @"
    affirm type=affirm
    afterpay_clearpay type=afterpay_clearpay
    ali_pay type=alipay
    bancontact_card type=bancontact
    blik type=blik
    boleto type=boleto
    cashapp type=cashapp
    eps type=eps
    ideal type=ideal
    klarna type=klarna
    mobile_pay type=mobilepay
    multibanco type=multibanco
    oxxo type=oxxo
    online_banking_poland type=p24
    przelewy24 type=p24
    paypal type=paypal
    pix type=pix
    swish type=swish
    twint type=twint
    upi_intent type=upi
    upi_qr type=upi
    we_chat_pay type=wechat_pay
    ");
}

#[test]
fn the_payers_text_and_stripes_own_options_are_sent() {
    let kinds = [
        (PaymentMethodType::Blik, Currency::PLN),
        (PaymentMethodType::Boleto, Currency::BRL),
        (PaymentMethodType::WeChatPay, Currency::CNY),
    ];
    let sent = kinds.map(|(kind, currency)| {
        let mut request = authorize(6540, currency, Details::default());
        request.data = PaymentMethodData::Payer(Box::new(entered(kind)));
        let all = lines(&requests::payment(&request, true).expect("writable"));
        let own = all
            .lines()
            .filter(|line| line.starts_with("payment_method_"));
        own.collect::<Vec<_>>().join("\n")
    });
    insta::assert_snapshot!(sent.join("\n"), @"
    payment_method_types[0]=blik
    payment_method_data[type]=blik
    payment_method_options[blik][code]=123456
    payment_method_types[0]=boleto
    payment_method_data[type]=boleto
    payment_method_data[boleto][tax_id]=52998224725
    payment_method_types[0]=wechat_pay
    payment_method_data[type]=wechat_pay
    payment_method_options[wechat_pay][client]=web
    ");
}

#[test]
fn other_methods_cards_and_texts_without_a_place_are_never_sent() {
    let PaymentMethodData::Card(card) = authorize(6540, Currency::EUR, Details::default()).data
    else {
        panic!("a card")
    };
    let with_card = |kind| PayerData {
        secret: Some(PayerSecret::Card(Box::new(card.clone()))),
        ..PayerMethod::new(kind).into()
    };
    let with_text = PayerData {
        secret: entered(PaymentMethodType::Blik).secret,
        ..PayerMethod::new(PaymentMethodType::Ideal).into()
    };
    for payer in [
        with_card(PaymentMethodType::BancontactCard),
        with_card(PaymentMethodType::Blik),
        with_text,
        PayerMethod::new(PaymentMethodType::Blik).into(),
        PayerMethod::new(PaymentMethodType::Boleto).into(),
        PayerMethod::new(PaymentMethodType::Trustly).into(),
    ] {
        let refused = data(&payer, None).err();
        assert!(refused.is_some(), "{payer:?}");
    }
    let method = PayerMethod::new(PaymentMethodType::Ideal);
    let check = by(method, Currency::EUR, Details::default());
    assert!(requests::check(&check).is_err(), "only cards are checked");
}

#[test]
fn banks_have_stripes_words_or_none() {
    let methods = [
        ("eps", PaymentMethodType::Eps),
        ("ideal", PaymentMethodType::Ideal),
        ("p24", PaymentMethodType::Przelewy24),
        ("none", PaymentMethodType::Klarna),
    ];
    let words = methods.map(|(word, kind)| {
        let sent = BankName::ALL.iter().filter_map(|bank| {
            let payer = PayerData::from(of_bank(kind, *bank));
            let form = lines(&data(&payer, None).expect("writable"));
            let bank = form
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{word}[bank]=")));
            bank.map(str::to_owned)
        });
        let mut banks: Vec<String> = sent.collect();
        banks.sort_unstable();
        banks.dedup();
        format!("{word}: {}", banks.join(" "))
    });
    insta::assert_snapshot!(words.join("\n"), @"
    eps: arzte_und_apotheker_bank austrian_anadi_bank_ag bank_austria bankhaus_carl_spangler bankhaus_schelhammer_und_schattera_ag bawag_psk_ag bks_bank_ag brull_kallmus_bank_ag btv_vier_lander_bank capital_bank_grawe_gruppe_ag dolomitenbank easybank_ag erste_bank_und_sparkassen hypo_alpeadriabank_international_ag hypo_bank_burgenland_aktiengesellschaft hypo_noe_lb_fur_niederosterreich_u_wien hypo_oberosterreich_salzburg_steiermark hypo_tirol_bank_ag hypo_vorarlberg_bank_ag marchfelder_bank oberbank_ag raiffeisen_bankengruppe_osterreich schoellerbank_ag sparda_bank_wien volksbank_gruppe volkskreditbank_ag vr_bank_braunau
    ideal: abn_amro asn_bank bunq handelsbanken ing knab moneyou n26 nn rabobank regiobank revolut sns_bank triodos_bank van_lanschot yoursafe
    p24: alior_bank bank_millennium bank_nowy_bfg_sa bank_pekao_sa banki_spbdzielcze blik bnp_paribas boz citi_handlowy credit_agricole envelobank etransfer_pocztowy24 getin_bank ideabank ing inteligo mbank_mtransfer nest_przelew noble_pay pbac_z_ipko plus_bank santander_przelew24 toyota_bank velobank volkswagen_bank
    none:
    ");
}

#[test]
fn a_payer_is_redirected_and_pays_or_does_not() {
    let url = "https://pm-redirects.stripe.com/authorize/1";
    let failed = |code: &str| {
        let error = json!({"type": "invalid_request_error", "code": code, "message": "No"});
        json!({"status": "requires_payment_method", "last_payment_error": error})
    };
    let rows = [
        json!({"status": "requires_action",
            "next_action": {"type": "redirect_to_url", "redirect_to_url": {"url": url}}}),
        json!({"status": "requires_action",
            "next_action": {"type": "alipay_handle_redirect", "alipay_handle_redirect": {"url": url}}}),
        json!({"status": "processing"}),
        json!({"currency": "eur", "latest_charge": {"payment_method_details": {"type": "ideal"}}}),
        failed("payment_intent_authentication_failure"),
        failed("payment_intent_payment_attempt_expired"),
        failed("payment_intent_payment_attempt_failed"),
        failed("payment_method_customer_decline"),
        failed("payment_method_provider_decline"),
        failed("payment_method_provider_timeout"),
    ];
    let rows = rows.map(|changes| {
        let intent = serde_json::from_value(payment(changes.clone())).expect("a payment");
        let outcome = map::payment(&key(KEY), intent).expect("an outcome");
        in_short(&outcome)
    });
    insta::assert_snapshot!(rows.join("\n"), @"
    customer must act pi_1 https://pm-redirects.stripe.com/authorize/1
    customer must act pi_1 https://pm-redirects.stripe.com/authorize/1
    pending pi_1
    done pi_1 6540 EUR -
    declined payment_intent_authentication_failure | No | - | authentication_failed | in authentication
    declined payment_intent_payment_attempt_expired | No | - | payment_session_timeout
    declined payment_intent_payment_attempt_failed | No | - | payment_method_issue
    declined payment_method_customer_decline | No | - | payment_cancelled_by_user
    declined payment_method_provider_decline | No | - | do_not_honor
    declined payment_method_provider_timeout | No | - | issuer_unavailable
    ");
}

/// Returns the step of a payment that waits for this action.
fn step_for(kind: &str, details: Value) -> Option<PayerStep> {
    let action = json!({"type": kind, kind: details});
    let changes = json!({"status": "requires_action", "currency": "eur", "created": 1_767_268_800,
        "amount_received": 0, "next_action": action});
    let intent = serde_json::from_value(payment(changes)).expect("a payment");
    match map::payment(&key(KEY), intent)? {
        Outcome::CustomerMustAct { step, .. } => Some(step),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_merchant_shows_codes_vouchers_and_transfers() {
    let page = "https://payments.stripe.com/test/1";
    let drawn = json!({"hosted_instructions_url": page});
    let steps = [
        ("blik_authorize", json!({})),
        (
            "boleto_display_details",
            json!({"number": "0101", "hosted_voucher_url": page, "expires_at": 1_767_528_000}),
        ),
        ("cashapp_handle_redirect_or_display_qr_code", drawn.clone()),
        (
            "multibanco_display_details",
            json!({"entity": "12345", "reference": "123456789", "hosted_voucher_url": page, "expires_at": 1_767_873_600}),
        ),
        (
            "oxxo_display_details",
            json!({"number": "6574", "hosted_voucher_url": page, "expires_after": 1_767_528_000}),
        ),
        (
            "pix_display_qr_code",
            json!({"data": "0002", "hosted_instructions_url": page, "expires_at": 1_767_355_200}),
        ),
        (
            "swish_handle_redirect_or_display_qr_code",
            json!({"hosted_instructions_url": page, "qr_code": {"data": "D12"}}),
        ),
        ("upi_handle_redirect_or_display_qr_code", drawn),
        (
            "wechat_pay_display_qr_code",
            json!({"data": "weixin:", "hosted_instructions_url": page}),
        ),
    ];
    let steps = steps.map(|(kind, details)| {
        let step = step_for(kind, details).expect("a step");
        let end = step.expires_at.map(Timestamp::unix_seconds);
        let shown = match step.kind {
            StepKind::Page { url } => url,
            StepKind::Shown(shown) => serde_json::to_string(&shown).expect("JSON"),
        };
        format!("{kind} {end:?} {shown}")
    });
    insta::assert_snapshot!(steps.join("\n"), @r#"
    blik_authorize Some(1767268860) {"form":"wait_screen","shown_from":1767268800000000}
    boleto_display_details Some(1767528000) {"form":"voucher","text":"0101","url":"https://payments.stripe.com/test/1"}
    cashapp_handle_redirect_or_display_qr_code None https://payments.stripe.com/test/1
    multibanco_display_details Some(1767873600) {"form":"bank_transfer","text":"123456789","url":"https://payments.stripe.com/test/1","entity":"12345","amount_received":0,"amount_remaining":6540}
    oxxo_display_details Some(1767528000) {"form":"voucher","text":"6574","url":"https://payments.stripe.com/test/1"}
    pix_display_qr_code Some(1767355200) {"form":"qr_code","text":"0002","url":"https://payments.stripe.com/test/1"}
    swish_handle_redirect_or_display_qr_code None {"form":"qr_code","text":"D12","url":"https://payments.stripe.com/test/1"}
    upi_handle_redirect_or_display_qr_code None https://payments.stripe.com/test/1
    wechat_pay_display_qr_code None {"form":"qr_code","text":"weixin:","url":"https://payments.stripe.com/test/1"}
    "#);
}

/// Nobody could pay with such a step, so the outcome stays unknown.
#[test]
fn a_step_without_its_text_is_not_read() {
    for (kind, details) in [
        (
            "boleto_display_details",
            json!({"number": null, "hosted_voucher_url": null, "expires_at": null}),
        ),
        (
            "multibanco_display_details",
            json!({"entity": null, "reference": "1", "hosted_voucher_url": null, "expires_at": null}),
        ),
        ("pix_display_qr_code", json!({})),
        (
            "cashapp_handle_redirect_or_display_qr_code",
            json!({"hosted_instructions_url": "javascript:alert(1)"}),
        ),
        ("of_a_later_version", json!({})),
    ] {
        assert_eq!(step_for(kind, details), None, "{kind}");
    }
}

#[test]
fn events_tell_the_end_of_a_redirect() {
    let error = json!({"type": "invalid_request_error", "code": "payment_intent_payment_attempt_expired", "message": "No"});
    let rows = [
        ("payment_intent.processing", json!({"status": "processing"})),
        ("payment_intent.succeeded", json!({"currency": "eur"})),
        (
            "payment_intent.payment_failed",
            json!({"status": "requires_payment_method", "last_payment_error": error}),
        ),
    ];
    let rows = rows.map(|(kind, changes)| read_event(&event(kind, payment(changes))));
    insta::assert_snapshot!(rows.join("\n"), @"
    evt_1 payment_intent.processing: authorize mrk_1 pi_1 pi_1: ask
    evt_1 payment_intent.succeeded: authorize mrk_1 pi_1 pi_1: done pi_1 6540 EUR -
    evt_1 payment_intent.payment_failed: authorize mrk_1 pi_1 pi_1: declined payment_intent_payment_attempt_expired | No | - | payment_session_timeout
    ");
}
