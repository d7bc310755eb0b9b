//! What may happen to a subscription, as one table and as stories.

mod by_hand;
mod cancel;
mod dunned;
mod lapse;
mod late;
mod matrix;
mod method;
mod money;
mod outrun;
mod outside;
mod periods;
mod refunds;
mod story;
