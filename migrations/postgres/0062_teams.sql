-- The latest sign-in that acted with the role; null before the first one, and where it came before this column.
alter table user_roles add column last_sign_in_at bigint;
-- The users of a merchant account, and the people who were invited there.
create index user_roles_by_account on user_roles (organization_id, scope);
create index user_invitations_by_account on user_invitations (organization_id, scope);
