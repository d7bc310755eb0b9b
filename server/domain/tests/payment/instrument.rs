//! Accepted payment methods, and the refusals of all others.

use insta::assert_snapshot;
use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::{InstrumentInput, PaymentMethodData};
use multirail_kernel::secret::SecretText;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use crate::support::story::refused;
use crate::support::{by_token, card, card_input, saved, start};

fn with(change: impl FnOnce(&mut CardInput)) -> InstrumentInput {
    let mut input = card_input();
    change(&mut input);
    InstrumentInput {
        card: Some(input),
        ..card()
    }
}

fn method(method: PaymentMethod, method_type: Option<PaymentMethodType>) -> InstrumentInput {
    InstrumentInput {
        payment_method: Some(method),
        payment_method_type: method_type,
        ..InstrumentInput::default()
    }
}

fn family(method_given: PaymentMethod, family: &'static str) -> InstrumentInput {
    let types = PaymentMethodType::ALL.iter();
    let own = types.copied().find(|given| given.belongs_to(method_given));
    InstrumentInput {
        other_families: vec![family],
        ..method(method_given, own)
    }
}

#[test]
fn the_table_of_instruments() {
    let klarna = Some(PaymentMethodType::Klarna);
    let table = [
        ("nothing", InstrumentInput::default()),
        ("a card", card()),
        (
            "a card with its type",
            InstrumentInput {
                payment_method_type: Some(PaymentMethodType::Credit),
                ..card()
            },
        ),
        (
            "data without method",
            InstrumentInput {
                payment_method: None,
                ..card()
            },
        ),
        (
            "billing alone",
            InstrumentInput {
                billing: Some(Box::default()),
                ..InstrumentInput::default()
            },
        ),
        (
            "type alone",
            InstrumentInput {
                payment_method_type: klarna,
                ..InstrumentInput::default()
            },
        ),
        ("wallet without type", method(PaymentMethod::Wallet, None)),
        ("card without data", method(PaymentMethod::Card, None)),
        (
            "pay later without data",
            method(PaymentMethod::PayLater, klarna),
        ),
        (
            "another method's type",
            InstrumentInput {
                payment_method_type: klarna,
                ..card()
            },
        ),
        (
            "card data for pay later",
            InstrumentInput {
                payment_method: Some(PaymentMethod::PayLater),
                payment_method_type: klarna,
                ..card()
            },
        ),
        (
            "wallet data for a card",
            family(PaymentMethod::Card, "wallet"),
        ),
        (
            "wallet data for a wallet",
            family(PaymentMethod::Wallet, "wallet"),
        ),
        (
            "two data",
            InstrumentInput {
                other_families: vec!["wallet"],
                ..card()
            },
        ),
        (
            "two other data",
            InstrumentInput {
                other_families: vec!["wallet", "upi"],
                ..family(PaymentMethod::Wallet, "wallet")
            },
        ),
        ("a token of nothing", by_token(None)),
        ("a token", by_token(Some(saved("10", "2035")))),
        (
            "a token of an old card",
            by_token(Some(saved("12", "2025"))),
        ),
        (
            "a token, and a card",
            InstrumentInput {
                card: Some(card_input()),
                ..by_token(Some(saved("10", "2035")))
            },
        ),
        (
            "a token of no wallet",
            InstrumentInput {
                payment_method: Some(PaymentMethod::Wallet),
                ..by_token(Some(saved("10", "2035")))
            },
        ),
        (
            "a token, and a wrong code",
            InstrumentInput {
                token_code: Some(SecretText::new("12")),
                ..by_token(Some(saved("10", "2035")))
            },
        ),
        (
            "more of no token's card",
            InstrumentInput {
                token_holder_name: Some("Ada".to_owned()),
                ..card()
            },
        ),
        (
            "check digit",
            with(|card| card.number = SecretText::new("4111111111111112")),
        ),
        (
            "short number",
            with(|card| card.number = SecretText::new("4111111")),
        ),
        (
            "letters",
            with(|card| card.number = SecretText::new("4111x11111111111")),
        ),
        (
            "code of two digits",
            with(|card| card.code = SecretText::new("12")),
        ),
        (
            "code of letters",
            with(|card| card.code = SecretText::new("abc")),
        ),
        (
            "month of letters",
            with(|card| card.exp_month = "Oct".to_owned()),
        ),
        ("month 13", with(|card| card.exp_month = "13".to_owned())),
        (
            "year of letters",
            with(|card| card.exp_year = "next".to_owned()),
        ),
        ("year 1999", with(|card| card.exp_year = "1999".to_owned())),
        (
            "year of two digits",
            with(|card| card.exp_year = "35".to_owned()),
        ),
        (
            "last month",
            with(|card| (card.exp_month, card.exp_year) = ("12".to_owned(), "2025".to_owned())),
        ),
        (
            "this month",
            with(|card| (card.exp_month, card.exp_year) = ("1".to_owned(), "26".to_owned())),
        ),
    ];
    let mut page = String::new();
    for (name, input) in table {
        let answer = match input.check(start()) {
            Ok(None) => "no instrument".to_owned(),
            Ok(Some(given)) => format!("{} {:?}", given.instrument.payment_method, given.data),
            Err(refusal) => refused(&refusal),
        };
        page += &format!("{name:<26} {answer}\n");
    }
    assert_snapshot!(page, @r#"
    nothing                    no instrument
    a card                     card Card(Card { last4: "1111", network: Some(Visa), .. })
    a card with its type       card Card(Card { last4: "1111", network: Some(Visa), .. })
    data without method        Missing: payment_method is required and was not given
    billing alone              Missing: payment_method is required and was not given
    type alone                 Missing: payment_method is required and was not given
    wallet without type        Missing: payment_method_type is required and was not given
    card without data          Missing: payment_method_data is required and was not given
    pay later without data     Missing: payment_method_data is required and was not given
    another method's type      InvalidValue: payment_method_type klarna is no type of payment_method card, it belongs to pay_later
    card data for pay later    InvalidValue: payment_method_data is not the data of payment_method pay_later
    wallet data for a card     InvalidValue: payment_method_data is not the data of payment_method card
    wallet data for a wallet   MethodNotSupported: no connector that is built takes this payment_method_data.wallet: payment_method_type ali_pay is taken with payment_method_data.wallet.ali_pay_redirect
    two data                   InvalidValue: payment_method_data takes exactly one instrument
    two other data             InvalidValue: payment_method_data takes exactly one instrument
    a token of nothing         TokenInvalid: payment_token is unknown or no longer valid
    a token                    card Card(Card { last4: "1111", network: Some(Visa), .. })
    a token of an old card     card Card(Card { last4: "1111", network: Some(Visa), .. })
    a token, and a card        InvalidValue: payment_token and payment_method_data can't both say what pays
    a token of no wallet       InvalidValue: payment_token stands for a card, and not for payment_method wallet
    a token, and a wrong code  Precondition: card_cvc must have three or four digits
    more of no token's card    InvalidValue: payment_method_data.card_token belongs to payment_token
    check digit                Malformed: payment_method_data.card.card_number the check digit of the card number is wrong
    short number               Malformed: payment_method_data.card.card_number a card number has 8 to 19 digits
    letters                    Malformed: payment_method_data.card.card_number a card number consists of digits
    code of two digits         Precondition: payment_method_data.card.card_cvc must have three or four digits
    code of letters            Precondition: payment_method_data.card.card_cvc must have three or four digits
    month of letters           Unreadable: the value of payment_method_data.card.card_exp_month can't be read
    month 13                   Precondition: payment_method_data.card.card_exp_month must be 01 to 12
    year of letters            Unreadable: the value of payment_method_data.card.card_exp_year can't be read
    year 1999                  Precondition: payment_method_data.card.card_exp_year must be a year of this century, with two or four digits
    year of two digits         card Card(Card { last4: "1111", network: Some(Visa), .. })
    last month                 Precondition: payment_method_data.card.card_exp_year: the card expired at the end of 12/2025
    this month                 card Card(Card { last4: "1111", network: Some(Visa), .. })
    "#);
}

#[test]
fn shown_data_can_not_pay() {
    let given = card().check(start()).expect("fine").expect("a card");
    let (instrument, PaymentMethodData::Card(card)) = (given.instrument, given.data) else {
        panic!("a card")
    };
    assert!(card.code.is_some());
    let kept = serde_json::to_string(&instrument).expect("a record");
    assert!(
        !kept.contains("4111111111111111") && !kept.contains("737"),
        "{kept}"
    );
}
