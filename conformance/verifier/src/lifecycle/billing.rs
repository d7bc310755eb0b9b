//! The catalogue that customers subscribe to, and estimates.

use serde_json::{Value, json};

use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// Builds the merchant's call about its profile.
fn ask(merchant: &Merchant, operation: &str) -> Call {
    let call = merchant.call(operation);
    call.header("X-Profile-Id", &merchant.profile_id)
}

pub(super) async fn offered(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = ask(merchant, "subscription_products_list");
    run.is_refused("nobody bills yet", call, 400, "IR_16").await;
    let call = merchant.call("connector_accounts_create").json(&json!({
        "connector_type": "billing_processor",
        "connector_name": "multirail_billing",
        "connector_account_details": { "auth_type": "NoKey" },
    }));
    let wanted = [("/status", json!("active"))];
    let account = run.works("a billing account", call, &wanted).await?;
    let id = &account["merchant_connector_id"];
    let call = merchant.call("business_profiles_update");
    let call = call.at("profile_id", &merchant.profile_id);
    let call = call.json(&json!({ "billing_processor_id": id }));
    let wanted = [("/billing_processor_id", id.clone())];
    run.works("the profile is billed by it", call, &wanted)
        .await?;

    made(
        run,
        merchant,
        "products",
        ("product_id", "magazine"),
        json!({ "name": "The magazine" }),
    )
    .await?;
    made(
        run,
        merchant,
        "items",
        ("item_id", "gold"),
        json!({ "product_id": "magazine", "item_type": "plan", "name": "Gold" }),
    )
    .await?;
    made(
        run,
        merchant,
        "item_prices",
        ("item_price_id", "gold-monthly"),
        json!({
            "item_id": "gold", "amount": 2000, "currency": "USD", "interval": "month", "max_quantity": 5,
            "taxes": [{ "name": "VAT", "basis_points": 1900 }],
        }),
    )
    .await?;
    made(
        run,
        merchant,
        "coupons",
        ("coupon_code", "HALF"),
        json!({ "name": "Half", "discount_basis_points": 5000, "duration": "once" }),
    )
    .await?;
    let bounded = json!({
        "name": "Ten less", "discount_amount": 1000, "currency": "USD", "duration": "repeating",
        "duration_periods": 3, "valid_from": "2026-01-01T00:00:00Z", "valid_until": "2099-01-01T00:00:00Z",
        "max_redemptions": 7,
    });
    made(run, merchant, "coupons", ("coupon_code", "TEN"), bounded).await?;
    let both = json!({
        "coupon_code": "BOTH", "name": "Both", "discount_basis_points": 1, "discount_amount": 1, "currency": "USD",
        "duration": "once",
    });
    let call = ask(merchant, "subscription_coupons_create").json(&both);
    run.is_refused("two discounts in one", call, 422, "IR_06")
        .await;

    let once = json!({ "item_id": "gold", "amount": 9000, "currency": "USD", "trial_period": 7 });
    let call = ask(merchant, "subscription_item_prices_create").json(&once);
    run.is_refused("a trial of what is paid once", call, 422, "IR_06")
        .await;

    let call = ask(merchant, "subscription_items_list").query("item_type", "plan");
    let wanted = [
        ("/0/id", json!("gold")),
        ("/0/price_id/0/amount", json!(2000)),
    ];
    run.works("what is offered", call, &wanted).await?;
    for list in ["products", "item_prices", "coupons"] {
        let call = ask(merchant, &format!("subscription_{list}_list"));
        let wanted = [("/0/is_archived", json!(false))];
        run.works("what there is", call, &wanted).await?;
    }
    let call = ask(merchant, "subscription_estimate");
    let call = call.query("item_price_id", "gold-monthly");
    let call = call.query("coupon_code", "HALF");
    let wanted = [
        ("/amount", json!(1190)),
        ("/line_items/1/amount", json!(-1000)),
    ];
    run.works("what it would cost", call, &wanted).await?;
    let call = ask(merchant, "subscription_estimate").query("quantity", 6);
    let call = call.query("item_price_id", "gold-monthly");
    run.is_refused("of more than there are", call, 422, "IR_05")
        .await;
    for (list, id, value) in [
        ("coupons", "coupon_code", "HALF"),
        ("item_prices", "item_price_id", "gold-monthly"),
        ("items", "item_id", "gold"),
        ("products", "product_id", "magazine"),
    ] {
        let call = ask(merchant, &format!("subscription_{list}_archive")).at(id, value);
        let wanted = [("/is_archived", json!(true))];
        run.works("it isn't offered any more", call, &wanted)
            .await?;
    }
    Ok(())
}

/// Creates an entry with this id and reads it.
async fn made(
    run: &mut Run,
    merchant: &Merchant,
    list: &str,
    (member, id): (&str, &str),
    mut body: Value,
) -> Result<(), Stop> {
    body[member] = json!(id);
    let pointer = format!("/{member}");
    let wanted = [(pointer.as_str(), json!(id))];
    let call = ask(merchant, &format!("subscription_{list}_create")).json(&body);
    run.works("it is made", call.clone(), &wanted).await?;
    run.is_refused("it is there", call, 400, "HE_01").await;
    let call = ask(merchant, &format!("subscription_{list}_retrieve")).at(member, id);
    run.works("it is found", call, &wanted).await?;
    Ok(())
}
