-- Lists of disputes are filtered and paged in indexes alone: a dispute's row is wide, and most of those that are looked at
-- don't fit or are on another page. disputes_listed holds the narrow columns that are filtered by and takes the place of
-- disputes_by_change; a status and a time of creation that few disputes have are found by their own.
create index disputes_listed on disputes (merchant_id, modified_at, dispute_id, created_at, stage, status, profile_id,
    connector, currency, merchant_connector_id);
create index disputes_by_status on disputes (merchant_id, status, modified_at, dispute_id);
create index disputes_by_creation on disputes (merchant_id, created_at, modified_at, dispute_id);
drop index disputes_by_change;
