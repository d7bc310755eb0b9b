-- What the operator says that processors' codes come to, by connector, flow, code and words (an empty message: any words).
create table error_mappings (
    connector text collate "C" not null,
    flow text collate "C" not null,
    sub_flow text collate "C" not null,
    code text collate "C" not null,
    message text collate "C" not null,
    version bigint not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (connector, flow, sub_flow, code, message)
);
