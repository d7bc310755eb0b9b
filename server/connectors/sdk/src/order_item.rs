//! The items of an order.

use multirail_kernel::record_object::record_object;

record_object! {
    /// One item. Amounts are in minor units and part of the payment's amount.
    pub struct OrderItem {
        product_name: String,
        quantity: i32,
        /// Price of one piece.
        amount: i64,
    } and maybe {
        total_amount: i64,
        unit_discount_amount: i64,
        /// Tax rate as a fraction of one.
        tax_rate: f64,
        total_tax_amount: i64,
        product_tax_code: String,
        product_type: String,
        product_id: String,
        description: String,
        category: String,
        sub_category: String,
        brand: String,
        sku: String,
        upc: String,
        commodity_code: String,
        unit_of_measure: String,
        product_img_link: String,
        requires_shipping: bool,
    }
}
