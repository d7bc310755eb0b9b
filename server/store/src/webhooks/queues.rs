//! The two queues of deliveries: to profiles' own addresses, and to their further endpoints. They are two tables with the same
//! statements, because servers of earlier versions know one delivery of an event.

use multirail_app::accounts::ports::profiles::Endpoint;

/// A statement on each of the queues.
pub(crate) struct OnQueues {
    pub(crate) own: &'static str,
    pub(crate) further: &'static str,
}

/// Declares a statement on either queue. The parts stand around the name of the table.
macro_rules! on_queues {
    ($first:literal $($part:literal)+) => {
        $crate::webhooks::queues::OnQueues {
            own: concat!($first, $("deliveries", $part),+),
            further: concat!($first, $("endpoint_deliveries", $part),+),
        }
    };
}

pub(crate) use on_queues;

impl OnQueues {
    /// Returns the statement on the queue of an endpoint.
    pub(crate) fn of(&self, endpoint: &Endpoint) -> &'static str {
        match endpoint.endpoint_id {
            None => self.own,
            Some(_) => self.further,
        }
    }

    /// Returns both statements.
    pub(crate) fn both(&self) -> [&'static str; 2] {
        [self.own, self.further]
    }
}

/// Returns the name of the table.
pub(crate) fn table_of(endpoint: &Endpoint) -> &'static str {
    match endpoint.endpoint_id {
        None => "deliveries",
        Some(_) => "endpoint_deliveries",
    }
}
