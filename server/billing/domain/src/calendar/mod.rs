//! Billing periods by the calendar: a fixed number of days, weeks, months or years, counted from an anchor in the local
//! time of a time zone.

mod interval;
mod period;
mod schedule;
mod zone;

pub use interval::{Interval, IntervalUnit};
pub use period::Period;
pub use schedule::Schedule;
pub use zone::Zone;
