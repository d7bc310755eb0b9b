//! Accessibility: WCAG 2.2 AA, as far as a program can judge it.

use serde_json::{Value, json};

use super::payer::Payer;

/// The role, name and description that an element exposes to assistive technology.
struct Exposed {
    role: String,
    name: String,
    description: String,
    is_invalid: bool,
}

async fn exposed_elements(payer: &Payer) -> Vec<Exposed> {
    let tree = payer.tool("Accessibility.getFullAXTree", json!({})).await;
    let nodes = tree["nodes"].as_array().expect("a tree").iter();
    let elements = nodes.filter(|node| node["ignored"] == false).map(|node| {
        let text = |member: &str| {
            node[member]["value"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let properties = node["properties"].as_array().into_iter().flatten();
        let mut invalid = properties.filter(|property| property["name"] == "invalid");
        Exposed {
            role: text("role"),
            name: text("name"),
            description: text("description"),
            is_invalid: invalid.any(|property| property["value"]["value"] == "true"),
        }
    });
    elements.collect()
}

pub async fn every_field_is_labelled(payer: Payer) {
    let payment = payer
        .is_sent_a_link(json!({ "description": "Two books" }))
        .await;
    payer.opens(&payment).await;
    payer.presses("#card button").await;
    payer.sees_text("#code-error", "3 digits").await;
    payer.tool("Accessibility.enable", json!({})).await;
    let controls = exposed_elements(&payer).await;
    let controls = controls.iter().filter(|element| {
        ["textbox", "button", "heading", "radio"].contains(&element.role.as_str())
    });
    let rows: Vec<String> = controls
        .map(|element| {
            let invalid = if element.is_invalid { " (invalid)" } else { "" };
            let row = format!(
                "{}{invalid}: {} | {}",
                element.role, element.name, element.description
            );
            row.trim_end_matches(" | ").to_owned()
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    heading: Pay $65.40
    heading: Your order
    heading: How would you like to pay?
    radio: Card
    textbox (invalid): Card number | Enter the card number as it stands on the card.
    textbox (invalid): Expiry (MM/YY) | Enter the month and year until which the card is valid, such as 09/31.
    textbox (invalid): Security code | 3 digits on the back, or 4 on the front Enter the 3 digits of the security code.
    textbox: Name on card (optional)
    button: Pay $65.40
    radio: Affirm
    radio: Afterpay / Clearpay
    radio: Klarna
    radio: Alipay
    radio: Cash App Pay
    radio: PayPal
    radio: WeChat Pay
    radio: US bank account (ACH)
    ");
    // The autofill purpose of each field. (WCAG 1.3.5)
    let purposes =
        "return [...document.querySelectorAll('#card input')].map((i) => i.autocomplete)";
    let purposes = payer.asks(purposes).await;
    assert_eq!(
        purposes,
        json!(["cc-number", "cc-exp", "cc-csc", "cc-name"])
    );
    let ids = "const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return ids.length - new Set(ids).size";
    assert_eq!(payer.asks(ids).await, 0, "an id stands twice");
}

/// Computes the lowest contrast between shown text and its background, by the formula of WCAG 1.4.3.
const LEAST_CONTRAST: &str = r"
const channel = (c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
const read = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
const luminance = ({ r, g, b }) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = read(getComputedStyle(at).backgroundColor);
    if (colour.a === 1) return colour;
  }
  return { r: 255, g: 255, b: 255 };
};
let least = [21, 'nothing'];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!(own || element.matches('input')) || element.matches('script, noscript') || !element.offsetParent) continue;
  const [one, other] = [luminance(read(getComputedStyle(element).color)), luminance(behind(element))];
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 80)];
}
return least;
";

pub async fn everything_can_be_read(payer: Payer) {
    let retries = json!({ "is_manual_retry_enabled": true });
    payer.shop.sets_up(retries).await.ok();
    let colours = |button: &str, text: &str| {
        json!({
            "description": "Two books",
            "payment_link_config": {
                "theme": button, "payment_button_colour": button, "payment_button_text_colour": text,
                "background_colour": button, "seller_name": "Books", "custom_message_for_card_terms": "Terms",
                "transaction_details": [{ "key": "Table", "value": "17" }],
            },
        })
    };
    let looks = [
        json!({ "description": "Two books" }),
        colours("#ffffff", "#fefefe"),
        colours("#777777", "#888888"),
        colours("#000000", "#010101"),
        colours("#ffd800", "#ffffff"),
    ];
    for scheme in ["light", "dark"] {
        payer.prefers("en", scheme).await;
        for look in &looks {
            let payment = payer.is_sent_a_link(look.clone()).await;
            payer.opens(&payment).await;
            readable(&payer, scheme, look).await;
            payer.presses("#card button").await;
            payer.sees("[aria-invalid]").await;
            readable(&payer, scheme, look).await;
            payer.fills_in("4000000000000002").await;
            payer.presses("#card button").await;
            payer.sees_text("[role=alert]", "declined").await;
            readable(&payer, scheme, look).await;
            payer.fills_in("4111111111111111").await;
            payer.presses("#card button").await;
            payer.reads("Thank you").await;
            readable(&payer, scheme, look).await;
        }
    }
}

/// Checks the contrast of every text that is shown.
pub async fn readable(payer: &Payer, scheme: &str, look: &Value) {
    let least = payer.asks(LEAST_CONTRAST).await;
    let contrast = least[0].as_f64().expect("a number");
    assert!(
        (4.5..21.0).contains(&contrast) || contrast == 21.0,
        "{least} {scheme} {look}"
    );
    assert_ne!(least[1], "nothing", "there is text");
}
