//! Merchants' settings for the page's look.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, order, with};
use serde_json::{Value, json};

use super::{linked, page, visited};

fn everything() -> Value {
    json!({
        "theme": "#7b2d26",
        "logo": "https://cdn.shop.example/logo.svg",
        "seller_name": "Books <& more>",
        "details_layout": "layout1",
        "transaction_details": [
            { "key": "Table", "value": "17" },
            { "key": "Waiter", "value": "Ada", "ui_configuration": { "position": 0, "is_key_bold": true } },
        ],
        "payment_button_text": "Settle the bill",
        "payment_button_colour": "#fd0",
        "payment_button_text_colour": "#ffffff",
        "background_colour": "#f4efe6",
        "payment_form_header_text": "Your card",
        "custom_message_for_card_terms": "We keep nothing.",
        "show_card_terms": "always",
        "enable_button_only_on_form_ready": true,
    })
}

#[tokio::test]
async fn every_choice_shows_on_the_page() {
    let shop = Shop::open().await;
    let bare = page(&shop, &linked(&shop, json!({})).await).await;
    let payment = linked(&shop, json!({ "payment_link_config": everything() })).await;
    let html = page(&shop, &payment).await;
    for shown in [
        "--theme:#7b2d26;",
        "<img src=\"https://cdn.shop.example/logo.svg\" alt=\"\">",
        "Books &lt;&amp; more&gt;</p>",
        "<main class=\"beside\">",
        "<dt class=\"bold\">Waiter</dt><dd>Ada</dd><dt>Table</dt><dd>17</dd>",
        "<button type=\"submit\" data-pay=\"Settle the bill\">Settle the bill</button>",
        // White text on yellow can't be read.
        "--button:#ffdd00;--on-button:#000000",
        "--background:#f4efe6;",
        "<h2 id=\"card-title\">Your card</h2>",
        "We keep nothing.",
        "data-when-ready",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
        assert!(!bare.contains(shown), "{shown}: {bare}");
    }
    let answer = visited(&shop, &payment).await;
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("img-src https://cdn.shop.example;"),
        "{policy}"
    );

    let less = with(
        everything(),
        json!({ "display_sdk_only": true, "show_card_terms": "never", "details_layout": "layout2" }),
    );
    let html = page(
        &shop,
        &linked(&shop, json!({ "payment_link_config": less })).await,
    )
    .await;
    for hidden in ["Waiter", "We keep nothing.", "class=\"beside\""] {
        assert!(!html.contains(hidden), "{hidden}: {html}");
    }
}

#[tokio::test]
async fn the_page_shows_the_order() {
    let shop = Shop::open().await;
    let order = json!({
        "description": "Order B-17",
        "order_details": [
            { "product_name": "Atlas", "quantity": 1, "amount": 4540 },
            { "product_name": "Postcard", "quantity": 2, "amount": 1000 },
        ],
    });
    let html = page(&shop, &linked(&shop, order).await).await;
    let lines = "<p>Order B-17</p><dl><dt>Atlas</dt><dd>$45.40</dd><dt>Postcard</dt><dd>2 × $10.00</dd></dl>";
    assert!(html.contains(lines), "{html}");
}

#[tokio::test]
async fn the_payments_look_wins_over_the_profiles() {
    let shop = Shop::open().await;
    let look = json!({ "theme": "#111111", "seller_name": "The outlet" });
    let profile = shop
        .sets_up(json!({ "payment_link_config": look }))
        .await
        .ok();
    assert_eq!(profile["payment_link_config"], look);
    let own = json!({ "payment_link_config": { "theme": "#222222" } });
    let payment = linked(&shop, own).await;
    let html = page(&shop, &payment).await;
    assert!(html.contains("--theme:#222222;"), "{html}");
    assert!(html.contains("The outlet</p>"), "{html}");
    // A change in the profile also shows on links that are already sent.
    let renamed = json!({ "payment_link_config": { "seller_name": "The shop" } });
    shop.sets_up(renamed).await.ok();
    let html = page(&shop, &payment).await;
    assert!(html.contains("The shop</p>"), "{html}");
}

#[tokio::test]
async fn a_paid_order_can_skip_the_status_page() {
    let shop = Shop::open().await;
    let skips = json!({
        "return_url": "https://shop.example/thanks",
        "payment_link_config": { "skip_status_screen": true },
    });
    let payment = linked(&shop, skips).await;
    assert_eq!(visited(&shop, &payment).await.status, 200);
    shop.payer_of(&payment).confirms(card(APPROVED)).await.ok();
    let answer = visited(&shop, &payment).await;
    assert_eq!(answer.status, 302);
    let target = answer.header("location").expect("the way on");
    assert!(
        target.starts_with("https://shop.example/thanks?status=succeeded&"),
        "{target}"
    );

    let nowhere = json!({ "payment_link_config": { "skip_status_screen": true } });
    let payment = linked(&shop, nowhere).await;
    shop.payer_of(&payment).confirms(card(APPROVED)).await.ok();
    assert_eq!(visited(&shop, &payment).await.status, 200);
}

#[tokio::test]
async fn a_shop_that_wants_a_form_gets_one() {
    let shop = Shop::open().await;
    let by_post = json!({
        "redirect_to_merchant_with_http_post": true,
        "return_url": "https://shop.example/thanks",
    });
    shop.sets_up(by_post).await.ok();
    let payment = linked(&shop, json!({})).await;
    shop.payer_of(&payment).confirms(card(APPROVED)).await.ok();
    let answer = visited(&shop, &payment).await;
    let html = answer.body.as_str().expect("a page");
    let form = "<form class=\"whole\" method=\"post\" action=\"https://shop.example/thanks\">";
    assert!(html.contains(form), "{html}");
    let status = "<input type=\"hidden\" name=\"status\" value=\"succeeded\">";
    assert!(html.contains(status), "{html}");
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(!policy.contains("form-action"), "{policy}");
}

#[tokio::test]
async fn wrong_settings_are_refused_by_name() {
    let shop = Shop::open().await;
    for (config, code) in [
        (json!({ "enabled_saved_payment_method": true }), "IR_20"),
        (json!({ "is_setup_mandate_flow": true }), "IR_20"),
        (
            json!({ "background_image": { "url": "https://cdn.example/sky.png" } }),
            "IR_20",
        ),
        (
            json!({ "sdk_ui_rules": { ".Input": { "color": "red" } } }),
            "IR_20",
        ),
        (
            json!({ "payment_link_ui_rules": { "#pay": { "color": "red" } } }),
            "IR_20",
        ),
        (json!({ "sdk_layout": "accordion" }), "IR_20"),
        (json!({ "show_card_form_by_default": false }), "IR_20"),
        (json!({ "payment_form_label_type": "floating" }), "IR_20"),
        (json!({ "payment_form_label_type": "never" }), "IR_20"),
        (json!({ "color_icon_card_cvc_error": "#f00" }), "IR_20"),
        (json!({ "payment_form_label_type": "below" }), "IR_06"),
        (json!({ "theme": "red;}" }), "IR_05"),
        (json!({ "payment_button_colour": "#12345" }), "IR_05"),
        (json!({ "logo": "http://cdn.example/logo.png" }), "IR_05"),
        (json!({ "logo": "https://cdn.example;*/logo.png" }), "IR_05"),
        (json!({ "details_layout": "layout3" }), "IR_06"),
        (json!({ "themes": "#123456" }), "IR_06"),
        (
            json!({ "transaction_details": [{ "key": "Table" }] }),
            "IR_04",
        ),
    ] {
        let (member, _) = config
            .as_object()
            .expect("an object")
            .iter()
            .next()
            .expect("one");
        let asked = json!({ "payment_link": true, "payment_link_config": config });
        let of_payment = shop.creates(with(order(), asked)).await;
        let of_profile = shop.sets_up(json!({ "payment_link_config": config })).await;
        for answer in [of_payment, of_profile] {
            assert_eq!(answer.body["code"], code, "{config}: {}", answer.body);
            let message = answer.message();
            let place = format!("payment_link_config.{member}");
            assert!(message.contains(&place), "{message}");
        }
    }
}

#[tokio::test]
async fn empty_settings_are_accepted() {
    let shop = Shop::open().await;
    let config = json!({
        "enabled_saved_payment_method": false,
        "is_setup_mandate_flow": false,
        "background_image": {},
        "sdk_ui_rules": {},
        "payment_link_ui_rules": {},
        "sdk_layout": "",
        "hide_card_nickname_field": true,
        "show_card_form_by_default": true,
        "payment_form_label_type": "above",
        "color_icon_card_cvc_error": "",
    });
    let profile = shop
        .sets_up(json!({ "payment_link_config": config }))
        .await
        .ok();
    let kept = json!({
        "hide_card_nickname_field": true,
        "show_card_form_by_default": true,
        "payment_form_label_type": "above",
    });
    assert_eq!(profile["payment_link_config"], kept);
    linked(&shop, json!({ "payment_link_config": config })).await;
}
