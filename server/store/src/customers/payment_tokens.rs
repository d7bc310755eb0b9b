//! Payment tokens. A listing is one row, which stands for a token of each method of its customer. A token gets a row of its
//! own once a payment has claimed it. Tokens of a deleted method are invalid, and rows are deleted when they expire.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::Gone;
use multirail_domain::customers::saved_method::TokenListing;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, PaymentToken};
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Engine, Value, Write, values};
use crate::platform::record;

const LISTINGS: &str = "token_listings";
const TOKENS: &str = "payment_tokens";

const GIVE: &str = "insert into token_listings (merchant_id, listing, customer_id, listed_at, expires_at) \
     values ($1, $2, $3, $4, $5) on conflict (merchant_id, listing) do nothing";

/// Finds the method `m` of a listing `t` whose id ends with `$3`: the reverse of [`TokenListing::token`], in SQL. The index
/// over the customer's methods finds the one row among a thousand. A method that is saved again after its deletion has the
/// same id, but listings from before don't name it.
macro_rules! from_listing {
    () => {
        "from token_listings t join payment_methods m on m.merchant_id = t.merchant_id and m.payment_method_id = \
         (select x.payment_method_id from payment_methods x where x.merchant_id = t.merchant_id \
         and x.customer_id = t.customer_id and substr(x.payment_method_id, length(x.payment_method_id) - 9) = $3 limit 1) \
         and m.status = 'active' and m.created_at <= t.listed_at"
    };
}
pub(crate) use from_listing;

/// The same payment may claim it again.
const CLAIM: &str = concat!(
    "insert into payment_tokens (merchant_id, token, customer_id, payment_method_id, expires_at, payment_id) \
     select t.merchant_id, $4, t.customer_id, m.payment_method_id, t.expires_at, $5 ",
    from_listing!(),
    " where t.merchant_id = $1 and t.listing = $2 on conflict (merchant_id, token) do update \
     set payment_id = excluded.payment_id where payment_tokens.payment_id = excluded.payment_id and not payment_tokens.is_used"
);

const FREE: &str = "delete from payment_tokens where merchant_id = $1 and token = $2 and payment_id = $3 and not is_used";

/// The row stays as long as the listing: without the row, the token could be claimed again.
const USE_UP: &str =
    "update payment_tokens set is_used = true where merchant_id = $1 and token = $2";

const PURGE: [&str; 2] = [
    "delete from token_listings where (merchant_id, listing) in \
     (select merchant_id, listing from token_listings where expires_at < $1 order by expires_at limit $2)",
    "delete from payment_tokens where (merchant_id, token) in \
     (select merchant_id, token from payment_tokens where expires_at < $1 order by expires_at limit $2)",
];

pub(crate) fn give(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    listing: &TokenListing,
    listed_at: Timestamp,
    expires_at: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        listing.prefix(),
        customer_id.as_str(),
        listed_at.as_micros(),
        expires_at.as_micros()
    ];
    Write::new(GIVE, parameters).on(LISTINGS).any_rows()
}

/// Returns `$1` to `$4` of the look-up of a token: its merchant, its two parts, and the whole token.
pub(crate) fn parts(merchant_id: &MerchantId, token: &PaymentToken) -> Vec<Value> {
    // The empty name belongs to no listing.
    let (listing, end) = TokenListing::parts(token).unwrap_or_default();
    values![merchant_id.as_str(), listing, end, token.as_str()]
}

pub(crate) fn claim(
    merchant_id: &MerchantId,
    token: &PaymentToken,
    payment_id: &PaymentId,
) -> Write {
    let mut parameters = parts(merchant_id, token);
    parameters.push(Value::from(payment_id.as_str()));
    let claim = Write::new(CLAIM, parameters).on(TOKENS);
    claim.or_gone(Gone::PaymentToken.name())
}

pub(crate) fn free(
    merchant_id: &MerchantId,
    token: &PaymentToken,
    payment_id: &PaymentId,
) -> Write {
    let parameters = values![merchant_id.as_str(), token.as_str(), payment_id.as_str()];
    Write::new(FREE, parameters).on(TOKENS).any_rows()
}

pub(crate) fn use_up(merchant_id: &MerchantId, token: &PaymentToken) -> Write {
    Write::new(USE_UP, values![merchant_id.as_str(), token.as_str()])
        .on(TOKENS)
        .any_rows()
}

pub(crate) async fn purge(
    engine: &Engine,
    lapsed_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    let purge = |sql| Write::new(sql, values![lapsed_before.as_micros(), at_most]).any_rows();
    let rows = record::write_any(engine, PURGE.map(purge).to_vec()).await?;
    // A portion is full if either part of it is.
    Ok(rows.into_iter().max().unwrap_or(0))
}
