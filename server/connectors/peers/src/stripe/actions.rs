//! The payer's next step, as Stripe describes it.

use serde_json::{Value, json};

use super::cards::Card;
use super::methods::US_BANK_ACCOUNT;

/// The texts of vouchers and codes.
const BOLETO: &str = "01010101010101010101010101010101010101010101010";
const OXXO: &str = "12345678901234657890123456789012";
const PIX: &str = "00020126600014br.gov.bcb.pix0136e2e";
const SWISH: &str = "D1234567890ABCDEF";
const WECHAT: &str = "weixin://wxpay/bizpayurl?pr=abcdef";
/// Seconds until a Pix code, a voucher and a Multibanco reference expire.
const A_DAY: i64 = 86_400;
const THREE_DAYS: i64 = 3 * A_DAY;
const SEVEN_DAYS: i64 = 7 * A_DAY;

/// Returns the step of a payment or check in this status, or null if it doesn't wait for its payer.
pub fn next_action(status: &str, id: &str, back: Option<&str>, card: Card, created: i64) -> Value {
    if status != "requires_action" {
        return Value::Null;
    }
    let word = card.method().map_or("card", |method| method.word);
    let voucher = format!("https://payments.stripe.com/{word}/voucher/test/{id}");
    let instructions = format!("https://payments.stripe.com/{word}/instructions/test/{id}");
    let drawn = format!("https://qr.stripe.com/test/{id}");
    let (svg, png) = (format!("{drawn}.svg"), format!("{drawn}.png"));
    match word {
        "alipay" => action(
            "alipay_handle_redirect",
            json!({
                "url": page(id, word), "return_url": back, "native_data": null, "native_url": null,
            }),
        ),
        "blik" => action("blik_authorize", json!({})),
        "boleto" => action(
            "boleto_display_details",
            json!({
                "number": BOLETO, "hosted_voucher_url": voucher, "pdf": format!("{voucher}/pdf"),
                "expires_at": created + THREE_DAYS,
            }),
        ),
        "cashapp" => action(
            "cashapp_handle_redirect_or_display_qr_code",
            json!({
                "hosted_instructions_url": instructions, "mobile_auth_url": page(id, word),
                "qr_code": {"expires_at": created + 30, "image_url_svg": svg, "image_url_png": png},
            }),
        ),
        "multibanco" => action(
            "multibanco_display_details",
            json!({
                "entity": "12345", "reference": "123456789", "hosted_voucher_url": voucher,
                "expires_at": created + SEVEN_DAYS,
            }),
        ),
        "oxxo" => action(
            "oxxo_display_details",
            json!({
                "number": OXXO, "hosted_voucher_url": voucher, "expires_after": created + THREE_DAYS,
            }),
        ),
        "pix" => action(
            "pix_display_qr_code",
            json!({
                "data": PIX, "hosted_instructions_url": instructions, "expires_at": created + A_DAY,
                "image_url_svg": svg, "image_url_png": png,
            }),
        ),
        "swish" => action(
            "swish_handle_redirect_or_display_qr_code",
            json!({
                "hosted_instructions_url": instructions, "mobile_auth_url": page(id, word),
                "qr_code": {"data": SWISH, "image_url_svg": svg, "image_url_png": png},
            }),
        ),
        "upi" => action(
            "upi_handle_redirect_or_display_qr_code",
            json!({
                "hosted_instructions_url": instructions,
                "qr_code": {"expires_at": created + 300, "image_url_svg": svg, "image_url_png": png},
            }),
        ),
        US_BANK_ACCOUNT => action(
            "verify_with_microdeposits",
            json!({
                "arrival_date": created + A_DAY, "microdeposit_type": "descriptor_code",
                "hosted_verification_url": format!("https://payments.stripe.com/microdeposit/{id}"),
            }),
        ),
        "wechat_pay" => action(
            "wechat_pay_display_qr_code",
            json!({
                "data": WECHAT, "hosted_instructions_url": instructions, "image_data_url": "data:image/png;base64,AA==",
                "image_url_svg": svg, "image_url_png": png,
            }),
        ),
        _ => action(
            "redirect_to_url",
            json!({"url": page(id, word), "return_url": back}),
        ),
    }
}

/// Returns an action with its details under its own name.
fn action(kind: &str, details: Value) -> Value {
    json!({"type": kind, kind: details})
}

/// Returns the page where the payer authenticates or pays.
fn page(id: &str, word: &str) -> String {
    match word {
        "card" => format!("https://hooks.stripe.com/3d_secure/{id}"),
        _ => format!("https://pm-redirects.stripe.com/{word}/{id}"),
    }
}
