//! Query parameters with words separated by commas. The document lists the words; the server accepts all of them and
//! no others.

use multirail_conformance::Shop;
use multirail_conformance::document::{document, operations, target};
use serde_json::{Value, json};

/// Returns the words of the enumeration that the parameter refers to.
fn words(parameter: &Value) -> Vec<&'static str> {
    let place = target(&parameter["x-multirail-words"]).expect("a reference");
    let words = document().pointer(place).expect("a schema")["enum"].as_array();
    let words = words.expect("an enumeration");
    words.iter().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn every_word_of_a_list_is_taken_and_no_other() {
    let shop = Shop::open().await;
    let ada = json!({ "customer_id": "ada" });
    shop.call("customers_create").json(&ada).await.ok();
    let mut tried = 0;
    for operation in operations() {
        for parameter in document()["paths"][&operation.path]
            [operation.method.as_str().to_ascii_lowercase()]["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let takes_several = target(&parameter["schema"])
                .is_some_and(|place| place.ends_with("/CommaList") || place.ends_with("/Words"));
            if !takes_several {
                continue;
            }
            let name = parameter["name"].as_str().expect("a name");
            let words = words(parameter);
            if !operation.takes("api_key") {
                continue;
            }
            let call = || match operation.path_parameters().contains(&"customer_id") {
                true => shop.call(&operation.id).at("customer_id", "ada"),
                false => shop.call(&operation.id),
            };
            for some in words.chunks(40) {
                call().query(name, some.join(",")).await.ok();
            }
            let strange = format!("{},zebra", words[0]);
            let message = call().query(name, strange).await.refused(400, "IR_06");
            assert!(message.contains(name), "{}: {message}", operation.id);
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried}");
}
