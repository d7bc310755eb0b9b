-- A word that few disputes have, or none, is found by its own index: in disputes_listed all disputes of the merchant are looked at
-- before a page of it is full. Each holds what else is filtered by, so that two filters together don't read wide rows.
create index disputes_of_profile on disputes (merchant_id, profile_id, modified_at, dispute_id, created_at, stage, status,
    connector, currency, merchant_connector_id);
create index disputes_of_stage on disputes (merchant_id, stage, modified_at, dispute_id, created_at, status, profile_id,
    connector, currency, merchant_connector_id);
create index disputes_of_status on disputes (merchant_id, status, modified_at, dispute_id, created_at, stage, profile_id,
    connector, currency, merchant_connector_id);
create index disputes_of_connector on disputes (merchant_id, connector, modified_at, dispute_id, created_at, stage, status,
    profile_id, currency, merchant_connector_id);
create index disputes_of_currency on disputes (merchant_id, currency, modified_at, dispute_id, created_at, stage, status,
    profile_id, connector, merchant_connector_id);
drop index disputes_by_status;
