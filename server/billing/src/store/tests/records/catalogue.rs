//! Examples of catalogue entries.

use multirail_billing_domain::calendar::{Interval, IntervalUnit, Zone};
use multirail_billing_domain::catalogue::CatalogueEntry;
use multirail_billing_domain::coupon::{Coupon, CouponDuration, Discount};
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::Price;
use multirail_billing_domain::product::Product;
use multirail_billing_domain::tax::TaxRate;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{CouponCode, ItemId, ItemPriceId, ProductId};
use multirail_kernel::unread::UnreadMembers;

use super::{account_id, merchant_id, moment};

pub(super) fn catalogue() -> Vec<CatalogueEntry> {
    let product_id = || ProductId::parse("magazine").expect("an id");
    let item_id = || ItemId::parse("gold").expect("an id");
    let product = Product {
        merchant_id: merchant_id(),
        merchant_connector_id: account_id(),
        product_id: product_id(),
        name: "The magazine".to_owned(),
        is_archived: false,
        created_at: moment(0),
        modified_at: moment(0),
        description: None,
        unread: UnreadMembers::default(),
    };
    let item = Item {
        merchant_id: merchant_id(),
        merchant_connector_id: account_id(),
        item_id: item_id(),
        product_id: product_id(),
        item_type: ItemType::Plan,
        name: "Gold".to_owned(),
        is_archived: true,
        created_at: moment(0),
        modified_at: moment(1),
        description: Some("Every issue".to_owned()),
        unread: UnreadMembers::default(),
    };
    let price = Price {
        merchant_id: merchant_id(),
        merchant_connector_id: account_id(),
        item_price_id: ItemPriceId::parse("gold-monthly").expect("an id"),
        item_id: item_id(),
        amount_minor: 1_999,
        currency: Currency::EUR,
        trial_days: 14,
        min_quantity: 1,
        max_quantity: 10,
        taxes: vec![
            TaxRate::new("VAT", 1_900).expect("a tax"),
            TaxRate::exact("QST", 99_750).expect("a tax").included(),
        ],
        zone: Zone::parse("Europe/Berlin").expect("a zone"),
        is_archived: false,
        created_at: moment(0),
        modified_at: moment(0),
        interval: Some(Interval::new(IntervalUnit::Month, 1).expect("an interval")),
        billing_cycles: Some(12),
        unread: UnreadMembers::default(),
    };
    let coupon = |discount, duration, is_full: bool| Coupon {
        merchant_id: merchant_id(),
        merchant_connector_id: account_id(),
        code: CouponCode::parse("SPRING").expect("a code"),
        name: "Spring".to_owned(),
        discount,
        duration,
        is_archived: false,
        created_at: moment(0),
        modified_at: moment(0),
        valid_from: is_full.then(|| moment(1)),
        valid_until: is_full.then(|| moment(2)),
        max_redemptions: is_full.then_some(100),
        unread: UnreadMembers::default(),
    };
    let percent = Discount::Percent {
        basis_points: 1_000,
    };
    let amount = Discount::Amount {
        amount_minor: 500,
        currency: Currency::EUR,
    };
    vec![
        CatalogueEntry::Product(product),
        CatalogueEntry::Item(item),
        CatalogueEntry::Price(price),
        CatalogueEntry::Coupon(coupon(percent, CouponDuration::Once {}, false)),
        CatalogueEntry::Coupon(coupon(
            amount,
            CouponDuration::Repeating { periods: 3 },
            true,
        )),
        CatalogueEntry::Coupon(coupon(percent, CouponDuration::Forever {}, true)),
    ]
}
