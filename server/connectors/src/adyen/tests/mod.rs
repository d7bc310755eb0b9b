//! Tests of Adyen's language, without Adyen.

mod accounts;
mod actions;
mod answers;
mod bank_debits;
mod changes;
mod defense;
mod details;
mod disputes;
mod errors;
mod notices;
mod payer_methods;
mod requests;
mod signatures;

/// The key of the payment in most tests.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
const PSP: &str = "NC6HT9CRT65ZGN82";
