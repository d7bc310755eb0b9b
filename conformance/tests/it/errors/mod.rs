//! The error matrix: every kind of wrong request has exactly one answer. (Specification 7)

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
