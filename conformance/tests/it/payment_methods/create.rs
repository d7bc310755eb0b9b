//! `POST /payment_methods`.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, with, without};
use serde_json::json;

use super::{card_of, known, listed, on, saves, shown};

#[tokio::test]
async fn a_card_is_saved_and_is_the_default() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let more = json!({
        "card": {
            "nick_name": "mine", "card_network": "visa", "card_issuer": "Example Bank", "card_type": "credit",
            "card_issuing_country": "NG",
        },
        "payment_method_issuer": "Example Bank", "payment_method_issuer_code": "EXB", "metadata": { "tier": "gold" },
        "billing": { "address": { "city": "Lagos", "country": "NG" }, "email": "ada@shopper.example" },
    });
    let body = with(card_of("ada", APPROVED), more);
    let saved = shop.call("payment_methods_create").json(&body).await.ok();
    insta::assert_json_snapshot!(shown(&saved), @r#"
    {
      "merchant_id": "bookshop",
      "payment_method_id": "[payment_method_id]",
      "customer_id": "ada",
      "payment_method": "card",
      "payment_method_type": "credit",
      "card": {
        "saved_to_locker": true,
        "scheme": "Visa",
        "issuer_country": "NG",
        "issuer_country_code": "NG",
        "last4_digits": "1111",
        "expiry_month": "10",
        "expiry_year": "2035",
        "card_token": null,
        "card_holder_name": "Ada Okafor",
        "card_fingerprint": "[fingerprint]",
        "nick_name": "mine",
        "card_network": "Visa",
        "card_isin": "411111",
        "card_issuer": "Example Bank",
        "card_type": "credit"
      },
      "recurring_enabled": false,
      "installment_payment_enabled": false,
      "payment_experience": [
        "redirect_to_url"
      ],
      "metadata": {
        "tier": "gold"
      },
      "created": "[created]",
      "last_used_at": "[last_used_at]",
      "bank_transfer": null,
      "client_secret": null
    }
    "#);
    assert_eq!(
        on(&shop, "payment_methods_retrieve", &saved).await.ok(),
        saved
    );
    insta::assert_json_snapshot!(shown(&listed(&shop, "ada").await[0]), @r#"
    {
      "payment_token": "[payment_token]",
      "payment_method_id": "[payment_method_id]",
      "customer_id": "ada",
      "payment_method": "card",
      "payment_method_type": "credit",
      "payment_method_issuer": "Example Bank",
      "payment_method_issuer_code": "EXB",
      "requires_cvv": true,
      "default_payment_method_set": true,
      "recurring_enabled": false,
      "installment_payment_enabled": false,
      "payment_experience": [
        "redirect_to_url"
      ],
      "card": {
        "saved_to_locker": true,
        "scheme": "Visa",
        "issuer_country": "NG",
        "issuer_country_code": "NG",
        "last4_digits": "1111",
        "expiry_month": "10",
        "expiry_year": "2035",
        "card_token": null,
        "card_holder_name": "Ada Okafor",
        "card_fingerprint": "[fingerprint]",
        "nick_name": "mine",
        "card_network": "Visa",
        "card_isin": "411111",
        "card_issuer": "Example Bank",
        "card_type": "credit"
      },
      "metadata": {
        "tier": "gold"
      },
      "created": "[created]",
      "last_used_at": "[last_used_at]",
      "bank_transfer": null,
      "bank": null,
      "surcharge_details": null,
      "billing": {
        "address": {
          "city": "Lagos",
          "country": "NG"
        },
        "email": "ada@shopper.example"
      }
    }
    "#);
    let ada = shop
        .call("customers_retrieve")
        .at("customer_id", "ada")
        .await
        .ok();
    assert_eq!(ada["default_payment_method_id"], saved["payment_method_id"]);
    // The second card doesn't become the default.
    saves(&shop, "ada", DECLINED).await.ok();
    let default = |method: &serde_json::Value| method["default_payment_method_set"] == true;
    assert_eq!(
        listed(&shop, "ada")
            .await
            .iter()
            .filter(|m| default(m))
            .count(),
        1
    );
}

#[tokio::test]
async fn the_same_card_is_saved_once() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let named = json!({ "card": { "nick_name": "mine" }, "metadata": { "tier": "gold" } });
    let body = with(card_of("ada", APPROVED), named);
    let first = shop.call("payment_methods_create").json(&body).await.ok();
    let again = json!({
        "card": { "card_number": "4111 1111 1111 1111", "card_exp_year": "2037", "card_holder_name": "A. Okafor" },
    });
    let body = with(card_of("ada", APPROVED), again);
    let second = shop.call("payment_methods_create").json(&body).await.ok();
    assert_eq!(second["payment_method_id"], first["payment_method_id"]);
    assert_eq!(second["created"], first["created"]);
    assert_eq!(second["card"]["expiry_year"], "2037");
    assert_eq!(second["card"]["card_holder_name"], "A. Okafor");
    assert_eq!(
        second["card"]["nick_name"], "mine",
        "nothing was said of it"
    );
    assert_eq!(second["metadata"], json!({ "tier": "gold" }));
    assert_eq!(listed(&shop, "ada").await.len(), 1);
    // For another customer the same card is another method.
    known(&shop, "grace").await;
    let other = saves(&shop, "grace", APPROVED).await.ok();
    assert_ne!(other["payment_method_id"], first["payment_method_id"]);
    assert_eq!(
        other["card"]["card_fingerprint"],
        first["card"]["card_fingerprint"]
    );
    // Another merchant's card reveals nothing of this one.
    let stranger = shop.server.shop("flower_shop").await;
    known(&stranger, "ada").await;
    let strange = saves(&stranger, "ada", APPROVED).await.ok();
    assert_ne!(
        strange["card"]["card_fingerprint"],
        first["card"]["card_fingerprint"]
    );
    assert_ne!(strange["payment_method_id"], first["payment_method_id"]);
}

#[tokio::test]
async fn refusals_name_the_wrong_member() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    known(&shop, "gone").await;
    shop.call("customers_delete")
        .at("customer_id", "gone")
        .await
        .ok();
    let good = card_of("ada", APPROVED);
    let card = |member: &str, value: &str| with(good.clone(), json!({ "card": { member: value } }));
    let inside = json!({ "payment_method_data": { "card": good["card"].clone() } });
    let table = [
        (
            "no method",
            without(good.clone(), "payment_method"),
            400,
            "IR_04",
        ),
        (
            "no customer",
            without(good.clone(), "customer_id"),
            400,
            "IR_04",
        ),
        ("no card", without(good.clone(), "card"), 400, "IR_04"),
        (
            "no number",
            without(good.clone(), "card.card_number"),
            400,
            "IR_04",
        ),
        (
            "no check digit",
            card("card_number", "4111111111111112"),
            400,
            "IR_06",
        ),
        ("no month", card("card_exp_month", "Oct"), 400, "IR_07"),
        ("month 13", card("card_exp_month", "13"), 400, "IR_16"),
        ("no year", card("card_exp_year", "next"), 400, "IR_07"),
        ("expired", card("card_exp_year", "2020"), 400, "IR_16"),
        (
            "unknown network",
            card("card_network", "Visum"),
            400,
            "IR_06",
        ),
        ("a code", card("card_cvc", "123"), 400, "IR_06"),
        (
            "a long name",
            card("nick_name", &"n".repeat(256)),
            422,
            "IR_05",
        ),
        ("twice", with(good.clone(), inside), 422, "IR_06"),
        (
            "a wallet",
            without(
                with(good.clone(), json!({ "payment_method": "wallet" })),
                "card",
            ),
            400,
            "IR_19",
        ),
        (
            "a type of none",
            with(good.clone(), json!({ "payment_method_type": "klarna" })),
            422,
            "IR_06",
        ),
        (
            "not built",
            with(good.clone(), json!({ "wallet": { "paypal": {} } })),
            400,
            "IR_20",
        ),
        (
            "an account",
            with(good.clone(), json!({ "bank_transfer": { "iban": "x" } })),
            422,
            "IR_06",
        ),
        (
            "nobody",
            with(good.clone(), json!({ "customer_id": "nobody" })),
            404,
            "HE_02",
        ),
        (
            "redacted",
            with(good.clone(), json!({ "customer_id": "gone" })),
            400,
            "IR_11",
        ),
        (
            "a slip",
            with(good.clone(), json!({ "nick_nam": "x" })),
            400,
            "IR_06",
        ),
    ];
    let mut page = String::new();
    for (name, body, status, code) in table {
        let message = shop
            .call("payment_methods_create")
            .json(&body)
            .await
            .refused(status, code);
        page += &format!("{name:<16} {status} {code} {message}\n");
    }
    insta::assert_snapshot!(page, @r"
    no method        400 IR_04 Missing required parameter: payment_method
    no customer      400 IR_04 customer_id is required and was not given
    no card          400 IR_04 card is required and was not given
    no number        400 IR_04 Missing required parameter: card.card_number
    no check digit   400 IR_06 card.card_number the check digit of the card number is wrong
    no month         400 IR_07 the value of card.card_exp_month can't be read
    month 13         400 IR_16 card.card_exp_month must be 01 to 12
    no year          400 IR_07 the value of card.card_exp_year can't be read
    expired          400 IR_16 card.card_exp_year: the card expired at the end of 10/2020
    unknown network  400 IR_06 `card.card_network` must be one of: Visa, Mastercard, AmericanExpress, JCB, DinersClub, Discover, CartesBancaires, UnionPay, Interac, RuPay, Maestro, Star, Pulse, Accel, Nyce.
    a code           400 IR_06 `card.card_cvc` is not a known member here.
    a long name      422 IR_05 `card.nick_name` must be at most 255 characters long.
    twice            422 IR_06 the card is given twice, as card and as payment_method_data.card
    a wallet         400 IR_19 payment_method wallet can't be saved: only card, bank_transfer and bank_debit can
    a type of none   422 IR_06 payment_method_type klarna is no type of payment_method card, it belongs to pay_later
    not built        400 IR_20 `wallet` asks for something that isn't built yet; leave it out.
    an account       422 IR_06 bank_transfer is not what payment_method card stands for
    nobody           404 HE_02 there is no such customer
    redacted         400 IR_11 the customer has been redacted already
    a slip           400 IR_06 `nick_nam` is not a known member here.
    ");
    assert!(listed(&shop, "ada").await.is_empty(), "nothing was saved");
}

#[tokio::test]
async fn the_card_may_stand_where_payments_have_it() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let card = card_of("ada", APPROVED);
    let body = json!({
        "customer_id": "ada", "payment_method": "card", "payment_method_data": { "card": card["card"] },
        "card_network": "CartesBancaires",
    });
    let saved = shop.call("payment_methods_create").json(&body).await.ok();
    assert_eq!(saved["card"]["scheme"], "CartesBancaires");
    assert_eq!(saved["card"]["last4_digits"], "1111");
}
