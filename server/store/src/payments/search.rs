//! Lists of payments: conditions built from fixed pieces, and pages by key, never by counting.

use multirail_app::payments::ports::payment_search::{Order, PaymentSearch, Position};
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::MerchantId;

use crate::engine::{Engine, Read};
use crate::payments::{PAYMENT_COLUMNS, PAYMENT_TABLES, listed};
use crate::platform::conditions::Conditions;
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

/// Payments of a page that is short enough to be read like a look-up by key.
const SHORT: i64 = 20;

pub(crate) async fn search_payments(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    search: &PaymentSearch,
) -> Result<Vec<Payment>, StoreFailure> {
    let mut conditions = conditions(merchant_id, search);
    let towards_newer = matches!(search.position, Position::Before { .. });
    let offset = page_start(&mut conditions, search);
    let order = match (search.order, towards_newer) {
        (Order::NewestFirst, false) => "p.created_at desc, p.payment_id desc",
        (Order::NewestFirst, true) | (Order::OldestFirst, _) => "p.created_at, p.payment_id",
        (Order::LargestFirst, _) => "p.amount desc, p.created_at desc, p.payment_id desc",
        (Order::SmallestFirst, _) => "p.amount, p.created_at desc, p.payment_id desc",
    };
    // The limit is written into the text: PostgreSQL takes an unknown limit for a tenth of all rows, and then makes a new
    // plan for every page.
    let limit = search.limit;
    let sql = if offset == 0 && search.order.is_by_creation() {
        format!(
            "select {PAYMENT_COLUMNS} from {PAYMENT_TABLES} where {} order by {order} limit {limit}",
            conditions.text
        )
    } else {
        // Rows that are only skipped or sorted are not read as a whole.
        let offset = conditions.parameter(offset);
        format!(
            "select {PAYMENT_COLUMNS} from (select p.merchant_id, p.payment_id from payments p where {} \
             order by {order} limit {limit} offset {offset}) as page cross join {PAYMENT_TABLES} \
             where p.merchant_id = page.merchant_id and p.payment_id = page.payment_id order by {order}",
            conditions.text
        )
    };
    let mut read = Read::new(sql, conditions.parameters);
    read.is_long = !search.is_contiguous() || search.limit > SHORT;
    let rows = engine.fetch(read).await.map_err(failure)?;
    let payments = listed(engine, keys, merchant_id, rows).await?;
    let mut payments: Vec<Payment> = payments.into_iter().flatten().collect();
    if towards_newer {
        payments.reverse();
    }
    Ok(payments)
}

pub(crate) async fn count_payments(
    engine: &Engine,
    merchant_id: &MerchantId,
    search: &PaymentSearch,
    most: i64,
) -> Result<i64, StoreFailure> {
    let conditions = conditions(merchant_id, search);
    let sql = format!(
        "select count(*) as n from (select 1 from payments p where {} limit {most}) as counted",
        conditions.text
    );
    let rows = engine
        .fetch(Read::new(sql, conditions.parameters).long())
        .await
        .map_err(failure)?;
    match rows.first() {
        Some(row) => row.int("n").map_err(failure),
        None => Ok(0),
    }
}

fn conditions(merchant_id: &MerchantId, search: &PaymentSearch) -> Conditions {
    let mut all = Conditions::of_merchant("p.merchant_id", merchant_id);
    let payment_id = search.payment_id.as_ref().map(|id| id.as_str());
    all.compare("p.payment_id =", payment_id);
    all.compare("p.profile_id =", search.profile_id.as_deref());
    all.compare("p.customer_id =", search.customer_id.as_deref());
    all.compare(
        "p.merchant_order_reference_id =",
        search.merchant_order_reference_id.as_deref(),
    );
    all.compare(
        "p.created_at >=",
        search.created_from.map(|t| t.as_micros()),
    );
    all.compare(
        "p.created_at <=",
        search.created_until.map(|t| t.as_micros()),
    );
    all.compare(
        "p.created_at >",
        search.created_after.map(|t| t.as_micros()),
    );
    all.compare(
        "p.created_at <",
        search.created_before.map(|t| t.as_micros()),
    );
    all.compare("p.amount >=", search.amount_from);
    all.compare("p.amount <=", search.amount_until);
    all.one_of("p.connector", &search.connectors);
    all.one_of("p.merchant_connector_id", &search.merchant_connector_ids);
    all.one_of("p.currency", &search.currencies);
    all.one_of("p.status", &search.statuses);
    all.one_of("p.payment_method", &search.payment_methods);
    all.one_of("p.payment_method_type", &search.payment_method_types);
    all.one_of("p.authentication_type", &search.authentication_types);
    all.one_of("p.card_network", &search.card_networks);
    discovered(&mut all, &search.card_discoveries);
    all
}

/// Adds the condition on how the card was found. Cards that were not saved count as entered by hand.
fn discovered(conditions: &mut Conditions, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let asked = |word: &str| words.iter().any(|asked| asked == word);
    let card = "p.payment_method = 'card' and p.connector is not null";
    let condition = match (asked("manual"), asked("saved_card")) {
        (true, true) => card.to_owned(),
        (true, false) => format!("{card} and p.card_discovery is null"),
        (false, true) => format!("{card} and p.card_discovery = 'saved_card'"),
        (false, false) => "1 = 0".to_owned(),
    };
    conditions.also(&condition);
}

/// Adds the start of the page; returns the offset.
fn page_start(conditions: &mut Conditions, search: &PaymentSearch) -> i64 {
    let (sign, created_at, payment_id) = match &search.position {
        Position::Start => return 0,
        Position::Offset(offset) => return *offset,
        Position::After {
            created_at,
            payment_id,
        } => ("<", created_at, payment_id),
        Position::Before {
            created_at,
            payment_id,
        } => (">", created_at, payment_id),
    };
    let created_at = conditions.parameter(created_at.as_micros());
    let payment_id = conditions.parameter(payment_id.as_str());
    conditions.also(&format!(
        "(p.created_at, p.payment_id) {sign} ({created_at}, {payment_id})"
    ));
    0
}
