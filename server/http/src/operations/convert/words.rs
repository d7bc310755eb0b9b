//! Words of operations at processors and of their notices.

use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    NoticeStatus <=> NoticeStatus;
}
