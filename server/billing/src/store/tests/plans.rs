//! Tests of query plans: subscriptions and invoices are found by an index, in a database with statistics.

use multirail_kernel::ids::{CustomerId, MerchantId, ProfileId};
use multirail_sql::{Write, values};
use multirail_store::fixture::on_both_engines;
use multirail_store::fixture::plans::written_out;

use super::super::{invoices, subscription_turns, subscriptions};
use super::test_billing::TestStore;
use crate::ports::SubscriptionSearch;
use crate::ports::subscriptions::Page;

on_both_engines! {
    subscriptions_and_invoices_are_found_by_an_index
}

/// Enough subscriptions to make a full scan visible. A few are due, a few are active.
const SUBSCRIPTIONS: &str = "insert into subscriptions (merchant_id, subscription_id, version, profile_id, customer_id, status, \
     due_at, lease_until, fence, record, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'shop_' || (n % 7), 'sub_' || n, 1, 'pro_' || (n % 10), 'cus_' || n, \
     case when n % 50 = 7 then 'active' else 'cancelled' end, case when n % 50 = 7 then n else null end, 0, 0, '{}', n, n \
     from numbers";

const INVOICES: &str = "insert into invoices (merchant_id, invoice_id, subscription_id, number, period_start, status, is_open, \
     amount, currency, record, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'shop_1', 'invoice_' || n, 'sub_' || (n % 500), n, n, 'invoice_paid', n % 50 = 7, 1, 'EUR', '{}', n, n from numbers";

async fn subscriptions_and_invoices_are_found_by_an_index(test: TestStore) {
    let asked = [
        (
            subscription_turns::DUE,
            values![60_i64, 1_i64, 20_i64],
            "subscriptions_due",
        ),
        (
            subscription_turns::MERCHANTS,
            values!["shop_1", 64_i64],
            "subscriptions_turns",
        ),
        (
            subscription_turns::PLANNED,
            values![60_i64, 1_i64, "shop_1"],
            "subscriptions_turns",
        ),
        (
            subscription_turns::NEWS,
            values![60_i64, 1_i64, "shop_1"],
            "subscriptions_turns",
        ),
        (
            subscriptions::HAS_LIVE,
            values!["shop_1"],
            "subscriptions_live",
        ),
        (
            subscriptions::HAS_LIVE,
            values!["shop_1"],
            "subscriptions_begun",
        ),
        (
            subscriptions::HAS_LIVE_OF_CUSTOMER,
            values!["shop_1", "cus_57"],
            "subscriptions_begun",
        ),
        (
            subscriptions::HAS_LIVE_OF_CUSTOMER,
            values!["shop_1", "cus_57"],
            "subscriptions_live",
        ),
        (
            subscriptions::WITH_LAST_INVOICE,
            values!["shop_1", "sub_57"],
            "invoices_by_number",
        ),
        (invoices::OPEN, values!["shop_1", "sub_57"], "invoices"),
        (
            invoices::LIST,
            values!["shop_1", "sub_57", 20_i64, 0_i64],
            "invoices",
        ),
    ];
    for rows in [
        SUBSCRIPTIONS,
        INVOICES,
        "analyze subscriptions",
        "analyze invoices",
    ] {
        test.insert(Write::new(rows, Vec::new()).any_rows()).await;
    }
    let shop = MerchantId::parse("shop_1").expect("an id");
    let all = SubscriptionSearch {
        profile_id: None,
        customer_id: None,
        status: None,
        page: Page {
            limit: 20,
            offset: 0,
        },
    };
    let of_profile = SubscriptionSearch {
        profile_id: Some(ProfileId::parse("pro_3").expect("an id")),
        ..all.clone()
    };
    let of_customer = SubscriptionSearch {
        customer_id: Some(CustomerId::parse("cus_57").expect("an id")),
        ..all.clone()
    };
    let lists = [
        (all, "subscriptions_of_account"),
        (of_profile, "subscriptions_by_creation"),
        (of_customer, "subscriptions_of_customer"),
    ];
    let lists = lists.map(|(search, index)| (subscriptions::page(&shop, &search), index));
    let fixed = asked.map(|(sql, parameters, index)| ((sql.to_owned(), parameters), index));
    for (statement, index) in fixed.into_iter().chain(lists) {
        let sql = statement.0.clone();
        let plan = test.explained(&written_out(statement)).await;
        let plan = plan.join("\n");
        // The intermediate result of a recursion is not a table.
        let is_scan = |step: &str| step.starts_with("SCAN ") && !step.starts_with("SCAN t");
        let is_scanned = plan.contains("Seq Scan") || plan.lines().any(is_scan);
        assert!(
            !is_scanned && plan.contains(index),
            "{sql} by {index}:\n{plan}"
        );
    }
}
