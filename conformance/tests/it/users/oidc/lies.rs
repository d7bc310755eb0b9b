//! False statements of a provider, or of an attacker in between.

use std::time::Duration;

use multirail_conformance::identity_provider::Lie;
use multirail_server::config::Setting;

use super::{Scene, begin};

#[tokio::test]
async fn no_token_is_believed_that_is_not_the_providers_about_this_sign_in() {
    let scene = Scene::open().await;
    scene.knows("ada");
    scene.invites("ada", "org_admin").await;
    // Ada is linked already, so only the token can prevent the sign-in.
    scene.signs_in("ada").await.ok();
    for lie in [
        Lie::OtherIssuer,
        Lie::OtherAudience,
        Lie::OtherAudienceToo,
        Lie::OtherParty,
        Lie::OtherNonce,
        Lie::NoNonce,
        Lie::Expired,
        Lie::FromTheFuture,
        Lie::BrokenSignature,
        Lie::ForgedSignature,
        Lie::UnlistedKey,
        Lie::Unsigned,
        Lie::SignedBySecret,
        Lie::SignedByPublicKey,
        Lie::NoIdToken,
        Lie::NoJwt,
        Lie::RefusesCodes,
    ] {
        scene.provider.lies(lie);
        let refused = scene.signs_in("ada").await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (400, &serde_json::json!("UR_46")),
            "{lie:?}"
        );
        // The refusal doesn't say which check failed.
        assert_eq!(
            refused.body["message"],
            "the identity provider did not confirm who you are: begin anew",
            "{lie:?}"
        );
    }
    scene.provider.lies(None);
    scene.signs_in("ada").await.ok();
}

#[tokio::test]
async fn a_provider_that_fails_keeps_out_for_as_long_as_it_does() {
    let scene = Scene::with(|inputs| inputs.with(Setting::ProcessorDeadlineMs, "2000")).await;
    scene.knows("ada");
    scene.invites("ada", "merchant_operator").await;
    for lie in [Lie::AnswersHtml, Lie::AnswersTooMuch, Lie::SaysNothing] {
        scene.provider.lies(lie);
        let refused = scene.signs_in("ada").await;
        assert!(refused.header("retry-after").is_some(), "{lie:?}");
        let message = refused.refused(503, "HE_00");
        assert!(message.contains("identity provider"), "{lie:?}: {message}");
    }
    scene.provider.lies(None);
    scene.signs_in("ada").await.ok();
}

#[tokio::test]
async fn a_provider_that_tells_no_truth_of_itself_is_not_gone_to() {
    for lie in [
        Lie::NamesAnotherIssuer,
        Lie::IsDown,
        Lie::DocumentTooLong,
        Lie::SendsElsewhere,
    ] {
        let scene = Scene::open().await;
        scene.provider.lies(lie);
        begin(&scene.server).await.refused(503, "HE_00");
        // Concurrent sign-ins don't multiply the calls.
        let all = (0..10).map(|_| {
            let call = begin(&scene.server);
            async move { call.await.status }
        });
        let statuses = futures::future::join_all(all).await;
        assert!(statuses.iter().all(|status| *status == 503), "{statuses:?}");
        assert!(scene.provider.was_asked("document") <= 5, "{lie:?}");
        // The provider is called again after a while.
        scene.provider.lies(None);
        let mut tries = 0;
        while begin(&scene.server).await.status != 200 {
            tries += 1;
            assert!(tries < 45, "{lie:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test]
async fn another_key_of_the_provider_is_asked_for_when_it_is_used() {
    let scene = Scene::open().await;
    scene.knows("ada");
    scene.invites("ada", "merchant_operator").await;
    scene.signs_in("ada").await.ok();
    scene.provider.changes_keys();
    scene.signs_in("ada").await.ok();
    scene.signs_in("ada").await.ok();
    assert_eq!(scene.provider.was_asked("keys"), 2);
    // An unlisted key makes the server fetch the keys once for each sign-in, and no more.
    scene.provider.lies(Lie::UnlistedKey);
    scene.signs_in("ada").await.refused(400, "UR_46");
    assert_eq!(scene.provider.was_asked("keys"), 3);
}
