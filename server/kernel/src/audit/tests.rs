use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::*;

/// A stamper with its own key.
struct Key(u8);

impl Stamper for Key {
    fn stamp(&self, parts: &[&[u8]]) -> Stamp {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(&[self.0]).expect("any length");
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

const OURS: Key = Key(1);

fn entry(number: i64) -> AuditEntry {
    AuditEntry {
        request_id: format!("request_{number}"),
        recorded_at: Timestamp::from_micros(number),
        operation: "api_keys_create".to_owned(),
        principal: "admin".to_owned(),
        principal_id: None,
        merchant_id: Some("bookshop".to_owned()),
        target: vec![Named::new("merchant_id", "bookshop")],
        objects: vec![Named::new("api_key", format!("snd_{number}"))],
        ip: "192.0.2.1".to_owned(),
        stray: None,
    }
}

fn stamped(entry: AuditEntry, by: &Key) -> Stamped {
    let stamp = entry.stamp(by);
    Stamped { entry, stamp }
}

/// Makes a log of five entries, appended in two portions.
fn log() -> (Vec<Chained>, Head) {
    let portion = |numbers: std::ops::Range<i64>| {
        let entries = numbers.map(|number| stamped(entry(number), &OURS));
        entries.collect::<Vec<_>>()
    };
    let (mut all, head) = Head::empty(&OURS).append(portion(1..4), &OURS);
    let (more, head) = head.append(portion(4..6), &OURS);
    all.extend(more);
    (all, head)
}

/// Checks the whole log in two portions.
fn judged(log: &[Chained], head: &Head) -> Result<i64, (i64, &'static str)> {
    let (first, second) = log.split_at(log.len() / 2);
    let mut walk = Walk::begin();
    for portion in [first, second] {
        let (further, fault) = walk.over(portion, &OURS);
        if let Some(fault) = fault {
            return Err((fault.sequence, fault.kind.as_str()));
        }
        walk = further;
    }
    let ended = walk.end(head, &OURS).map(|()| walk.sequence);
    ended.map_err(|fault| (fault.sequence, fault.kind.as_str()))
}

#[test]
fn an_unchanged_log_is_whole() {
    let (log, head) = log();
    assert_eq!(judged(&log, &head), Ok(5));
    assert_eq!(judged(&[], &Head::empty(&OURS)), Ok(0));
    let (behind, fault) = Walk::behind(&log[2]).over(&log[3..], &OURS);
    assert_eq!((behind.sequence, fault), (5, None));
}

#[test]
fn every_member_of_an_entry_is_covered() {
    type Change = fn(&mut AuditEntry);
    let changes: [Change; 12] = [
        |entry| entry.request_id.push('x'),
        |entry| entry.recorded_at = Timestamp::from_micros(77),
        |entry| entry.operation = "api_keys_revoke".to_owned(),
        |entry| entry.principal = "user".to_owned(),
        |entry| entry.principal_id = Some(String::new()),
        |entry| entry.merchant_id = None,
        |entry| entry.target.clear(),
        |entry| entry.target[0].id = "flower_shop".to_owned(),
        |entry| entry.objects[0].name = "user".to_owned(),
        |entry| entry.objects.push(Named::new("user", "user_1")),
        // The same words in another list.
        |entry| {
            let moved = entry.objects.remove(0);
            entry.target.push(moved);
        },
        |entry| entry.ip = "192.0.2.2".to_owned(),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let (mut log, head) = log();
        change(&mut log[2].entry);
        assert_eq!(judged(&log, &head), Err((3, "altered")), "change {at}");
    }
}

#[test]
fn an_entry_can_not_be_replaced_without_the_key() {
    let theirs = Key(2);
    let (mut log, head) = log();
    let forged = stamped(entry(9), &theirs);
    (log[3].entry, log[3].stamp) = (forged.entry, forged.stamp);
    assert_eq!(judged(&log, &head), Err((4, "altered")));

    // Rebuilding the chain after the entry doesn't help either.
    let own = Head {
        entries: 3,
        link: log[2].link,
        stamp: BEGINNING,
    };
    let rest = vec![stamped(entry(9), &theirs), stamped(entry(5), &theirs)];
    let (chained, head) = own.append(rest, &theirs);
    log.splice(3.., chained);
    assert_eq!(judged(&log, &head), Err((4, "altered")));
}

#[test]
fn a_removed_entry_shows_at_its_place() {
    for at in 0..5 {
        let (mut log, head) = log();
        log.remove(at);
        let expected = i64::try_from(at).expect("small") + 1;
        assert_eq!(judged(&log, &head), Err((expected, "missing")));
    }
    // Even with closed-up numbers the chain shows the removal.
    let (mut log, head) = log();
    log.remove(1);
    for one in &mut log[1..] {
        one.sequence -= 1;
    }
    assert_eq!(judged(&log, &head), Err((2, "altered")));
}

#[test]
fn an_end_that_was_cut_off_does_not_fit_the_head() {
    let (mut log, head) = log();
    log.truncate(3);
    assert_eq!(judged(&log, &head), Err((4, "missing")));
    // A head with the smaller number doesn't have our stamp.
    let shorter = Head {
        entries: 3,
        link: log[2].link,
        ..head
    };
    assert_eq!(judged(&log, &shorter), Err((3, "head_altered")));
    assert_eq!(
        judged(&log, &Head::empty(&OURS)),
        Err((1, "not_counted")),
        "a head that is gone"
    );
}

#[test]
fn an_entry_altered_before_it_was_chained_is_found() {
    let mut early = stamped(entry(1), &OURS);
    early.entry.ip = "192.0.2.9".to_owned();
    let (log, head) = Head::empty(&OURS).append(vec![early], &OURS);
    assert_eq!(judged(&log, &head), Err((1, "altered")));
}

#[test]
fn stamps_are_written_and_read() {
    let stamp = OURS.stamp(&[b"some"]);
    let text = stamp_text(&stamp);
    assert_eq!(text.len(), 64);
    assert_eq!(stamp_of_text(&text), Some(stamp));
    for wrong in ["", "00", &text.replace(&text[..1], "g"), &"é".repeat(32)] {
        assert_eq!(stamp_of_text(wrong), None, "{wrong}");
    }
}
