//! The frame with the fields: its headers, the pages that may embed it, and the addresses that open none.

use multirail_conformance::{Response, Shop, TestServer};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::json;

use super::{FRAME, embedders, opens, value};

#[tokio::test]
async fn a_frame_loads_nothing_from_elsewhere_and_is_for_one_page_alone() {
    let shop = Shop::open().await;
    let listed = json!({ "checkout_origins": ["https://shop.example"] });
    shop.sets_up(listed).await.ok();
    let asks = opens(&shop, Some(&shop.profile_id));
    let frame = asks.header("cookie", "multirail_console=t").await;
    let header = |name| frame.header(name).unwrap_or_default();
    insta::assert_snapshot!(
        [
            header("content-type"),
            header("cache-control"),
            header("referrer-policy"),
            header("x-content-type-options"),
            header("cross-origin-resource-policy"),
            header("content-security-policy"),
        ]
        .join("\n"),
        @"
    text/html; charset=utf-8
    no-store
    no-referrer
    nosniff
    cross-origin
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; trusted-types 'none'
    "
    );
    for absent in [
        "set-cookie",
        "access-control-allow-origin",
        "x-frame-options",
    ] {
        assert_eq!(frame.header(absent), None, "{absent}");
    }
    assert!(
        !frame.text.contains(&shop.publishable_key),
        "the page has nothing from its address"
    );
}

#[tokio::test]
async fn a_sandbox_is_open_until_its_profile_lists_origins() {
    let shop = Shop::open().await;
    let profile = Some(shop.profile_id.as_str());
    let open = opens(&shop, profile).await;
    assert_eq!(embedders(&open), "*");
    assert_eq!(value(&open, "multirail-origins"), "[\"*\"]");
    assert_eq!(value(&open, "multirail-profile"), shop.profile_id);
    assert_eq!(value(&open, "multirail-mode"), "test");

    let given = json!({ "checkout_origins": [
        "https://Shop.Example:443", "https://shop.example", "http://localhost:5173", "http://127.0.0.1",
    ] });
    let set = shop.sets_up(given).await.ok();
    let origins = [
        "https://shop.example",
        "http://localhost:5173",
        "http://127.0.0.1",
    ];
    assert_eq!(set["checkout_origins"], json!(origins));
    let listed = opens(&shop, profile).await;
    assert_eq!(embedders(&listed), origins.join(" "));
    assert_eq!(
        value(&listed, "multirail-origins"),
        json!(origins).to_string()
    );

    let other = shop.sets_up(json!({ "session_expiry": 600 })).await.ok();
    assert_eq!(other["checkout_origins"], json!(origins), "kept");
    let cleared = shop.sets_up(json!({ "checkout_origins": [] })).await.ok();
    assert_eq!(cleared["checkout_origins"], json!([]));
    assert_eq!(embedders(&opens(&shop, profile).await), "*");
}

#[tokio::test]
async fn each_profile_has_pages_of_its_own_and_the_default_needs_no_name() {
    let shop = Shop::open().await;
    let books = json!({ "checkout_origins": ["https://books.example"] });
    shop.sets_up(books).await.ok();
    let toys = json!({
        "profile_name": "toys", "checkout_origins": ["https://toys.example"],
    });
    let toys = shop.call("business_profiles_create").json(&toys).await.ok();
    let toys = toys["profile_id"].as_str().expect("an id");
    for (named, profile_id, page) in [
        (None, &*shop.profile_id, "https://books.example"),
        (
            Some(&*shop.profile_id),
            &*shop.profile_id,
            "https://books.example",
        ),
        (Some(toys), toys, "https://toys.example"),
    ] {
        let frame = opens(&shop, named).await;
        assert_eq!(value(&frame, "multirail-profile"), profile_id);
        assert_eq!(embedders(&frame), page);
    }
}

/// Checks that an answer is a page that says why no frame is opened. A shop's developer sees it on any page.
fn is_unopened(answer: &Response, status: u16, text: &str) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(embedders(answer), "*");
    assert!(answer.text.contains(text), "{text}: {}", answer.text);
    assert!(
        !answer.text.contains("<script") && !answer.text.contains("multirail-origins"),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn a_wrong_key_or_profile_opens_a_page_that_says_so() {
    let server = TestServer::start().await;
    let books = server.shop_without_connector("bookshop").await;
    let florist = server.shop_without_connector("florist").await;
    let stranger = Shop {
        publishable_key: "pk_snd_00000000000000000000000000000000".to_owned(),
        ..books.clone()
    };
    let own = Some(books.profile_id.as_str());
    is_unopened(&opens(&stranger, own).await, 404, "publishable key");
    for profile_id in [&*florist.profile_id, "pro_unborn", "no/id", ""] {
        let answer = opens(&books, Some(profile_id)).await;
        is_unopened(&answer, 404, "no such profile");
    }
    let bare = || books.wire.request(Method::GET, FRAME).unjudged();
    let long = "p".repeat(600);
    for wrong in [
        bare(),
        bare().query("key", ""),
        bare().query("profile", &books.profile_id),
        opens(&books, own).query("key", &florist.publishable_key),
        opens(&books, own).query("locale", "de"),
        opens(&books, Some(&long)),
    ] {
        is_unopened(&wrong.await, 400, "It has nothing else.");
    }
}

#[tokio::test]
async fn a_secret_in_the_address_is_refused_and_never_used() {
    let shop = Shop::open().await;
    let careless = Shop {
        publishable_key: shop.api_key.clone(),
        ..shop.clone()
    };
    let profile = Some(shop.profile_id.as_str());
    let client_secret = opens(&shop, profile).query("client_secret", "pay_1_secret_abc");
    for (wrong, secret) in [
        (opens(&careless, profile), &*shop.api_key),
        (client_secret, "pay_1_secret_abc"),
    ] {
        let answer = wrong.await;
        is_unopened(&answer, 400, "This address contains a secret");
        assert!(!answer.text.contains(secret), "{}", answer.text);
    }
}

#[tokio::test]
async fn frames_that_are_opened_too_often_have_to_wait() {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::RateLimitPerSecond, "1")
            .with(Setting::RateLimitBurst, "6")
    })
    .await;
    let shop = server.shop_without_connector("bookshop").await;
    for _ in 0..50 {
        let answer = opens(&shop, None).await;
        if answer.status != 200 {
            is_unopened(&answer, 429, "very often");
            assert!(answer.header("retry-after").is_some());
            return;
        }
    }
    panic!("50 frames in a row were opened");
}
