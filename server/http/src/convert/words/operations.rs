//! Words of operations at processors and of their notices.

use multirail_domain::received_notice::NoticeStatus;
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    NoticeStatus <=> NoticeStatus;
}
