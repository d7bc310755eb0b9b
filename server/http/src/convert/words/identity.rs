//! Words of users.

use multirail_domain::user::Role;
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    UserRole <=> Role;
}
