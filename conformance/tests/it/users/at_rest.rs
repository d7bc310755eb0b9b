//! The database's files reveal nothing about users.

use multirail_conformance::Shop;
use multirail_conformance::authenticator::Authenticator;
use serde_json::{Value, json};

use super::{PASSWORD, Person};
use crate::servers::site::{Site, is_found};
use crate::servers::stored::all_rows;

/// Returns the secret of an enrolled authenticator, and a recovery code.
async fn shown(person: &Person) -> (String, String) {
    let password = json!({ "password": PASSWORD });
    let begun = person.call("two_factor_begin").json(&password).await.ok();
    let code = json!({ "totp": Authenticator::from_answer(&begun).code(0) });
    let codes = person.call("two_factor_confirm").json(&code).await.ok();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&begun["secret"]), text(&codes["recovery_codes"][0]))
}

#[tokio::test(flavor = "multi_thread")]
async fn files_contain_no_addresses_passwords_or_tokens() {
    let site = Site::on_sqlite();
    let shop: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::invited(&shop.server, "ada.canary", "merchant_admin", "bookshop").await;
    let user_id = ada.details().await["user_id"].clone();
    let (secret, recovery) = shown(&ada).await;
    let folder = site.folder("one");
    let user_id = user_id.as_str().expect("an id");
    assert!(is_found(&folder, user_id), "the right files");
    let signature = ada.token.rsplit('.').next().expect("three parts");
    for telling in [
        "ada.canary",
        "ADA.CANARY",
        PASSWORD,
        signature,
        "pwl_",
        "user_agent",
        &secret,
        &recovery,
        &recovery.replace('-', ""),
    ] {
        assert!(!is_found(&folder, telling), "{telling} rests in the clear");
    }
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let shop: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::invited(&shop.server, "ada.canary", "merchant_admin", "bookshop").await;
    let (secret, recovery) = shown(&ada).await;
    let rows = all_rows(site.database_url().expect("an address")).await;
    assert!(rows.contains("merchant_admin"), "the right rows");
    let letters = recovery.replace('-', "");
    for telling in [
        "ada.canary",
        PASSWORD,
        "pwl_",
        "user_agent",
        &secret,
        &recovery,
        &letters,
    ] {
        assert!(!rows.contains(telling), "{telling} rests in the clear");
    }
}
