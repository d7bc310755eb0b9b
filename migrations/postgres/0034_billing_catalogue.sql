-- What billing accounts offer: products, plans and addons, their prices, coupons. record holds the whole of each.
create table billing_catalogue (
    merchant_id text collate "C" not null,
    merchant_connector_id text collate "C" not null,
    -- product, item, price, coupon
    kind text collate "C" not null,
    entry_id text collate "C" not null,
    -- An item's product, a price's item.
    parent_id text collate "C",
    -- Of an item: plan, addon.
    item_type text,
    is_archived boolean not null,
    -- For how many subscriptions a coupon was redeemed, and for how many it may be.
    redemptions bigint not null,
    max_redemptions bigint,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, merchant_connector_id, kind, entry_id),
    constraint billing_catalogue_redeemed_within_limit check (max_redemptions is null or redemptions <= max_redemptions)
);
create index billing_catalogue_listed
    on billing_catalogue (merchant_id, merchant_connector_id, kind, created_at, entry_id);
create index billing_catalogue_by_parent
    on billing_catalogue (merchant_id, merchant_connector_id, kind, parent_id, created_at, entry_id);
