//! Billing periods by the calendar: every so many days, weeks, months or years from an anchor, as the clocks on the wall of
//! a time zone show it.

mod interval;
mod period;
mod schedule;
mod zone;

pub use interval::{Interval, IntervalUnit};
pub use period::Period;
pub use schedule::Schedule;
pub use zone::Zone;
