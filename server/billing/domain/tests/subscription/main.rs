//! Tests of a subscription's transitions, as one table and as stories.

mod begun;
mod by_hand;
mod called_off;
mod cancel;
mod chargeable;
mod coupons;
mod cycles;
mod dunned;
mod given;
mod lapse;
mod late;
mod matrix;
mod method;
mod money;
mod outrun;
mod outside;
mod periods;
mod planned;
mod refunds;
mod story;
mod walk;
