//! Disputes.

use multirail_client::{Error, requests, types};
use multirail_conformance::Shop;
use multirail_conformance::bodies::{DISPUTED, paid_with};
use multirail_conformance::notice::webhook_details;

use crate::disputes::{dispute_id, raised};

#[tokio::test]
async fn disputed_defended_and_given_in() {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    let client = shop.client();
    let payment = shop.creates(paid_with(DISPUTED)).await.ok();
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let id = dispute_id(&dispute);
    let attached = client
        .disputes_attach()
        .dispute_id(id)
        .evidence_type(types::EvidenceType::Receipt)
        .body(b"%PDF-1.7 what was bought has arrived".to_vec())
        .send()
        .await
        .expect("attached");
    let mut challenge = requests::challenge(id);
    challenge.customer_name = Some("Ada Example".to_owned());
    let challenged = client.disputes_challenge().body(challenge).send().await;
    assert_eq!(
        challenged.expect("challenged").dispute_status,
        types::DisputeStatus::DisputeChallenged
    );
    let evidence = client.disputes_retrieve_evidence().dispute_id(id).send();
    let evidence = evidence.await.expect("the evidence").into_inner();
    let file = &evidence.files[0];
    assert_eq!(
        (file.file_id.as_str(), file.content_type.as_str()),
        (attached.file_id.as_str(), "application/pdf")
    );
    assert_eq!(evidence.texts[0].text, "Ada Example");
    let listed = client
        .disputes_profile_list()
        .dispute_status("dispute_challenged")
        .send()
        .await
        .expect("a list");
    assert_eq!(listed[0].dispute_id, id);
    let accepted = client.disputes_accept().dispute_id(id).send().await;
    let accepted = accepted.expect("given in").into_inner();
    assert_eq!(
        accepted.dispute_status,
        types::DisputeStatus::DisputeAccepted
    );
    let again = client.disputes_accept().dispute_id(id).send().await;
    let error = again
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("it is over");
    assert_eq!(error.code(), Some("HE_03"));
    let read = client.disputes_retrieve().dispute_id(id).send().await;
    assert_eq!(read.expect("read").into_inner(), accepted);
}
