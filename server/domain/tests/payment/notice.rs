//! Matching a notice with an operation, and the trust in its sender: for stored accounts, and for credentials of the request.

use insta::assert_snapshot;
use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_domain::payments::dispute::{DisputeStage, DisputeStatus};
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::notice::{disputed_attempt, of_payment};
use multirail_domain::payments::payment::{CaptureMethod, Changes};
use multirail_kernel::ids::{ConnectorAccountId, ProcessorKey, ProfileId};
use multirail_kernel::money::Money;
use multirail_sdk::connector::{About, DisputeNews, OperationKind, Outcome};

use crate::support::outcomes::*;
use crate::support::purchase;
use crate::support::story::{AUTHORIZE, Story};

/// Approved as `ref_1` under the key `mrk_1`.
fn approved(method: CaptureMethod, brought: bool) -> Story {
    let mut story = Story::create(Changes {
        creds_identifier: brought.then(|| "mine".to_owned()),
        ..purchase(method)
    });
    story.credentials.are_held = brought;
    story.confirm();
    story.answer(AUTHORIZE, done());
    story
}

fn about(kind: OperationKind, key: Option<&str>, reference: Option<&str>) -> About {
    About {
        kind,
        key: key.map(|key| ProcessorKey::parse(key).expect("a key")),
        reference: reference.map(str::to_owned),
        authorization_reference: None,
        authorization_key: None,
    }
}

fn of_authorization(kind: OperationKind) -> About {
    About {
        authorization_reference: Some("ref_1".to_owned()),
        ..about(kind, None, None)
    }
}

/// Returns in words what a notice of an account of this connector proves.
fn proven(
    story: &Story,
    account: &str,
    connector: &str,
    about: &About,
    outcome: Outcome,
) -> String {
    let account = ConnectorAccountId::parse(account).expect("an id");
    proven_by(
        story,
        Sender {
            account: &account,
            profile: &story.payment.profile_id,
            connector,
        },
        about,
        outcome,
    )
}

fn proven_by(story: &Story, sender: Sender<'_>, about: &About, outcome: Outcome) -> String {
    match of_payment(&story.payment, sender, about, Some(&outcome)) {
        ToldOf::Fact(fact) => format!("{} of {}", words(&fact.outcome), fact.about),
        ToldOf::Hint(key) => format!("ask about {key}"),
        ToldOf::HintOfBrought { key, said } => {
            let said = said.as_ref().map(words).unwrap_or_default();
            format!("ask about {key} with its own credentials, because of {said}")
        }
        ToldOf::NotAskedFor => "not asked for".to_owned(),
        ToldOf::AnotherAccount => "another account".to_owned(),
    }
}

const OURS: [&str; 2] = ["mca_1", "stripe_test"];

fn proven_by_ours(story: &Story, about: &About, outcome: Outcome) -> String {
    proven(story, OURS[0], OURS[1], about, outcome)
}

#[test]
fn a_stored_account_tells_of_what_it_was_asked_for() {
    use OperationKind::{Authorize, Capture};
    let story = approved(Manual, false);
    let mut capturing = approved(ManualMultiple, false);
    capturing.capture(Some(1000));
    let lines = [
        proven_by_ours(&story, &about(Authorize, Some("mrk_1"), None), done()),
        proven_by_ours(&story, &about(Authorize, None, Some("ref_1")), done()),
        proven_by_ours(&story, &about(Authorize, None, Some("ref_2")), done()),
        proven_by_ours(&story, &about(Capture, None, None), done()),
        proven_by_ours(&capturing, &of_authorization(Capture), done()),
        proven(
            &story,
            "mca_2",
            "stripe_test",
            &about(Authorize, Some("mrk_1"), Some("ref_1")),
            done(),
        ),
    ];
    assert_snapshot!(lines.join("\n"), @"
    done of mrk_1
    done of mrk_1
    not asked for
    not asked for
    done of mrk_3
    another account
    ");
}

#[test]
fn of_brought_credentials_the_processors_own_reference_counts() {
    use OperationKind::{Authorize, Capture};
    let story = approved(Manual, true);
    let by_reference = about(Authorize, Some("mrk_1"), Some("ref_1"));
    let lines = [
        proven_by_ours(&story, &by_reference, done()),
        proven(&story, "mca_2", "stripe_test", &by_reference, done()),
        proven(&story, "mca_2", "adyen_test", &by_reference, done()),
        proven_by_ours(&story, &about(Authorize, Some("mrk_1"), None), declined()),
        proven_by_ours(
            &story,
            &about(Authorize, Some("mrk_1"), Some("ref_2")),
            declined(),
        ),
        proven_by_ours(
            &story,
            &about(Authorize, Some("mrk_9"), Some("ref_1")),
            declined(),
        ),
        proven_by_ours(&story, &about(Capture, Some("mrk_9"), None), done()),
    ];
    assert_snapshot!(lines.join("\n"), @"
    done of mrk_1
    done of mrk_1
    another account
    ask about mrk_1 with its own credentials, because of declined
    ask about mrk_1 with its own credentials, because of declined
    ask about mrk_1 with its own credentials, because of declined
    another account
    ");
}

/// The server asks the processor with the credentials of the request nevertheless.
#[test]
fn of_brought_credentials_no_other_profiles_account_tells() {
    let story = approved(Manual, true);
    let account = ConnectorAccountId::parse("mca_of_another_profile").expect("an id");
    let profile = ProfileId::parse("pro_another").expect("an id");
    let sender = Sender {
        account: &account,
        profile: &profile,
        connector: "stripe_test",
    };
    let by_reference = about(OperationKind::Authorize, Some("mrk_1"), Some("ref_1"));
    assert_snapshot!(proven_by(&story, sender, &by_reference, declined()), @"ask about mrk_1 with its own credentials, because of declined");
}

#[test]
fn a_capture_that_the_processor_makes_by_itself_is_the_authorizations() {
    use OperationKind::Capture;
    let (story, brought) = (approved(Automatic, false), approved(Automatic, true));
    let of_key = about(Capture, Some("mrk_1"), Some("capture_1"));
    let lines = [
        proven_by_ours(&story, &of_key, done()),
        proven_by_ours(&story, &of_key, taken_back()),
        proven_by_ours(&story, &of_authorization(Capture), taken_back()),
        proven_by_ours(&story, &about(Capture, Some("mrk_9"), None), taken_back()),
        proven_by_ours(&story, &of_key, pending()),
        proven_by_ours(&approved(Manual, false), &of_key, taken_back()),
        proven_by_ours(&brought, &of_key, taken_back()),
        // The notice may concern another capture requested at the processor: the money is captured nevertheless.
        proven_by_ours(&story, &of_key, declined()),
        proven_by_ours(&story, &of_authorization(Capture), declined()),
    ];
    assert_snapshot!(lines.join("\n"), @"
    done of mrk_1
    taken back of mrk_1
    taken back of mrk_1
    not asked for
    not asked for
    not asked for
    ask about mrk_1 with its own credentials, because of taken back
    not asked for
    not asked for
    ");
}

/// Returns whether the account may report a dispute of this authorization. `deleted` are the deleted accounts.
fn speaks(
    story: &Story,
    sender: (&str, &str, &ProfileId),
    reference: Option<&str>,
    key: Option<&str>,
    deleted: &[&str],
) -> bool {
    let account = |id: &str| ConnectorAccountId::parse(id).expect("an id");
    let (id, connector, profile) = sender;
    let news = DisputeNews {
        reference: "dis_1".to_owned(),
        authorization_reference: reference.map(str::to_owned),
        authorization_key: key.map(|key| ProcessorKey::parse(key).expect("a key")),
        stage: DisputeStage::Dispute,
        status: DisputeStatus::Opened,
        processor_status: "opened".to_owned(),
        rank: 0,
        money: Money::new(1, story.payment.terms.currency),
        reason: None,
        reason_code: None,
        challenge_required_by: None,
        opened_at: None,
        updated_at: None,
    };
    let account_id = account(id);
    let sender = Sender {
        account: &account_id,
        profile,
        connector,
    };
    let deleted: Vec<_> = deleted.iter().map(|id| account(id)).collect();
    disputed_attempt(&story.payment, sender, &deleted, &news).is_some()
}

#[test]
fn of_a_dispute_the_account_tells_that_took_the_money_or_one_that_speaks_for_it() {
    let stored = approved(Automatic, false);
    let brought = approved(Automatic, true);
    let own = stored.payment.profile_id.clone();
    let another = ProfileId::parse("pro_another").expect("an id");
    let told = |story, account, connector, profile, deleted: &[&str]| {
        speaks(
            story,
            (account, connector, profile),
            Some("ref_1"),
            None,
            deleted,
        )
    };
    let [ours, simulator] = OURS;
    assert!(told(&stored, ours, simulator, &own, &[]));
    assert!(
        told(&stored, ours, simulator, &own, &[ours]),
        "its notices still come"
    );
    assert!(!told(&stored, "mca_2", simulator, &own, &[]));
    assert!(!told(&stored, "mca_2", simulator, &own, &["mca_3"]));
    for (story, deleted) in [(&stored, &[ours][..]), (&brought, &[])] {
        assert!(told(story, "mca_2", simulator, &own, deleted));
        assert!(!told(story, "mca_2", "adyen_test", &own, deleted));
        assert!(!told(story, "mca_2", simulator, &another, deleted));
        let names = |reference, key| {
            let sender = ("mca_2", simulator, &own);
            speaks(story, sender, reference, key, deleted)
        };
        assert!(names(Some("ref_1"), Some("mrk_1")));
        assert!(!names(Some("ref_1"), Some("mrk_2")));
        assert!(!names(Some("ref_2"), Some("mrk_1")));
        assert!(!names(None, Some("mrk_1")), "our key alone proves nothing");
    }
}
