//! Words of deliveries.

use multirail_domain::webhook::DeliveryKind;
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    DeliveryAttemptKind <=> DeliveryKind;
}
