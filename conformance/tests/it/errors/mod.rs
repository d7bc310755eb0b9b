//! The error matrix: every way in which a request can be wrong, and its one answer. (Specification 7)

mod bodies;
mod bounds;
mod card_numbers;
mod codes;
mod headers;
mod limits;
mod members;
mod names;
mod profile_header;
mod routes;
mod slips;
mod word_lists;
mod words;
