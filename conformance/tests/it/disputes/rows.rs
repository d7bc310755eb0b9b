//! The transitions between stages and statuses, and those from which the merchant may accept: the tables row by row,
//! by notices and by requests.

use multirail_conformance::Shop;
use multirail_conformance::notice::disputed;
use multirail_conformance::patience::until;
use serde_json::{Value, json};

use super::evidence::{PDF, attaches};
use super::{challenges, on, paid, raised, shop_with_notice_secret, tells};

const STAGES: [&str; 5] = [
    "pre_dispute",
    "dispute",
    "pre_arbitration",
    "arbitration",
    "dispute_reversal",
];

const STATUSES: [&str; 7] = [
    "dispute_opened",
    "dispute_challenged",
    "dispute_expired",
    "dispute_accepted",
    "dispute_cancelled",
    "dispute_won",
    "dispute_lost",
];

/// Waits until every notice was read.
async fn all_is_heard(shop: &Shop) {
    let waiting = shop.server.operator("notices_list");
    let waiting = waiting.query("status", "waiting");
    until(
        "no notice waits",
        async || waiting.clone().await.ok(),
        |waiting| *waiting == json!([]),
    )
    .await;
}

fn standing(dispute: &Value) -> (&str, &str) {
    let text = |member: &str| dispute[member].as_str().expect("a word");
    (text("dispute_stage"), text("dispute_status"))
}

/// Checks one transition for each pair. After a notice of the second, the dispute has the second if `may` allows it,
/// else the first.
async fn follows(pairs: &[[(&str, &str); 2]], may: impl Fn(&[(&str, &str); 2]) -> bool) {
    let shop = shop_with_notice_secret().await;
    let mut disputes = Vec::new();
    for [before, _] in pairs {
        let payment = paid(&shop).await;
        let dispute = raised(&shop, &payment, before.0, before.1).await;
        disputes.push((payment, dispute));
    }
    for ([_, (stage, status)], (payment, _)) in pairs.iter().zip(&disputes) {
        tells(&shop, &disputed(payment, stage, status)).await;
    }
    all_is_heard(&shop).await;
    for (pair, (_, dispute)) in pairs.iter().zip(&disputes) {
        let now = on(&shop, "disputes_retrieve", dispute).await.ok();
        let [before, after] = *pair;
        let expected = if may(pair) { after } else { before };
        assert_eq!(standing(&now), expected, "{before:?} then {after:?}");
    }
}

#[tokio::test]
async fn a_stage_follows_those_before_it() {
    let pairs = STAGES.iter().flat_map(|from| {
        let to = STAGES.iter();
        to.map(move |to| [(*from, "dispute_opened"), (*to, "dispute_opened")])
    });
    let pairs: Vec<_> = pairs.collect();
    let place = |stage: &str| STAGES.iter().position(|one| *one == stage);
    follows(&pairs, |[before, after]| place(before.0) <= place(after.0)).await;
}

#[tokio::test]
async fn within_a_stage_a_final_status_stays() {
    let pairs = STATUSES.iter().flat_map(|from| {
        let to = STATUSES.iter();
        to.map(move |to| [("dispute", *from), ("dispute", *to)])
    });
    let pairs: Vec<_> = pairs.collect();
    follows(&pairs, |[before, after]| match before.1 {
        "dispute_opened" => true,
        "dispute_challenged" => after.1 != "dispute_opened",
        _ => after.1 == before.1,
    })
    .await;
}

#[tokio::test]
async fn a_merchant_accepts_open_disputes() {
    let shop = shop_with_notice_secret().await;
    for stage in STAGES {
        for status in STATUSES {
            let payment = paid(&shop).await;
            let dispute = raised(&shop, &payment, stage, status).await;
            let is_open = ["dispute_opened", "dispute_challenged"].contains(&status);
            let answer = on(&shop, "disputes_accept", &dispute).await;
            if is_open && stage != "dispute_reversal" {
                let accepted = answer.ok();
                assert_eq!(standing(&accepted), (stage, "dispute_accepted"), "{status}");
            } else {
                answer.refused(400, "HE_03");
                let still = on(&shop, "disputes_retrieve", &dispute).await.ok();
                assert_eq!(still, dispute, "{stage} {status}");
            }
        }
    }
    let nobodys = json!({ "dispute_id": "dp_of_nobody" });
    let answer = on(&shop, "disputes_accept", &nobodys).await;
    answer.refused(404, "HE_04");
}

/// Texts can be submitted wherever a merchant may accept. A file is stored only for a chargeback that was just
/// opened.
#[tokio::test]
async fn a_merchant_challenges_open_disputes() {
    let shop = shop_with_notice_secret().await;
    for stage in STAGES {
        for status in STATUSES {
            let payment = paid(&shop).await;
            let dispute = raised(&shop, &payment, stage, status).await;
            let attached = attaches(&shop, &dispute, "receipt", PDF).await;
            if (stage, status) == ("dispute", "dispute_opened") {
                attached.ok();
            } else {
                attached.refused(400, "HE_03");
            }
            let is_open = ["dispute_opened", "dispute_challenged"].contains(&status);
            let answer = challenges(&shop, &dispute, "customer_name", "Ada").await;
            if is_open && stage != "dispute_reversal" {
                let challenged = answer.ok();
                let expected = (stage, "dispute_challenged");
                assert_eq!(standing(&challenged), expected, "{status}");
            } else {
                answer.refused(400, "HE_03");
            }
        }
    }
}
