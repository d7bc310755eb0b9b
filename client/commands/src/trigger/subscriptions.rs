//! Events of subscriptions.

use multirail_client::requests;
use multirail_client::types::{
    AcceptanceType, BillingInterval, BusinessProfile, BusinessProfileUpdateRequest,
    ConnectorAccountCreateRequest, ConnectorAccountDetailsRequest, ConnectorAuthType,
    ConnectorName, ConnectorType, Currency, CustomerAcceptance, ItemPriceCreateRequest,
    PaymentCreateRequest, PaymentMethod, ProductCreateRequest, SubscriptionCreateAndConfirmRequest,
    SubscriptionFirstPaymentDetails, SubscriptionItemCreateRequest, SubscriptionItemType,
    SubscriptionStatus,
};

use super::stage::{APPROVED, Stage, done, is_as_wanted};
use crate::failure::Failure;

/// The price of a month, in minor units.
const PRICE: i64 = 990;

/// Subscribes a customer to a new plan. Its first invoice is paid at once.
pub(super) async fn invoice_paid(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let profile = profile(stage).await?;
    let item_price_id = offer(stage, &profile).await?;
    let customer_id = stage.customer().await?.customer_id;
    subscribe(stage, order(&item_price_id, &customer_id)).await
}

/// Makes a monthly plan in a profile; returns its price. From then on, the client is limited to the profile.
pub(crate) async fn offer(
    stage: &mut Stage<'_>,
    profile: &BusinessProfile,
) -> Result<String, Failure> {
    ensure_billing(stage, profile).await?;
    // The catalogue is a profile's own.
    stage.client = stage.access.client(Some(&profile.profile_id))?;
    price(stage).await
}

/// Returns the order of a subscription that is paid with a card.
pub(crate) fn order(item_price_id: &str, customer_id: &str) -> SubscriptionCreateAndConfirmRequest {
    let pays = SubscriptionFirstPaymentDetails::new("https://shop.example/thanks")
        .payment_method(PaymentMethod::Card)
        .payment_method_data(requests::card(APPROVED, "10", "2035", "123"))
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline));
    SubscriptionCreateAndConfirmRequest::new(item_price_id, customer_id, pays)
}

/// Subscribes a customer.
pub(crate) async fn subscribe(
    stage: &mut Stage<'_>,
    order: SubscriptionCreateAndConfirmRequest,
) -> Result<(), Failure> {
    let call = stage.client.subscriptions_create_and_confirm().body(order);
    let made = done("the subscription", call.send().await)?;
    stage.made("subscription", &made.id)?;
    let wanted = SubscriptionStatus::Active;
    is_as_wanted("subscription", &made.id, &made.status, &wanted)
}

/// Has the service's own engine bill the subscriptions of the profile, unless some engine does already.
async fn ensure_billing(stage: &mut Stage<'_>, profile: &BusinessProfile) -> Result<(), Failure> {
    if profile.billing_processor_id.is_some() {
        return Ok(());
    }
    let no_key = ConnectorAccountDetailsRequest::new(ConnectorAuthType::NoKey);
    let account = ConnectorAccountCreateRequest::new(
        ConnectorType::BillingProcessor,
        ConnectorName::MultirailBilling,
    );
    let account = account
        .connector_account_details(no_key)
        .profile_id(&*profile.profile_id);
    let call = stage.client.connector_accounts_create();
    let call = call.account_id(&profile.merchant_id).body(account).send();
    let engine = done("the account of the billing engine", call.await)?;
    stage.made("billing account", &engine.merchant_connector_id)?;
    let bills = BusinessProfileUpdateRequest::new();
    let bills = bills.billing_processor_id(&*engine.merchant_connector_id);
    let call = stage.client.business_profiles_update();
    let call = call.account_id(&profile.merchant_id);
    let call = call.profile_id(&profile.profile_id).body(bills).send();
    done("the choice of the billing engine", call.await)?;
    Ok(())
}

/// Returns the profile of the client. A payment names it and its merchant, also one that nobody confirms.
async fn profile(stage: &Stage<'_>) -> Result<BusinessProfile, Failure> {
    let order = PaymentCreateRequest::new(PRICE, Currency::Usd);
    let call = stage.client.payments_create().body(order);
    let payment = done("the creation of a payment", call.send().await)?.into_inner();
    let profile_id = payment.profile_id.unwrap_or_default();
    let call = stage.client.business_profiles_retrieve();
    let call = call.account_id(&payment.merchant_id).profile_id(profile_id);
    let profile = done("the look at the profile", call.send().await)?;
    Ok(profile.into_inner())
}

/// Makes a plan that costs 9.90 dollars a month; returns the price.
async fn price(stage: &mut Stage<'_>) -> Result<String, Failure> {
    let product = ProductCreateRequest::new("A magazine");
    let call = stage.client.subscription_products_create().body(product);
    let product = done("the product", call.send().await)?;
    stage.made("product", &product.product_id)?;
    let plan = SubscriptionItemType::Plan;
    let plan = SubscriptionItemCreateRequest::new(&*product.product_id, plan, "Reader");
    let call = stage.client.subscription_items_create().body(plan);
    let plan = done("the plan", call.send().await)?;
    stage.made("plan", &plan.item_id)?;
    let price = ItemPriceCreateRequest::new(&*plan.item_id, PRICE, Currency::Usd);
    let price = price.interval(BillingInterval::Month);
    let call = stage.client.subscription_item_prices_create().body(price);
    let price = done("the price", call.send().await)?;
    stage.made("price", &price.item_price_id)?;
    Ok(price.into_inner().item_price_id)
}
