-- The offer that a link takes up; null for links that only choose a password. An empty scope names the organization.
alter table password_links add column organization_id text;
alter table password_links add column scope text;
-- The admin who made the offer; null for the operator, and where it came before this column.
alter table user_invitations add column invited_by text;
