//! A small screen, and five languages.

use serde_json::{Value, json};

use super::axe;
use super::payer::Payer;

/// The narrowest screen that WCAG covers, in CSS pixels. (1.4.10)
pub fn narrow() -> Value {
    json!({ "width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true })
}

/// An order with long words that can't be broken.
fn long_order() -> Value {
    json!({
        "description": "W".repeat(120),
        "order_details": [{ "product_name": "Donaudampfschifffahrtsgesellschaft".repeat(3), "quantity": 99, "amount": 999_999_999 }],
        "amount": 999_999_999,
        "payment_link_config": { "seller_name": "Rindfleischetikettierung".repeat(5), "payment_button_text": "W".repeat(60) },
    })
}

pub async fn fits_a_small_screen(payer: Payer) {
    payer
        .tool("Emulation.setDeviceMetricsOverride", narrow())
        .await;
    for language in ["en", "de", "fr", "es", "ja"] {
        payer.prefers(language, "light").await;
        for order in [json!({}), long_order()] {
            let payment = payer.is_sent_a_link(order).await;
            payer.opens(&payment).await;
            payer.sees("#card").await;
            assert_eq!(payer.widths().await, json!([320, 320]), "{language}");
            payer.presses("#card button").await;
            payer.sees("[aria-invalid]").await;
            assert_eq!(payer.widths().await, json!([320, 320]), "{language}");
            // WCAG 2.5.8 requires 24 pixels for touch; these controls have 44.
            let sizes = "return Math.min(...[...document.querySelectorAll('input, select, button')].filter((e) => e.offsetParent).flatMap((e) => {
                const box = (e.type === 'radio' ? e.closest('label') : e).getBoundingClientRect(); return [box.width, box.height]; }))";
            let smallest = payer.asks(sizes).await;
            assert!(smallest.as_f64().expect("a number") >= 44.0, "{smallest}");
        }
    }
    payer.heard_no_complaint().await;
}

/// A Pix code, a Boleto voucher and a transfer to a Dutch account.
fn steps() -> [(&'static str, Value); 3] {
    let name =
        json!({ "address": { "first_name": "Ada", "last_name": "Okafor", "country": "BR" } });
    let number = json!({ "social_security_number": "12345678909" });
    [
        (
            "BRL",
            json!({
                "payment_method": "bank_transfer", "payment_method_type": "pix",
                "payment_method_data": { "bank_transfer": { "pix": {} } },
            }),
        ),
        (
            "BRL",
            json!({
                "payment_method": "voucher", "payment_method_type": "boleto",
                "payment_method_data": { "voucher": { "boleto": number }, "billing": name },
            }),
        ),
        (
            "EUR",
            json!({
                "payment_method": "bank_transfer", "payment_method_type": "sepa_bank_transfer",
                "payment_method_data": { "bank_transfer": { "sepa_bank_transfer": { "country": "NL" } } },
            }),
        ),
    ]
}

pub async fn steps_fit_a_small_screen(payer: Payer) {
    payer
        .tool("Emulation.setDeviceMetricsOverride", narrow())
        .await;
    for (currency, method) in steps() {
        let payment = payer.is_sent_a_link(json!({ "currency": currency })).await;
        payer.shop.confirms(&payment, method).await.ok();
        for (language, scheme) in [
            ("en", "light"),
            ("de", "dark"),
            ("fr", "light"),
            ("es", "dark"),
            ("ja", "light"),
        ] {
            payer.prefers(language, scheme).await;
            payer.opens(&payment).await;
            payer.sees("#watching").await;
            assert_eq!(payer.widths().await, json!([320, 320]), "{language}");
            axe::is_content(&payer).await;
        }
    }
    payer.heard_no_complaint().await;
}

pub async fn speaks_five_languages(payer: Payer) {
    let payment = payer
        .is_sent_a_link(json!({ "amount": 123_456, "currency": "EUR" }))
        .await;
    let mut told = Vec::new();
    for language in ["en-GB", "de-DE", "fr-FR", "es-ES", "ja-JP"] {
        payer.prefers(language, "light").await;
        payer.opens(&payment).await;
        payer.presses("#card button").await;
        let said =
            "return [document.documentElement.lang, document.querySelector('h1').textContent,
            document.querySelector('#code-error').textContent].join(' | ')";
        told.push(
            payer
                .asks(said)
                .await
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        );
    }
    let told = told
        .join("\n")
        .replace('\u{a0}', "_")
        .replace('\u{202f}', "'");
    insta::assert_snapshot!(told, @"
    en | Pay €1,234.56 | Enter the 3 digits of the security code.
    de | 1.234,56_€ bezahlen | Geben Sie die 3 Ziffern der Prüfnummer ein.
    fr | Payer 1'234,56_€ | Saisissez les 3 chiffres du code de sécurité.
    es | Pagar 1234,56_€ | Introduzca las 3 cifras del código de seguridad.
    ja | €1,234.56 のお支払い | セキュリティコードの3桁の数字を入力してください。
    ");
}
