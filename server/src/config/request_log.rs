//! The settings of the request log.

use super::{Reader, Setting};

/// Limits of the request log.
#[derive(Clone, Copy, Debug)]
pub struct RequestLog {
    /// The most requests of one second; 0 logs none.
    pub per_second: u32,
    /// The most requests that are kept of one merchant account.
    pub per_merchant: i64,
    /// The time for which requests are kept, in days.
    pub retention_days: i64,
}

impl RequestLog {
    pub(super) fn read(reader: &mut Reader) -> Self {
        RequestLog {
            per_second: reader.number(Setting::RequestLogPerSecond, 0..=100_000, 100) as u32,
            per_merchant: reader.number(Setting::RequestLogPerMerchant, 100..=10_000_000, 10_000)
                as i64,
            retention_days: reader.number(Setting::RequestLogRetentionDays, 1..=365, 7) as i64,
        }
    }
}
