//! The changes of a payment, as stories and as one table. Each line of a story is a step: the input, the payment's status and
//! amounts, and the effects.

#[path = "../support/mod.rs"]
mod support;

mod another_customer;
mod auto_retry;
mod cancel;
mod capture;
mod complete;
mod confirm;
mod conflict;
mod create;
mod credentials;
mod estimate;
mod expiry;
mod facts;
mod given_up;
mod honest;
mod increment;
mod instrument;
mod lapse;
mod late;
mod link;
mod mandate;
mod matrix;
mod money;
mod notice;
mod observed;
mod of_others;
mod orders;
mod overcapture;
mod owner;
mod post_capture_void;
mod properties;
mod release;
mod retry;
mod review;
mod saved;
mod scheduled;
mod sync;
mod taken_back;
mod traces;
mod transfer;
mod trial;
mod update;
mod wishes;
