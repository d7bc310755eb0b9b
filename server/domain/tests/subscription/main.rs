//! What may happen to a subscription, as one table and as stories.

mod begun;
mod by_hand;
mod cancel;
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
