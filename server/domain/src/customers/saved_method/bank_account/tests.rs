use multirail_sdk::payment_method::PaymentMethodType;

use super::*;

fn secret(text: &str) -> Option<SecretText> {
    Some(SecretText::new(text))
}

fn sepa(iban: &str) -> Result<BankAccount, Refusal> {
    TransferInput {
        iban: secret(iban),
        ..TransferInput::default()
    }
    .check()
}

fn ach(number: &str, routing_number: &str) -> Result<BankAccount, Refusal> {
    TransferInput {
        account_number: secret(number),
        routing_number: Some(routing_number.to_owned()),
        ..TransferInput::default()
    }
    .check()
}

fn debit(scheme: BankScheme, number: &str, code: &str) -> Result<BankAccount, Refusal> {
    DebitInput {
        bank_code: Some(code.to_owned()),
        ..DebitInput::new(scheme, SecretText::new(number))
    }
    .check("account")
}

#[test]
fn published_ibans_are_valid_and_their_variations_are_not() {
    let examples = [
        "DE89 3704 0044 0532 0130 00",
        "GB29NWBK60161331926819",
        "FR1420041010050500013M02606",
        "NO9386011117947",
        "MT84MALT011000012345MTLCAST001S",
        "nl91 abna 0417 1643 00",
    ];
    for text in examples {
        let account = sepa(text).expect(text);
        let plain = text.replace(' ', "").to_ascii_uppercase();
        assert_eq!(account.number.expose(), plain);
        assert!(plain.ends_with(&account.mask()));
        // A change of any digit is detected.
        for (place, byte) in plain
            .bytes()
            .enumerate()
            .filter(|(_, b)| b.is_ascii_digit())
        {
            let mut other = plain.clone().into_bytes();
            other[place] = if byte == b'9' { b'0' } else { byte + 1 };
            let other = String::from_utf8(other).expect("ASCII");
            assert!(sepa(&other).is_err(), "{other}");
        }
    }
    for text in [
        "",
        "DE",
        "DE89",
        "8937040044053201300000",
        "DE89370400440532013000é",
        "*************3000",
    ] {
        assert!(sepa(text).is_err(), "{text}");
    }
}

#[test]
fn banks_have_codes_that_check() {
    assert!(ach("000123456789", "110000000").is_ok());
    assert!(ach("000123456789", "021000021").is_ok());
    for code in ["021000022", "02100002", "0210000210", "02100002x", ""] {
        assert!(ach("000123456789", code).is_err(), "{code}");
    }
    for number in ["123", "123456789012345678", "12345x", "****6789"] {
        assert!(ach(number, "110000000").is_err(), "{number}");
    }
    let bacs = debit(BankScheme::Bacs, "00012345", "10-88-00").expect("an account");
    assert_eq!(bacs.bank_code.as_deref(), Some("108800"));
    assert!(debit(BankScheme::Bacs, "0012345", "108800").is_err());
    assert!(debit(BankScheme::Becs, "000123456", "000-000").is_ok());
    assert!(debit(BankScheme::Becs, "000123456", "00000").is_err());
    let iban = "DE89370400440532013000";
    let deutsche = debit(BankScheme::Sepa, iban, "cobadeff").expect("an account");
    assert_eq!(deutsche.bank_code.as_deref(), Some("COBADEFF"));
    for code in ["COBADEF", "COBADEFFX", "COBA12FF", "COBADEFFXXXX"] {
        assert!(debit(BankScheme::Sepa, iban, code).is_err(), "{code}");
    }
}

#[test]
fn members_say_by_whose_rules_an_account_is_named() {
    let nothing = TransferInput::default().check();
    assert!(nothing.is_err());
    let two = TransferInput {
        account_number: secret("000123456789"),
        routing_number: Some("110000000".to_owned()),
        sort_code: Some("108800".to_owned()),
        ..TransferInput::default()
    };
    assert!(two.check().is_err());
    let stranger = TransferInput {
        account_number: secret("000123456789"),
        routing_number: Some("110000000".to_owned()),
        bic: Some("COBADEFF".to_owned()),
        ..TransferInput::default()
    };
    let refused = stranger.check().expect_err("a BIC of an ACH account");
    assert_eq!(
        refused.to_string(),
        "bank_transfer.bic does not go together with the other members"
    );
    let pix = TransferInput {
        account_number: secret("0012345"),
        pix_key: secret("ada@shopper.example"),
        tax_id: secret("123.456.789-09"),
        ..TransferInput::default()
    };
    let pix = pix.check().expect("an account");
    assert_eq!(pix.paid_out_as(), Some(PaymentMethodType::Pix));
}

#[test]
fn nothing_of_a_number_prints_and_little_is_shown() {
    let account = ach("000123456789", "110000000").expect("an account");
    assert!(!format!("{account:?}").contains("123456"));
    assert_eq!(account.mask(), "6789");
    assert_eq!(hidden(&account.number), "********6789");
    assert_eq!(hidden(&SecretText::new("6789")), "********");
    let refused = sepa("DE88370400440532013000").expect_err("wrong check digits");
    assert!(!refused.to_string().contains("3704"), "{refused}");
}

#[test]
fn a_record_reads_as_it_was_written() {
    let mut account = ach("000123456789", "110000000").expect("an account");
    account.tax_id = secret("7");
    let text = serde_json::to_string(&account).expect("JSON");
    assert_eq!(
        serde_json::from_str::<BankAccount>(&text).expect("an account"),
        account
    );
    let bare = r#"{"scheme":"sepa","number":"DE89370400440532013000"}"#;
    let bare: BankAccount = serde_json::from_str(bare).expect("an account");
    assert_eq!(bare.pix_key, None);
}
