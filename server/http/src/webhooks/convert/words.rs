//! Words of deliveries.

use multirail_domain::webhooks::webhook::DeliveryKind;
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    DeliveryAttemptKind <=> DeliveryKind;
}
