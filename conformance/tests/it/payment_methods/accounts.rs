//! Saved bank accounts: for payouts and for debits.

use multirail_conformance::bodies::{APPROVED, with, without};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{known, listed, lists, method_id, on, order_of, paid_by_token, saves, shown};

const IBAN: &str = "DE89370400440532013000";

fn account(family: &str, more: Value) -> Value {
    with(
        json!({ "customer_id": "ada", "payment_method": family }),
        more,
    )
}

/// An account of Ada's for payouts.
pub fn paid_out_to(account_of_bank: Value) -> Value {
    account("bank_transfer", json!({ "bank_transfer": account_of_bank }))
}

/// An account of Ada's for debits.
pub fn debited(scheme: &str, account_of_bank: Value) -> Value {
    let data = json!({ "bank_debit": { scheme: account_of_bank } });
    account("bank_debit", json!({ "payment_method_data": data }))
}

fn creates(shop: &Shop, body: &Value) -> Call {
    shop.call("payment_methods_create").json(body)
}

fn sepa() -> Value {
    paid_out_to(json!({
        "iban": "de89 3704 0044 0532 0130 00", "bic": "cobadeffxxx", "bank_name": "Example Bank",
        "bank_country_code": "DE", "bank_city": "Berlin", "account_holder_name": "Ada Okafor",
    }))
}

#[tokio::test]
async fn an_account_is_saved_listed_and_deleted() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let more = json!({
        "payment_method_issuer": "Example Bank", "metadata": { "tier": "gold" },
        "billing": { "address": { "city": "Berlin", "country": "DE" } },
    });
    let saved = creates(&shop, &with(sepa(), more)).await.ok();
    insta::assert_json_snapshot!(shown(&saved), @r#"
    {
      "merchant_id": "bookshop",
      "payment_method_id": "[payment_method_id]",
      "customer_id": "ada",
      "payment_method": "bank_transfer",
      "payment_method_type": "sepa_bank_transfer",
      "card": null,
      "recurring_enabled": false,
      "installment_payment_enabled": false,
      "payment_experience": null,
      "metadata": {
        "tier": "gold"
      },
      "created": "[created]",
      "last_used_at": "[last_used_at]",
      "bank_transfer": {
        "bank_account_number": null,
        "bank_routing_number": null,
        "iban": "DE89370400440532013000",
        "bic": "COBADEFFXXX",
        "bank_name": "Example Bank",
        "bank_country_code": "DE",
        "bank_city": "Berlin",
        "account_holder_name": "Ada Okafor"
      },
      "client_secret": null
    }
    "#);
    assert_eq!(
        on(&shop, "payment_methods_retrieve", &saved).await.ok(),
        saved
    );
    let method = listed(&shop, "ada").await.remove(0);
    insta::assert_json_snapshot!(shown(&method), @r#"
    {
      "payment_token": "[payment_token]",
      "payment_method_id": "[payment_method_id]",
      "customer_id": "ada",
      "payment_method": "bank_transfer",
      "payment_method_type": "sepa_bank_transfer",
      "payment_method_issuer": "Example Bank",
      "payment_method_issuer_code": null,
      "requires_cvv": false,
      "default_payment_method_set": true,
      "recurring_enabled": false,
      "installment_payment_enabled": false,
      "payment_experience": null,
      "card": null,
      "metadata": {
        "tier": "gold"
      },
      "created": "[created]",
      "last_used_at": "[last_used_at]",
      "bank_transfer": {
        "bank_account_number": null,
        "bank_routing_number": null,
        "iban": "DE89370400440532013000",
        "bic": "COBADEFFXXX",
        "bank_name": "Example Bank",
        "bank_country_code": "DE",
        "bank_city": "Berlin",
        "account_holder_name": "Ada Okafor"
      },
      "bank": null,
      "surcharge_details": null,
      "billing": {
        "address": {
          "city": "Berlin",
          "country": "DE"
        }
      }
    }
    "#);
    let again = on(&shop, "payment_methods_set_default", &saved).at("customer_id", "ada");
    again.await.refused(400, "IR_16");
    on(&shop, "payment_methods_delete", &saved).await.ok();
    assert!(listed(&shop, "ada").await.is_empty());
    on(&shop, "payment_methods_retrieve", &saved)
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn each_scheme_shows_what_names_its_accounts() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let ach = json!({ "account_number": "000123456789", "routing_number": "110000000" });
    let bodies = [
        paid_out_to(
            json!({ "bank_account_number": "000123456789", "bank_routing_number": "110000000" }),
        ),
        paid_out_to(json!({ "bank_account_number": "00012345", "bank_sort_code": "10-88-00" })),
        sepa(),
        paid_out_to(json!({
            "bank_account_number": "0012345", "pix_key": "ada@shopper.example", "tax_id": "12345678909",
            "bank_branch": "0001",
        })),
        debited(
            "ach_bank_debit",
            with(
                ach,
                json!({
                    "bank_type": "checking", "bank_holder_type": "personal", "bank_name": "Example Bank",
                }),
            ),
        ),
        debited(
            "bacs_bank_debit",
            json!({ "account_number": "00012345", "sort_code": "108800" }),
        ),
        debited(
            "becs_bank_debit",
            json!({ "account_number": "000123456", "bsb_number": "000-000" }),
        ),
        debited(
            "sepa_bank_debit",
            json!({ "iban": IBAN, "bank_account_holder_name": "Ada Okafor" }),
        ),
    ];
    let mut page = String::new();
    for body in &bodies {
        let saved = creates(&shop, body).await.ok();
        assert_eq!(saved["card"], Value::Null);
        let mut account = saved["bank_transfer"].clone();
        if let Some(members) = account.as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        page += &format!(
            "{} {}: {account} {}\n",
            saved["payment_method"].as_str().expect("a family"),
            saved["payment_method_type"],
            saved.get("bank").unwrap_or(&Value::Null)
        );
    }
    insta::assert_snapshot!(page, @r#"
    bank_transfer "ach": {"bank_account_number":"000123456789","bank_routing_number":"110000000"} null
    bank_transfer "bacs": {"bank_account_number":"00012345","bank_sort_code":"108800"} null
    bank_transfer "sepa_bank_transfer": {"iban":"DE89370400440532013000","bic":"COBADEFFXXX","bank_name":"Example Bank","bank_country_code":"DE","bank_city":"Berlin","account_holder_name":"Ada Okafor"} null
    bank_transfer "pix": {"bank_account_number":"0012345","pix_key":"ada@shopper.example","tax_id":"12345678909","bank_branch":"0001"} null
    bank_debit "ach": null {"mask":"6789"}
    bank_debit "bacs": null {"mask":"2345"}
    bank_debit "becs": null {"mask":"3456"}
    bank_debit "sepa": null {"mask":"3000"}
    "#);
    // The same account can be saved for both families, once for each.
    assert_eq!(listed(&shop, "ada").await.len(), bodies.len());
    for body in &bodies {
        creates(&shop, body).await.ok();
    }
    assert_eq!(listed(&shop, "ada").await.len(), bodies.len());
}

#[tokio::test]
async fn the_same_account_is_renewed() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let first = creates(&shop, &sepa()).await.ok();
    let again = paid_out_to(json!({ "iban": IBAN, "account_holder_name": "A. Okafor" }));
    let second = creates(&shop, &again).await.ok();
    assert_eq!(method_id(&second), method_id(&first));
    assert_eq!(second["created"], first["created"]);
    let account = &second["bank_transfer"];
    assert_eq!(account["account_holder_name"], "A. Okafor");
    assert_eq!(account["bank_city"], "Berlin", "nothing was said of it");
    let stranger = shop.server.shop("flower_shop").await;
    known(&stranger, "ada").await;
    let strange = creates(&stranger, &again).await.ok();
    assert_ne!(method_id(&strange), method_id(&first));
    on(&stranger, "payment_methods_retrieve", &first)
        .await
        .refused(404, "HE_02");
    // The members of a card can't be changed here.
    let renamed = json!({ "card": { "nick_name": "mine" } });
    let message = on(&shop, "payment_methods_update", &first).json(&renamed);
    let message = message.await.refused(422, "IR_06");
    assert_eq!(message, "card can't be said of a saved bank_transfer");
}

#[tokio::test]
async fn a_payers_client_sees_the_last_digits() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    creates(&shop, &sepa()).await.ok();
    let pix = json!({ "bank_account_number": "0012345", "pix_key": "ada@shopper.example", "tax_id": "12345678909" });
    creates(&shop, &paid_out_to(pix)).await.ok();
    let payer = shop.payer_of(&shop.creates(order_of("ada")).await.ok());
    let key = json!({ "customer_id": "ada" });
    let key = shop.call("ephemeral_keys_create").json(&key).await.ok();
    let with_secret = payer
        .call("payer_payment_methods_list")
        .query("client_secret", &payer.client_secret);
    let with_key = lists(&shop, "ada").key(key["secret"].as_str().expect("a key"));
    let of_payment = with_secret.await.ok();
    assert_eq!(
        of_payment["customer_payment_methods"],
        json!([]),
        "nothing can be paid with them"
    );
    let answer = with_key.await.ok();
    let accounts: Vec<&Value> = (0..2)
        .map(|place| &answer["customer_payment_methods"][place]["bank_transfer"])
        .collect();
    let of = |member: &str| accounts.iter().find_map(|account| account[member].as_str());
    assert_eq!(of("iban"), Some("********3000"));
    assert_eq!(of("pix_key"), Some("********mple"));
    assert_eq!(of("tax_id"), Some("********8909"));
    assert_eq!(of("bank_account_number"), Some("********345"));
    assert_eq!(of("bic"), Some("COBADEFFXXX"));
    // A payer can save accounts for debits; only the merchant can save accounts for payouts.
    let own = debited("sepa_bank_debit", json!({ "iban": IBAN }));
    let secret = json!({ "client_secret": payer.client_secret });
    let own = with(without(own, "customer_id"), secret.clone());
    let saved = payer.call("payment_methods_create").json(&own).await.ok();
    assert_eq!(saved["bank"], json!({ "mask": "3000" }));
    let transfer = with(without(sepa(), "customer_id"), secret);
    payer
        .call("payment_methods_create")
        .json(&transfer)
        .await
        .refused(422, "IR_06");
}

#[tokio::test]
async fn no_connector_takes_one() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    creates(&shop, &sepa()).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let message = shop.creates(paid_by_token("ada", &method));
    let message = message.await.refused(400, "IR_19");
    insta::assert_snapshot!(message, @"no connector charges a saved payment_method bank_transfer");
    let charge = json!({
        "off_session": true, "confirm": true,
        "recurring_details": { "type": "payment_method_id", "data": method["payment_method_id"] },
    });
    shop.creates(with(order_of("ada"), charge))
        .await
        .refused(400, "IR_19");
    // Cards still work with a saved account, and filters separate the two.
    saves(&shop, "ada", APPROVED).await.ok();
    let cards = lists(&shop, "ada")
        .query("card_networks", "Visa")
        .await
        .ok();
    let methods = cards["customer_payment_methods"]
        .as_array()
        .expect("methods");
    assert_eq!(methods.len(), 1);
    assert_eq!(methods[0]["payment_method"], "card");
    let paid = shop.creates(paid_by_token("ada", &methods[0])).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn a_forgotten_customers_accounts_are_gone() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let saved = creates(&shop, &sepa()).await.ok();
    let gone = shop.call("customers_delete").at("customer_id", "ada");
    assert_eq!(gone.await.ok()["payment_methods_deleted"], true);
    on(&shop, "payment_methods_retrieve", &saved)
        .await
        .refused(404, "HE_02");
    lists(&shop, "ada").await.refused(400, "IR_11");
}

#[tokio::test]
async fn refusals_name_the_wrong_member() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let debit = |more: Value| {
        debited(
            "ach_bank_debit",
            with(
                json!({
                    "account_number": "000123456789", "routing_number": "110000000",
                }),
                more,
            ),
        )
    };
    let two =
        json!({ "payment_method_data": { "bank_debit": { "sepa_bank_debit": { "iban": IBAN } } } });
    let table = [
        ("no account", without(sepa(), "bank_transfer"), 400, "IR_04"),
        ("no debit", account("bank_debit", json!({})), 400, "IR_04"),
        (
            "no scheme",
            paid_out_to(json!({ "bank_account_number": "1234" })),
            422,
            "IR_06",
        ),
        (
            "two schemes",
            with(sepa(), json!({ "bank_transfer": { "pix_key": "k" } })),
            422,
            "IR_06",
        ),
        ("two debits", with(debit(json!({})), two), 422, "IR_06"),
        (
            "a stranger",
            with(sepa(), json!({ "bank_transfer": { "tax_id": "1" } })),
            422,
            "IR_06",
        ),
        (
            "no number",
            paid_out_to(json!({ "bank_sort_code": "108800" })),
            400,
            "IR_04",
        ),
        (
            "check digits",
            paid_out_to(json!({ "iban": "DE88370400440532013000" })),
            400,
            "IR_06",
        ),
        (
            "no bank",
            with(sepa(), json!({ "bank_transfer": { "bic": "COBA" } })),
            400,
            "IR_06",
        ),
        (
            "no routing",
            debit(json!({ "routing_number": "110000001" })),
            400,
            "IR_06",
        ),
        (
            "a short number",
            debit(json!({ "account_number": "123" })),
            400,
            "IR_06",
        ),
        (
            "a mask",
            debit(json!({ "account_number": "****6789" })),
            400,
            "IR_06",
        ),
        (
            "a country",
            with(
                sepa(),
                json!({ "bank_transfer": { "bank_country_code": "XX" } }),
            ),
            400,
            "IR_06",
        ),
        (
            "a card's type",
            with(sepa(), json!({ "payment_method_type": "credit" })),
            422,
            "IR_06",
        ),
        (
            "another's type",
            with(sepa(), json!({ "payment_method_type": "pix" })),
            422,
            "IR_06",
        ),
        (
            "a card",
            with(
                sepa(),
                json!({ "card": { "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "35" } }),
            ),
            422,
            "IR_06",
        ),
        (
            "as a card",
            with(sepa(), json!({ "payment_method": "card" })),
            422,
            "IR_06",
        ),
        (
            "as a debit",
            with(sepa(), json!({ "payment_method": "bank_debit" })),
            422,
            "IR_06",
        ),
        (
            "nobody",
            with(sepa(), json!({ "customer_id": "nobody" })),
            404,
            "HE_02",
        ),
    ];
    let mut page = String::new();
    for (name, body, status, code) in table {
        let message = creates(&shop, &body).await.refused(status, code);
        assert!(
            !message.contains("3704") && !message.contains("12345"),
            "{message}"
        );
        page += &format!("{name:<15} {status} {code} {message}\n");
    }
    insta::assert_snapshot!(page, @r"
    no account      400 IR_04 bank_transfer is required and was not given
    no debit        400 IR_04 payment_method_data.bank_debit is required and was not given
    no scheme       422 IR_06 bank_transfer has to have exactly one of bank_routing_number, bank_sort_code, iban and pix_key
    two schemes     422 IR_06 bank_transfer has to have exactly one of bank_routing_number, bank_sort_code, iban and pix_key
    two debits      422 IR_06 payment_method_data.bank_debit has to have exactly one member
    a stranger      422 IR_06 bank_transfer.tax_id does not go together with the other members
    no number       400 IR_04 bank_transfer.bank_account_number is required and was not given
    check digits    400 IR_06 bank_transfer.iban is no IBAN: its form or its check digits are wrong
    no bank         400 IR_06 bank_transfer.bic is no BIC: it has 8 or 11 letters and digits
    no routing      400 IR_06 payment_method_data.bank_debit.ach_bank_debit.routing_number is no routing number: it has 9 digits, of which the last one checks the others
    a short number  400 IR_06 payment_method_data.bank_debit.ach_bank_debit.account_number has to be 4 to 17 digits
    a mask          400 IR_06 payment_method_data.bank_debit.ach_bank_debit.account_number has to be 4 to 17 digits
    a country       400 IR_06 `bank_transfer.bank_country_code` must be one of the words that the document lists.
    a card's type   422 IR_06 payment_method_type credit is no type of payment_method bank_transfer, it belongs to card
    another's type  422 IR_06 payment_method_type pix is not that of the account, which is sepa_bank_transfer
    a card          422 IR_06 the card is not what payment_method bank_transfer stands for
    as a card       422 IR_06 bank_transfer is not what payment_method card stands for
    as a debit      422 IR_06 bank_transfer is not what payment_method bank_debit stands for
    nobody          404 HE_02 there is no such customer
    ");
    assert!(listed(&shop, "ada").await.is_empty(), "nothing was saved");
}
