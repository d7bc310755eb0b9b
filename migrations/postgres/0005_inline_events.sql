-- The body of an event is sealed: it doesn't compress, and trying to costs as much as writing it. It is a few kilobytes:
-- in the row it is one write instead of several into a table of its own. What doesn't fit a page still goes there.
alter table events alter column body set storage external;
alter table events set (toast_tuple_target = 8160);
