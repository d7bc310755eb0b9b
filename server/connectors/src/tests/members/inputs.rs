//! The members of a payment that a merchant can set, each with a value.

use multirail_kernel::address::{Address, Phone, Place};
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::Details;
use multirail_sdk::connector::details::{
    Browser, FutureUsage, MitCategory, OrderItem, Payer, ScaExemption, TaxStatus,
};
use serde_json::{Value, json};

/// The payment that a member is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// One without details, and one with the others of this kind.
    Any,
    /// The same, with a line of the order.
    Line,
    /// One without details. The member excludes others.
    Alone,
    /// One without the payer.
    Absent,
}

/// A member, and the code that sets it.
pub struct Input {
    pub name: &'static str,
    pub within: Within,
    pub set: fn(&mut Details),
}

const fn any(name: &'static str, set: fn(&mut Details)) -> Input {
    within(Within::Any, name, set)
}

const fn line(name: &'static str, set: fn(&mut Details)) -> Input {
    within(Within::Line, name, set)
}

const fn within(within: Within, name: &'static str, set: fn(&mut Details)) -> Input {
    Input { name, within, set }
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).expect("a value of its type")
}

fn browser(details: &mut Details) -> &mut Browser {
    let browser = &mut details.authentication.browser;
    browser.get_or_insert_default()
}

fn billing(payer: &mut Payer) -> &mut Address {
    payer.billing.get_or_insert_default()
}

fn shipping(payer: &mut Payer) -> &mut Address {
    payer.shipping.get_or_insert_default()
}

fn place(address: &mut Address) -> &mut Place {
    address.address.get_or_insert_default()
}

fn phone(address: &mut Address) -> &mut Phone {
    address.phone.get_or_insert_default()
}

/// Returns the line of the order, which is the whole amount.
pub fn item(details: &mut Details) -> &mut OrderItem {
    let items = &mut details.order.items;
    if items.is_empty() {
        let line = json!({ "product_name": "A book", "quantity": 2, "amount": 3270 });
        items.extend(read(line));
    }
    &mut items[0]
}

/// The members, in the order of the page.
#[rustfmt::skip]
pub const INPUTS: &[Input] = &[
    any("description", |d| d.description = text("Two books")),
    any("payment_id", |d| d.payment_id = text("pay_4711")),
    any("metadata", |d| d.metadata = [("shelf".to_owned(), "B-17".to_owned())].into()),
    any("merchant_order_reference_id", |d| d.order.reference = text("order-7")),
    any("billing_descriptor.statement_descriptor", |d| d.descriptor.text = text("BOOKSHOP LONDON")),
    any("billing_descriptor.statement_descriptor_suffix", |d| d.descriptor.suffix = text("ORDER 7")),
    any("billing_descriptor.name", |d| d.descriptor.name = text("Bookshop")),
    any("billing_descriptor.city", |d| d.descriptor.city = text("London")),
    any("billing_descriptor.phone", |d| d.descriptor.phone = text("+442071234567")),
    any("billing_descriptor.reference", |d| d.descriptor.reference = text("R7")),
    any("enable_partial_authorization", |d| d.takes_less = true),
    any("request_incremental_authorization", |d| d.may_be_raised = true),
    any("request_extended_authorization", |d| d.stands_longer = true),
    any("enable_overcapture", |d| d.may_be_exceeded = true),
    any("merchant_category_code", |d| d.category_code = text("5942")),
    any("installment_data", |d| d.installments = read(json!({ "number_of_installments": 3, "billing_frequency": "month" }))),
    any("authentication_type", |d| d.authentication.wanted = Some(AuthenticationType::ThreeDs)),
    any("force_3ds_challenge", |d| d.authentication.force_challenge = Some(true)),
    within(Within::Alone, "psd2_sca_exemption_type", |d| d.authentication.exemption = Some(ScaExemption::LowValue)),
    any("browser_info.ip_address", |d| browser(d).ip_address = text("192.0.2.7")),
    any("browser_info.user_agent", |d| browser(d).user_agent = text("Mozilla/5.0")),
    any("browser_info.accept_header", |d| browser(d).accept_header = text("text/html")),
    any("browser_info.language", |d| browser(d).language = text("en-GB")),
    any("browser_info.color_depth", |d| browser(d).color_depth = Some(24)),
    any("browser_info.screen_height", |d| browser(d).screen_height = Some(1080)),
    any("browser_info.screen_width", |d| browser(d).screen_width = Some(1920)),
    any("browser_info.time_zone", |d| browser(d).time_zone = Some(-60)),
    any("browser_info.java_enabled", |d| browser(d).java_enabled = Some(true)),
    any("browser_info.java_script_enabled", |d| browser(d).java_script_enabled = Some(true)),
    within(Within::Alone, "payment_channel", |d| d.initiation.channel = text("telephone_order")),
    within(Within::Alone, "setup_future_usage", |d| d.initiation.future_usage = Some(FutureUsage::OffSession)),
    within(Within::Alone, "is_stored_credential", |d| d.initiation.is_stored_credential = Some(true)),
    within(Within::Alone, "off_session", |d| d.initiation.off_session = Some(true)),
    within(Within::Absent, "mit_category", |d| d.initiation.mit_category = Some(MitCategory::Recurring)),
    within(Within::Absent, "recurring_details.network_transaction_id", |d| d.initiation.network_transaction_id = text("638284745624527")),
    any("customer_id", |d| d.payer.customer_id = text("cus_1")),
    any("name", |d| d.payer.name = text("Ada Reader")),
    any("email", |d| d.payer.email = text("ada@example.com")),
    any("phone", |d| d.payer.phone = text("2071234567")),
    any("phone_country_code", |d| d.payer.phone_country_code = text("+44")),
    any("tax_registration_id", |d| d.payer.tax_registration_id = text("GB123456789")),
    any("document_details", |d| d.payer.document = read(json!({ "document_type": "cpf", "document_number": "52998224725" }))),
    any("billing.address.first_name", |d| place(billing(&mut d.payer)).first_name = text("Ada")),
    any("billing.address.last_name", |d| place(billing(&mut d.payer)).last_name = text("Okafor")),
    any("billing.address.line1", |d| place(billing(&mut d.payer)).line1 = text("90 Tottenham Court Road")),
    any("billing.address.line2", |d| place(billing(&mut d.payer)).line2 = text("Flat 2")),
    any("billing.address.line3", |d| place(billing(&mut d.payer)).line3 = text("At the back")),
    any("billing.address.city", |d| place(billing(&mut d.payer)).city = text("London")),
    any("billing.address.state", |d| place(billing(&mut d.payer)).state = text("Greater London")),
    any("billing.address.zip", |d| place(billing(&mut d.payer)).zip = text("W1T 4TJ")),
    any("billing.address.country", |d| place(billing(&mut d.payer)).country = "GB".parse().ok()),
    any("billing.phone.number", |d| phone(billing(&mut d.payer)).number = text("2079460000")),
    any("billing.phone.country_code", |d| phone(billing(&mut d.payer)).country_code = text("+44")),
    any("billing.email", |d| billing(&mut d.payer).email = text("okafor@example.com")),
    any("shipping.address.first_name", |d| place(shipping(&mut d.payer)).first_name = text("Grace")),
    any("shipping.address.last_name", |d| place(shipping(&mut d.payer)).last_name = text("Hopper")),
    any("shipping.address.line1", |d| place(shipping(&mut d.payer)).line1 = text("1 Long Street")),
    any("shipping.address.line2", |d| place(shipping(&mut d.payer)).line2 = text("Desk 3")),
    any("shipping.address.line3", |d| place(shipping(&mut d.payer)).line3 = text("Upstairs")),
    any("shipping.address.city", |d| place(shipping(&mut d.payer)).city = text("Leeds")),
    any("shipping.address.state", |d| place(shipping(&mut d.payer)).state = text("Yorkshire")),
    any("shipping.address.zip", |d| place(shipping(&mut d.payer)).zip = text("LS1 1UR")),
    any("shipping.address.origin_zip", |d| place(shipping(&mut d.payer)).origin_zip = text("W1T 4TJ")),
    any("shipping.address.country", |d| place(shipping(&mut d.payer)).country = "IE".parse().ok()),
    any("shipping.phone.number", |d| phone(shipping(&mut d.payer)).number = text("1132220000")),
    any("shipping.phone.country_code", |d| phone(shipping(&mut d.payer)).country_code = text("+353")),
    any("shipping.email", |d| shipping(&mut d.payer).email = text("grace@example.com")),
    any("order_date", |d| d.order.date = text("2026-01-31T12:00:00Z")),
    any("order_details", |d| _ = item(d)),
    line("order_details.product_id", |d| item(d).product_id = text("4711")),
    line("order_details.sku", |d| item(d).sku = text("book-1")),
    line("order_details.upc", |d| item(d).upc = text("012345678905")),
    line("order_details.description", |d| item(d).description = text("A novel")),
    line("order_details.category", |d| item(d).category = text("Books")),
    line("order_details.brand", |d| item(d).brand = text("Penguin")),
    line("order_details.commodity_code", |d| item(d).commodity_code = text("55101500")),
    line("order_details.unit_of_measure", |d| item(d).unit_of_measure = text("PCS")),
    line("order_details.product_tax_code", |d| item(d).product_tax_code = text("txcd_1")),
    line("order_details.product_img_link", |d| item(d).product_img_link = text("https://shop.example/1.png")),
    line("order_details.tax_rate", |d| item(d).tax_rate = Some(0.05)),
    line("order_details.total_tax_amount", |d| item(d).total_tax_amount = Some(40)),
    line("order_details.unit_discount_amount", |d| item(d).unit_discount_amount = Some(30)),
    any("shipping_cost", |d| d.order.shipping_cost = Some(300)),
    any("shipping_amount_tax", |d| d.order.shipping_amount_tax = Some(20)),
    any("order_tax_amount", |d| d.order.order_tax_amount = Some(40)),
    any("surcharge_details.surcharge_amount", |d| d.order.surcharge_amount = Some(50)),
    any("surcharge_details.tax_amount", |d| d.order.surcharge_tax_amount = Some(5)),
    any("discount_amount", |d| d.order.discount_amount = Some(60)),
    any("duty_amount", |d| d.order.duty_amount = Some(70)),
    any("tax_status", |d| d.order.tax_status = Some(TaxStatus::Exempt)),
];
