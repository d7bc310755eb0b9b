//! What billing accounts offer, and what it would cost. (Facts 7.11) Every call is of one profile, whose billing account
//! says which catalogue is meant.

mod account;
mod chargeable;
mod create;
mod estimate;
mod items;
mod read;
mod redeem;

pub use create::{CreateItem, CreateProduct};
pub use estimate::{Estimate, EstimateSubscription};
pub use items::{ListItems, OfferedItem};
pub use read::{ListCatalogue, Listed};
pub use redeem::PricedItem;
