//! Payment tokens: rows of a listing, all stored by one statement. A token of a method that is deleted stands for nothing, and its
//! row goes when it lapses, as any other: an index to find it by would be most of what a listing writes.

use multirail_app::ports::StoreFailure;
use multirail_app::ports::failure::gone;
use multirail_domain::ids::{CustomerId, MerchantId, PaymentId, PaymentToken};
use multirail_domain::saved_method::TokenListing;
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Write, values};
use super::record;

const TABLE: &str = "payment_tokens";

/// [`TokenListing::token`], in SQL: a method that is saved between the list and this gets a token that nobody knows.
const GIVE: &str = "insert into payment_tokens (merchant_id, token, customer_id, payment_method_id, expires_at, method_since) \
     select m.merchant_id, $3 || substr(m.payment_method_id, length(m.payment_method_id) - 9), m.customer_id, \
     m.payment_method_id, $4, m.created_at from payment_methods m \
     where m.merchant_id = $1 and m.customer_id = $2 and m.status = 'active' \
     order by m.last_used_at desc, m.payment_method_id limit $5 on conflict (merchant_id, token) do nothing";

/// Which method `m` a token of the table or alias `$t` stands for, in SQL. One that is saved again after it was deleted has the same id, and
/// isn't the same.
macro_rules! method_of_token {
    ($t:literal) => {
        concat!(
            "m.merchant_id = ",
            $t,
            ".merchant_id and m.payment_method_id = ",
            $t,
            ".payment_method_id \
             and m.customer_id = ",
            $t,
            ".customer_id and m.status = 'active' \
             and m.created_at = coalesce(",
            $t,
            ".method_since, m.created_at)"
        )
    };
}
pub(super) use method_of_token;

/// The same payment may claim it again.
const CLAIM: &str = concat!(
    "update payment_tokens set payment_id = $3 where merchant_id = $1 and token = $2 \
     and (payment_id is null or payment_id = $3) and exists (select 1 from payment_methods m where ",
    method_of_token!("payment_tokens"),
    ")"
);

const FREE: &str = "update payment_tokens set payment_id = null where merchant_id = $1 and token = $2 and payment_id = $3";

const DELETE: &str = "delete from payment_tokens where merchant_id = $1 and token = $2";

const PURGE: &str = "delete from payment_tokens where (merchant_id, token) in \
     (select merchant_id, token from payment_tokens where expires_at < $1 order by expires_at limit $2)";

pub(super) fn give(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    listing: &TokenListing,
    limit: i64,
    expires_at: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        customer_id.as_str(),
        listing.prefix(),
        expires_at.as_micros(),
        limit
    ];
    Write::new(GIVE, parameters).on(TABLE).any_rows()
}

pub(super) fn claim(
    merchant_id: &MerchantId,
    token: &PaymentToken,
    payment_id: &PaymentId,
) -> Write {
    let parameters = values![merchant_id.as_str(), token.as_str(), payment_id.as_str()];
    let claim = Write::new(CLAIM, parameters).on(TABLE);
    claim.or_gone(gone::PAYMENT_TOKEN)
}

pub(super) fn free(
    merchant_id: &MerchantId,
    token: &PaymentToken,
    payment_id: &PaymentId,
) -> Write {
    let parameters = values![merchant_id.as_str(), token.as_str(), payment_id.as_str()];
    Write::new(FREE, parameters).on(TABLE).any_rows()
}

pub(super) fn delete(merchant_id: &MerchantId, token: &PaymentToken) -> Write {
    Write::new(DELETE, values![merchant_id.as_str(), token.as_str()])
        .on(TABLE)
        .any_rows()
}

pub(super) async fn purge(
    engine: &Engine,
    lapsed_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(engine, PURGE, lapsed_before, at_most).await
}
