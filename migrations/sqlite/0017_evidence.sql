-- Files that merchants bring as evidence against disputes. What each is, its dispute's record says.
create table evidence_files (
    merchant_id text not null,
    file_id text not null,
    -- Sealed, bound to its row.
    sealed blob not null,
    primary key (merchant_id, file_id)
);
-- Set while a dispute that has ended keeps evidence: when it came to stand so.
alter table disputes add column evidence_ended_at bigint;
create index disputes_by_evidence on disputes (evidence_ended_at) where evidence_ended_at is not null;
