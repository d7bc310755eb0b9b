-- The holder of a session's token: a program (token) or a browser at the console (console).
alter table user_sessions add column kind text not null default 'token';
