//! An example of all details that merchants give for a payment. Every struct is written out, so that a new member has to be
//! shown here.

use multirail_domain::accounts::profile::link_look::{
    CardTerms, DetailLook, DetailsLayout, FormLabels, LinkConfig, LinkDetail,
};
use multirail_domain::payments::payment::customer::Customer;
use multirail_domain::payments::payment::particulars::BillingDescriptor;
use multirail_domain::payments::payment::{MitCategory, Particulars, PayerDetails};
use multirail_kernel::address::{Address, Phone, Place};
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::CustomerId;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;
use multirail_sdk::charge::{DeviceDataCollected, Document, Installments, ScaExemption, TaxStatus};
use multirail_sdk::consent::{Consent, ConsentKind, OnlineConsent};
use multirail_sdk::order_item::OrderItem;
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::json;

use super::payment::object;

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Particulars with every member.
pub(super) fn full() -> Particulars {
    Particulars {
        description: text("Two books"),
        order_reference: text("B-17"),
        order_date: text("2026-01-05T10:11:12.345Z"),
        order_items: Some(vec![order_item()]),
        shipping_amount_tax: Some(40),
        discount_amount: Some(300),
        duty_amount: Some(70),
        tax_status: Some(TaxStatus::Exempt),
        installment_data: Some(Box::new(Installments {
            number_of_installments: Some(3),
            billing_frequency: text("month"),
            installment_interest: Some(1.5),
            unread: UnreadMembers::default(),
        })),
        billing_descriptor: Some(Box::new(BillingDescriptor {
            name: text("Books"),
            city: text("Lagos"),
            phone: text("5550100"),
            statement_descriptor: text("THE BOOK SHOP"),
            statement_descriptor_suffix: text("B18"),
            reference: text("R-1"),
            unread: UnreadMembers::default(),
        })),
        statement_descriptor_name: text("BOOKS"),
        statement_descriptor_suffix: text("B17"),
        force_challenge: Some(true),
        sca_exemption: Some(ScaExemption::LowValue),
        device_data_collected: Some(DeviceDataCollected::Yes),
        payment_channel: text("telephone_order"),
        off_session: Some(true),
        is_stored_credential: Some(false),
        mit_category: Some(MitCategory::Recurring),
        mandate: Some(Box::new(super::mandate::request())),
        allowed_payment_method_types: Some(vec![
            PaymentMethodType::Credit,
            PaymentMethodType::Debit,
        ]),
        request_incremental_authorization: Some(true),
        request_extended_authorization: Some(true),
        capture_on: text("2026-02-05T10:11:12.345Z"),
        business_country: Some(nigeria()),
        business_label: text("books"),
        connector_metadata: Some(object(json!({"fauxpay": {"shop": "B"}}))),
        payment_link: Some(true),
        link_config: Some(Box::new(link_config())),
        notes: object(json!({"metadata": {"order": 42}})),
    }
}

/// Payer details with every member.
pub(super) fn payer() -> PayerDetails {
    PayerDetails {
        customer: Some(Box::new(customer())),
        name: text("Ada Okafor"),
        email: text("ada@example.com"),
        phone: text("5550100"),
        phone_country_code: text("+234"),
        billing: Some(address("1 Marina")),
        shipping: Some(address("2 Harbour")),
        browser: Some(Box::new(browser())),
        consent: Some(Box::new(consent())),
        saved_consent: Some(Box::new(consent())),
        unread: UnreadMembers::default(),
    }
}

fn nigeria() -> CountryCode {
    "NG".parse().expect("a country")
}

pub(super) fn consent() -> Consent {
    Consent {
        kind: ConsentKind::Online,
        accepted_at: text("2026-01-05T10:11:12.345Z"),
        online: Some(OnlineConsent {
            ip_address: text("203.0.113.9"),
            user_agent: text("Browser/1.0"),
            unread: UnreadMembers::default(),
        }),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn address(line: &str) -> Box<Address> {
    Box::new(Address {
        address: Some(Place {
            first_name: text("Ada"),
            last_name: text("Okafor"),
            line1: text(line),
            line2: text("Floor 2"),
            line3: text("Door 3"),
            city: text("Lagos"),
            state: text("Lagos"),
            zip: text("100221"),
            origin_zip: text("100222"),
            country: Some(nigeria()),
            unread: UnreadMembers::default(),
        }),
        phone: Some(Phone {
            number: text("5550100"),
            country_code: text("+234"),
            unread: UnreadMembers::default(),
        }),
        email: text("ada@example.com"),
        unread: UnreadMembers::default(),
    })
}

fn customer() -> Customer {
    Customer {
        id: CustomerId::parse("cus_example").expect("an id"),
        name: text("Ada Okafor"),
        email: text("ada@example.com"),
        phone: text("5550100"),
        phone_country_code: text("+234"),
        tax_registration_id: text("NG1234"),
        document: Some(Document {
            document_type: text("CPF"),
            document_number: text("123"),
            unread: UnreadMembers::default(),
        }),
        unread: UnreadMembers::default(),
    }
}

fn browser() -> Browser {
    Browser {
        color_depth: Some(24),
        java_enabled: Some(false),
        java_script_enabled: Some(true),
        language: text("en-NG"),
        screen_height: Some(723),
        screen_width: Some(1536),
        time_zone: Some(-60),
        ip_address: text("203.0.113.9"),
        accept_header: text("text/html"),
        user_agent: text("Browser/1.0"),
        os_type: text("Linux"),
        os_version: text("6.1"),
        device_model: text("X1"),
        accept_language: text("en-NG"),
        referer: text("https://shop.example/basket"),
        unread: UnreadMembers::default(),
    }
}

fn order_item() -> OrderItem {
    OrderItem {
        product_name: "Book".to_owned(),
        quantity: 2,
        amount: 3270,
        total_amount: Some(6540),
        unit_discount_amount: Some(10),
        tax_rate: Some(0.19),
        total_tax_amount: Some(1044),
        product_tax_code: text("P0000000"),
        product_type: text("physical"),
        product_id: text("book_1"),
        description: text("A book on books"),
        category: text("books"),
        sub_category: text("old books"),
        brand: text("Binders"),
        sku: text("B-1"),
        upc: text("036000291452"),
        commodity_code: text("55101500"),
        unit_of_measure: text("piece"),
        product_img_link: text("https://shop.example/book.png"),
        requires_shipping: Some(true),
        unread: UnreadMembers::default(),
    }
}

/// The look of a hosted page with every member.
pub(super) fn link_config() -> LinkConfig {
    LinkConfig {
        theme: text("#1a73e8"),
        logo: text("https://shop.example/logo.png"),
        seller_name: text("The bookshop"),
        display_sdk_only: Some(false),
        details_layout: Some(DetailsLayout::Over),
        transaction_details: Some(vec![LinkDetail {
            key: "Table".to_owned(),
            value: "17".to_owned(),
            ui_configuration: Some(DetailLook {
                position: Some(1),
                is_key_bold: Some(true),
                is_value_bold: Some(false),
                unread: UnreadMembers::default(),
            }),
            unread: UnreadMembers::default(),
        }]),
        payment_button_text: text("Pay the bill"),
        payment_button_colour: text("#000"),
        payment_button_text_colour: text("#fff"),
        background_colour: text("#eeeeee"),
        payment_form_header_text: text("Your card"),
        custom_message_for_card_terms: text("We keep nothing."),
        show_card_terms: Some(CardTerms::Always),
        skip_status_screen: Some(true),
        enable_button_only_on_form_ready: Some(true),
        hide_card_nickname_field: Some(true),
        show_card_form_by_default: Some(true),
        payment_form_label_type: Some(FormLabels::Above),
        unread: UnreadMembers::default(),
    }
}
