//! Fuzzes the notices of processors.

use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{News, Notice, Outcome, RawNotice};

use super::{access, connector, judge, judge_dispute};
use crate::canned::Canned;

/// The signing secret of the corpus.
const SECRET: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
/// The signing time of the corpus.
const NOW: i64 = 1_767_268_800;

/// Verifies and reads a notice: lines of headers, an empty line, and the body. The server reads
/// verified notices only; this target reads all. Returns whether the corpus's secret signed the
/// notice.
///
/// # Panics
/// If no connector has this name, or if a connector breaks a rule.
pub fn notices(name: &str, input: &[u8]) -> bool {
    let connector = connector(name, Canned::read(b""));
    let raw = raw_notice(input);
    let secrets = |secret: &str| WebhookSecrets {
        merchant_secret: SecretText::new(secret),
        additional_secret: None,
        unread: UnreadMembers::default(),
    };
    let now = Timestamp::EPOCH.plus_seconds(NOW).expect("in range");
    assert!(
        !connector.verify_notice(&raw, None, now),
        "without a secret"
    );
    let nobodys = secrets("00112233445566778899aabbccddeeff");
    assert!(!connector.verify_notice(&raw, Some(&nobodys), now));
    let is_signed = connector.verify_notice(&raw, Some(&secrets(SECRET)), now);
    let read = connector.read_notices(&raw, &access());
    assert_eq!(read, connector.read_notices(&raw, &access()));
    for notice in read.into_iter().flatten() {
        judge_notice(notice);
    }
    is_signed
}

fn raw_notice(input: &[u8]) -> RawNotice {
    let empty = input.windows(2).position(|two| two == b"\n\n");
    let (head, body) = match empty {
        Some(at) => (&input[..at], &input[at + 2..]),
        None => (&b""[..], input),
    };
    let head = String::from_utf8_lossy(head);
    let headers = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_ascii_lowercase(), value.to_owned()))
    });
    RawNotice {
        headers: headers.collect(),
        body: body.to_vec(),
    }
}

fn judge_notice(notice: Notice) {
    match notice.news {
        News::Outcome { outcome, .. } => {
            let is_final = matches!(outcome, Outcome::Done(_) | Outcome::Declined(_));
            let waits = matches!(outcome, Outcome::Pending { .. });
            assert!(
                is_final || waits,
                "what isn't known is asked for: {outcome:?}"
            );
            judge(&outcome);
        }
        News::Dispute(dispute) => judge_dispute(&dispute),
        News::Hint { .. } | News::Nothing | News::Unreadable => {}
    }
}
