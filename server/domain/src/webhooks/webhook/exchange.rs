//! The HTTP exchange of one delivery attempt.

use std::fmt;

use serde::{Deserialize, Serialize};

use multirail_kernel::timestamp::Timestamp;

/// In seconds.
const LONGEST_RETRY_AFTER: i64 = 86_400;

/// One delivery attempt: the request without its body, and the response. The response's members are `None` if none came.
/// `Debug` doesn't print headers: they may carry credentials of the merchant's endpoint.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Names and values in the order in which they were sent.
    pub request_headers: Vec<(String, String)>,
    pub status_code: Option<u16>,
    pub response_headers: Option<Vec<(String, String)>>,
    /// The beginning of the response's body, up to the configured limit.
    pub response_body: Option<String>,
    /// The reason why there is no response, for the merchant to read.
    pub error_message: Option<String>,
}

impl Exchange {
    /// Creates an attempt that failed without a response.
    pub fn failed(
        request_headers: Vec<(String, String)>,
        error_message: impl Into<String>,
    ) -> Self {
        Exchange {
            request_headers,
            error_message: Some(error_message.into()),
            ..Exchange::default()
        }
    }

    /// Returns whether the endpoint says that it is gone for good.
    pub fn is_gone(&self) -> bool {
        self.status_code == Some(410)
    }

    /// Returns the pause that the endpoint asks for with `Retry-After`, in seconds. The header has a number of seconds or a
    /// moment of wall time. The pause is at most a day, because endpoints make mistakes.
    pub fn retry_after(&self, wall: Timestamp) -> Option<i64> {
        let headers = self.response_headers.as_ref()?;
        let mut headers = headers.iter();
        let (_, value) = headers.find(|(name, _)| name.eq_ignore_ascii_case("retry-after"))?;
        let value = value.trim();
        let seconds = match value.parse::<u32>() {
            Ok(seconds) => i64::from(seconds),
            Err(_) => {
                let moment = chrono::DateTime::parse_from_rfc2822(value).ok()?;
                moment.timestamp().checked_sub(wall.unix_seconds())?
            }
        };
        (seconds > 0).then_some(seconds.min(LONGEST_RETRY_AFTER))
    }

    /// Returns whether the endpoint accepted the delivery, with any 2xx status.
    pub fn is_delivered(&self) -> bool {
        self.status_code
            .is_some_and(|status| (200..=299).contains(&status))
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("status_code", &self.status_code)
            .field("error_message", &self.error_message)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_seconds_or_a_moment() {
        let wall = Timestamp::EPOCH
            .plus_seconds(1_445_412_420)
            .expect("in range");
        let asked = |value: &str| {
            let header = ("Retry-After".to_owned(), value.to_owned());
            let exchange = Exchange {
                response_headers: Some(vec![header]),
                ..Exchange::default()
            };
            exchange.retry_after(wall)
        };
        assert_eq!(asked("120"), Some(120));
        assert_eq!(asked(" 7 "), Some(7));
        assert_eq!(asked("Wed, 21 Oct 2015 07:28:00 GMT"), Some(60));
        assert_eq!(asked("Wed, 21 Oct 2015 07:26:00 GMT"), None, "past");
        assert_eq!(asked("999999999"), Some(86_400));
        for unreadable in ["0", "-5", "soon", "", "1.5"] {
            assert_eq!(asked(unreadable), None, "{unreadable}");
        }
        assert_eq!(Exchange::default().retry_after(wall), None);
    }
}
