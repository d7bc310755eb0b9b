//! Sign-ins: the rights of a token, and the client that asked for it.

use std::fmt;
use std::net::IpAddr;

use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId, SessionId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

/// Seconds until a sign-in expires: two days.
pub const SESSION_SECONDS: i64 = 172_800;

/// Seconds until a session of the console ends in any case: twelve hours.
const CONSOLE_SECONDS: i64 = 43_200;

/// Seconds until an unused session of the console ends: an hour.
const CONSOLE_IDLE_SECONDS: i64 = 3_600;

/// Seconds until a link that opens the console expires: a quarter of an hour.
pub const SIGN_IN_LINK_SECONDS: i64 = 900;

/// The precision of a token's last use, in seconds. Recording every use would make each call a write.
const USE_NOTED_EVERY_SECONDS: i64 = 600;

/// The precision of the last use of a console's session, in seconds. It has to be small beside the time without use.
const CONSOLE_USE_NOTED_EVERY_SECONDS: i64 = 60;

/// The maximum stored length of a user agent, in characters.
const LONGEST_USER_AGENT: usize = 256;

words! {
    /// The holder of a session's token.
    pub enum SessionKind {
        /// A program, which sends the token as a bearer.
        Token = "token",
        /// A browser at the console, which keeps the token in a cookie that no script can read.
        Console = "console",
    }
}

impl SessionKind {
    /// Returns the seconds after which the session ends in any case.
    pub fn longest_seconds(self) -> i64 {
        match self {
            SessionKind::Token => SESSION_SECONDS,
            SessionKind::Console => CONSOLE_SECONDS,
        }
    }

    /// Returns the end of a session that is used at `now`. Use renews the console's sessions only.
    pub fn expires_at(self, created_at: Timestamp, now: Timestamp) -> Timestamp {
        let last = self.last_moment(created_at);
        match self {
            SessionKind::Token => last,
            SessionKind::Console => now
                .plus_seconds(CONSOLE_IDLE_SECONDS)
                .map_or(last, |idle| idle.min(last)),
        }
    }

    /// Returns the moment at which the session ends in any case.
    pub fn last_moment(self, created_at: Timestamp) -> Timestamp {
        let last = created_at.plus_seconds(self.longest_seconds());
        last.unwrap_or(created_at)
    }

    fn use_noted_every_seconds(self) -> i64 {
        match self {
            SessionKind::Token => USE_NOTED_EVERY_SECONDS,
            SessionKind::Console => CONSOLE_USE_NOTED_EVERY_SECONDS,
        }
    }
}

/// One sign-in: the rights of a token and their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSession {
    pub session_id: SessionId,
    pub kind: SessionKind,
    pub user_id: UserId,
    pub organization_id: OrganizationId,
    /// The merchant account that the user acts in.
    pub merchant_id: MerchantId,
    /// The profile that operations on a profile apply to.
    pub profile_id: Option<ProfileId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// The last use to within ten minutes, at the console to within a minute; unset until the token was used.
    pub last_used_at: Option<Timestamp>,
}

impl UserSession {
    /// Checks whether the sign-in has expired. At the exact moment it has.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }

    /// Checks whether a use at this moment must be recorded.
    pub fn notes_use(&self, kind: SessionKind, now: Timestamp) -> bool {
        self.last_used_at
            .is_none_or(|noted| now.seconds_since(noted) >= kind.use_noted_every_seconds())
    }
}

/// A link that signs one user in to the console, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInLink {
    /// The keyed hash of the token. The token itself is never stored.
    pub hash: String,
    pub user_id: UserId,
    pub expires_at: Timestamp,
}

/// The client of a sign-in, as far as it is known. It is stored sealed and doesn't print.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignInClient {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The client's user agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl fmt::Debug for SignInClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInClient").finish_non_exhaustive()
    }
}

impl SignInClient {
    /// Makes the client at an address. The first 256 characters of its user agent are stored, without control
    /// characters.
    pub fn new(address: IpAddr, user_agent: Option<&str>) -> Self {
        let kept = |text: &str| {
            let printing = text.chars().filter(|character| !character.is_control());
            let text: String = printing.take(LONGEST_USER_AGENT).collect();
            text.trim().to_owned()
        };
        SignInClient {
            address: Some(address.to_string()),
            user_agent: user_agent.map(kept).filter(|text| !text.is_empty()),
            unread: UnreadMembers::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_is_limited() {
        let address = IpAddr::from([203, 0, 113, 7]);
        let agent = |given| SignInClient::new(address, given).user_agent;
        assert_eq!(agent(None), None);
        assert_eq!(agent(Some(" \t ")), None);
        assert_eq!(agent(Some("curl/8\u{7}.1 ")).as_deref(), Some("curl/8.1"));
        let long = "ü".repeat(300);
        let kept = agent(Some(&long)).expect("a name");
        assert_eq!(kept.chars().count(), 256);
        assert_eq!(
            SignInClient::new(address, None).address.as_deref(),
            Some("203.0.113.7")
        );
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(seconds).expect("a moment")
    }

    #[test]
    fn a_use_is_noted_once_in_ten_minutes() {
        let session = |last_used_at| UserSession {
            session_id: SessionId::parse("ses_1").expect("an id"),
            kind: SessionKind::Token,
            user_id: UserId::parse("user_1").expect("an id"),
            organization_id: OrganizationId::parse("org_1").expect("an id"),
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            profile_id: None,
            created_at: at(0),
            expires_at: at(SESSION_SECONDS),
            last_used_at,
        };
        let token = SessionKind::Token;
        assert!(session(None).notes_use(token, at(0)));
        assert!(!session(Some(at(10))).notes_use(token, at(609)));
        assert!(session(Some(at(10))).notes_use(token, at(610)));
        assert!(!session(Some(at(10))).notes_use(SessionKind::Console, at(69)));
        assert!(session(Some(at(10))).notes_use(SessionKind::Console, at(70)));
        assert!(!session(None).is_over(at(SESSION_SECONDS - 1)));
        assert!(session(None).is_over(at(SESSION_SECONDS)));
    }

    #[test]
    fn use_renews_a_session_of_the_console_up_to_its_last_moment() {
        let console = SessionKind::Console;
        for (now, end) in [
            (0, 3_600),
            (3_599, 7_199),
            (40_000, CONSOLE_SECONDS),
            (CONSOLE_SECONDS - 1, CONSOLE_SECONDS),
        ] {
            assert_eq!(console.expires_at(at(0), at(now)), at(end), "{now}");
        }
        let token = SessionKind::Token;
        assert_eq!(token.expires_at(at(0), at(100)), at(SESSION_SECONDS));
        assert_eq!(token.last_moment(at(0)), at(SESSION_SECONDS));
    }
}
