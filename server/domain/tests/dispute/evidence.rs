//! Evidence: adding, removing and submitting it.

use multirail_domain::payments::dispute::DisputeStage::{Dispute, PreArbitration};
use multirail_domain::payments::dispute::DisputeStatus::{Opened, Won};
use multirail_domain::payments::dispute::{
    Command, EvidenceFile, EvidenceItem, FileType, LARGEST_FILE, LONGEST_TEXT,
};
use multirail_kernel::ids::FileId;

use crate::matrix::file;
use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

fn attach(item: EvidenceItem, name: &str, bytes: i64) -> Command {
    let file = EvidenceFile {
        file_id: FileId::parse(name).expect("an id"),
        item,
        bytes,
        ..file()
    };
    Command::Attach { file }
}

fn remove(item: EvidenceItem) -> Command {
    Command::Remove { item }
}

#[test]
fn a_file_is_what_it_begins_with() {
    for (begins, file_type) in [
        (b"%PDF-1.7 ...".as_slice(), Some(FileType::Pdf)),
        (b"\x89PNG\r\n\x1a\n ...", Some(FileType::Png)),
        (b"\xff\xd8\xff\xe0 ...", Some(FileType::Jpeg)),
        (b"<html>%PDF-1.7", None),
        (b"GIF89a", None),
        (b"", None),
    ] {
        assert_eq!(FileType::detect(begins), file_type, "{begins:?}");
    }
}

#[test]
fn texts_and_files_are_handed_in_together() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.command("a receipt", 1, attach(EvidenceItem::Receipt, "file_1", 10));
    story.command(
        "a better one",
        1,
        attach(EvidenceItem::Receipt, "file_2", 20),
    );
    story.challenge(
        1,
        &[
            ("customer_name", "Ada"),
            ("shipping_date", "2026-01-06"),
            ("receipt", "file_2"),
        ],
    );
    story.command("too late", 1, attach(EvidenceItem::Receipt, "file_3", 20));
    story.answer(1, done());
    story.command("taken back", 1, remove(EvidenceItem::Receipt));
    story.command("forgotten too soon", 1, Command::Forget);
    story.hear(1, news(Dispute, Won, AMOUNT));
    let evidence = story.disputes[0].evidence.clone();
    story.command("forgotten", 1, Command::Forget);
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    a receipt                              dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    a better one                           dispute dispute_opened -file_1; 0 disputed, 6540 held, 0 refunded, 0 left
    challenge dp_1                         dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    too late                               refused, DisputeNotInState: the dispute can't be given a file: it is being challenged already
    dp_1: done                             dispute dispute_challenged +dispute_challenged; 0 disputed, 6540 held, 0 refunded, 0 left
    taken back                             refused, DisputeNotInState: the dispute can't be changed: it is a dispute and dispute_challenged
    forgotten too soon                     dispute dispute_challenged; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: dispute won 6540                 dispute dispute_won +dispute_won; 0 disputed, 0 held, 0 refunded, 6540 left
    forgotten                              dispute dispute_won -file_2; 0 disputed, 0 held, 0 refunded, 6540 left
    ");
    assert!(story.disputes[0].evidence.is_empty());
    assert_eq!(format!("{evidence:?}"), "Evidence(2 texts, 1 files)");
    assert_eq!(evidence.files[0].file_id.as_str(), "file_2");
}

#[test]
fn what_is_no_evidence_is_refused() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.challenge(1, &[]);
    story.challenge(1, &[("receipt", "file_of_another_dispute")]);
    story.challenge(1, &[("uncategorized_text", &"x".repeat(LONGEST_TEXT + 1))]);
    story.command(
        "a text as a file",
        1,
        attach(EvidenceItem::CustomerName, "file_1", 1),
    );
    story.command("nothing", 1, attach(EvidenceItem::Receipt, "file_1", 0));
    let too_large = attach(EvidenceItem::Receipt, "file_1", LARGEST_FILE + 1);
    story.command("too much", 1, too_large);
    for (item, name) in [
        (EvidenceItem::Receipt, "file_1"),
        (EvidenceItem::RefundPolicy, "file_2"),
        (EvidenceItem::UncategorizedFile, "file_3"),
    ] {
        story.command(name, 1, attach(item, name, LARGEST_FILE));
    }
    story.hear(1, news(PreArbitration, Opened, AMOUNT));
    story.command(
        "a file later",
        1,
        attach(EvidenceItem::Receipt, "file_1", 1),
    );
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    challenge dp_1                         refused, InvalidValue: a dispute is challenged with at least one item of evidence
    challenge dp_1                         refused, InvalidFormat: receipt is not in the expected form: the file_id of a file that was attached to the dispute under this name
    challenge dp_1                         refused, InvalidFormat: uncategorized_text is not in the expected form: a text of at most 20000 characters
    a text as a file                       refused, InvalidValue: evidence_type customer_name is a text, not a file
    nothing                                refused, InvalidValue: a file has at least one byte and at most 5242880
    too much                               refused, InvalidValue: a file has at least one byte and at most 5242880
    file_1                                 dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    file_2                                 dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    file_3                                 refused, InvalidValue: the files of a dispute have at most 10485760 bytes together
    dp_1: pre_arbitration opened 6540      pre_arbitration dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    a file later                           refused, DisputeNotInState: the dispute can't be given a file: it is a pre_arbitration and dispute_opened
    ");
}

#[test]
fn a_challenge_that_the_processor_refuses_can_be_mended() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.command("a receipt", 1, attach(EvidenceItem::Receipt, "file_1", 10));
    story.challenge(1, &[]);
    story.answer(1, declined());
    story.command("take it back", 1, remove(EvidenceItem::Receipt));
    story.challenge(1, &[("uncategorized_text", "it was delivered")]);
    story.answer(1, done());
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    a receipt                              dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    challenge dp_1                         dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: declined                         dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    take it back                           dispute dispute_opened -file_1; 0 disputed, 6540 held, 0 refunded, 0 left
    challenge dp_1                         dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: done                             dispute dispute_challenged +dispute_challenged; 0 disputed, 6540 held, 0 refunded, 0 left
    ");
}
