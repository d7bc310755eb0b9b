//! `multirail connector certify`: the suite's stories through test accounts, which are those of stand-ins here.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_peers::stripe::Stripe;
use multirail_peers::{Call, Document, Peer, Processor, Reply, StandIn, system_time};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::PROCESSORS;
use crate::backup::{Said, multirail_with};

/// A merchant's test account at a stand-in, and the files that name it.
struct Account {
    peer: Peer,
    files: TempDir,
    account: Value,
}

impl Account {
    async fn open(connector: &str, stand_in: &dyn StandIn, processor: Arc<dyn Processor>) -> Self {
        let peer = Peer::start(processor).await;
        let files = tempfile::tempdir().expect("a folder");
        let certificate = files.path().join("authority.pem");
        std::fs::write(certificate, peer.certificate_pem()).expect("a file");
        Account {
            account: json!({
                "connector_name": connector,
                "connector_account_details": stand_in.credentials(),
                "metadata": stand_in.metadata(&peer.origin()),
                "test_mode": true,
            }),
            peer,
            files,
        }
    }

    /// Certifies the account with these members changed.
    async fn certifies(&self, changes: Value) -> Said {
        let mut account = self.account.clone();
        for (member, value) in changes.as_object().expect("members") {
            account[member] = value.clone();
        }
        let file = self.files.path().join("account.json");
        std::fs::write(&file, account.to_string()).expect("a file");
        let authority = self.files.path().join("authority.pem");
        let (authority, text) = (authority.to_string_lossy(), account.to_string());
        let settings = [
            ("MULTIRAIL_CONNECTOR_ALLOWED_TARGETS", "127.0.0.1"),
            (
                "MULTIRAIL_CONNECTOR_TRUSTED_CERTIFICATES",
                authority.as_ref(),
            ),
            ("ACCOUNT_OF_THE_SHOP", text.as_str()),
        ];
        // The same account, from its file or from the environment.
        let file = file.to_string_lossy();
        let place = match changes["test_mode"].is_null() {
            true => file.as_ref(),
            false => "ACCOUNT_OF_THE_SHOP",
        };
        let arguments = ["connector", "certify", "--account", place];
        let said = multirail_with(self.files.path(), &arguments, &settings).await;
        let key = account["connector_account_details"]["api_key"].as_str();
        let key = key.expect("a key");
        assert!(!format!("{said:?}").contains(key), "{said:?}");
        said
    }
}

/// The table at the end shows every story.
#[tokio::test(flavor = "multi_thread")]
async fn every_story_agrees_with_the_stand_ins() {
    let mut told = String::new();
    for (connector, make) in PROCESSORS {
        let stand_in = make();
        let account = Account::open(connector, &*stand_in, stand_in.clone()).await;
        let said = account.certifies(json!({})).await;
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
        let (_, table) = said.out.split_once("\n\n").expect("a table");
        told += &format!("{connector}\n{table}");
    }
    insta::assert_snapshot!(told, @"
    adyen
    story                     result
    credentials               agrees
    paid at once              agrees
    reserved and captured     agrees
    captured in part          agrees
    declined card             agrees
    refunded                  agrees
    refunded in part          agrees
    voided                    agrees
    saved card charged again  agrees
    3-D Secure                agrees
    repeated key              agrees
    unknown key               not offered
    affirm                    agrees
    afterpay_clearpay         agrees
    ali_pay                   agrees
    sepa_bank_transfer        agrees
    bancontact_card           agrees
    blik                      agrees
    boleto                    agrees
    cashapp                   agrees
    eps                       agrees
    ideal                     agrees
    klarna                    agrees
    mobile_pay                agrees
    multibanco                agrees
    online_banking_poland     agrees
    oxxo                      agrees
    paypal                    agrees
    pix                       agrees
    swish                     agrees
    trustly                   agrees
    twint                     agrees
    upi_collect               agrees
    upi_qr                    agrees
    vipps                     agrees
    we_chat_pay               agrees
    ach                       agrees
    bacs                      agrees
    sepa                      agrees

    checkout
    story                     result
    credentials               agrees
    paid at once              agrees
    reserved and captured     agrees
    captured in part          agrees
    declined card             agrees
    refunded                  agrees
    refunded in part          agrees
    voided                    agrees
    saved card charged again  agrees
    3-D Secure                agrees
    repeated key              agrees
    unknown key               agrees

    stripe
    story                     result
    credentials               agrees
    paid at once              agrees
    reserved and captured     agrees
    captured in part          agrees
    declined card             agrees
    refunded                  agrees
    refunded in part          agrees
    voided                    agrees
    saved card charged again  agrees
    3-D Secure                agrees
    repeated key              agrees
    unknown key               agrees
    affirm                    agrees
    afterpay_clearpay         agrees
    ali_pay                   agrees
    bancontact_card           agrees
    blik                      agrees
    boleto                    agrees
    cashapp                   agrees
    eps                       agrees
    ideal                     agrees
    klarna                    agrees
    mobile_pay                agrees
    multibanco                agrees
    oxxo                      agrees
    online_banking_poland     agrees
    przelewy24                agrees
    paypal                    agrees
    pix                       agrees
    swish                     agrees
    twint                     agrees
    upi_intent                agrees
    upi_qr                    agrees
    we_chat_pay               agrees
    ach                       agrees
    bacs                      agrees
    becs                      agrees
    sepa                      agrees
    ");
}

/// A stand-in of Stripe that refuses every capture.
struct WithoutCaptures(Arc<Stripe>);

#[async_trait]
impl Processor for WithoutCaptures {
    fn document(&self) -> &'static Document {
        self.0.document()
    }

    async fn answer(&self, call: Call) -> Reply {
        match call.operation.ends_with("/capture") {
            true => self.0.refuse("captures are switched off"),
            false => self.0.answer(call).await,
        }
    }

    fn refuse(&self, message: &str) -> Reply {
        self.0.refuse(message)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_processor_that_differs_is_told_apart() {
    let stripe = Arc::new(Stripe::new(system_time));
    let processor = Arc::new(WithoutCaptures(Arc::clone(&stripe)));
    let account = Account::open("stripe", &*stripe, processor).await;
    let said = account.certifies(json!({})).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    let differs = said.out.lines().filter(|line| line.contains(": differs"));
    let differs: Vec<_> = differs.chain(said.err.lines()).collect();
    insta::assert_snapshot!(differs.join("\n"), @"
    reserved and captured: differs: expected done for 65.40 USD, got declined (parameter_unknown: captures are switched off)
    captured in part: differs: expected done for 20.00 USD, got declined (parameter_unknown: captures are switched off)
    multirail: 2 of 38 stories differ
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_may_be_live_is_refused_before_a_request() {
    let stripe = Arc::new(Stripe::new(system_time));
    let account = Account::open("stripe", &*stripe, stripe.clone()).await;
    let live = json!({ "auth_type": "HeaderKey", "api_key": "sk_live_51peerpeerpeerpeer" });
    let table = [
        json!({ "connector_account_details": live }),
        json!({ "test_mode": false }),
        json!({ "metadata": { "base_url": "https://api.example" } }),
        json!({ "connector_name": "fauxpay" }),
        json!({ "connector_name": "nobody" }),
        json!({ "connector_account_details": { "auth_type": "BodyKey", "api_key": "sk_test_1", "key1": "1" } }),
        json!({ "currency": "EUR" }),
    ];
    let mut told = Vec::new();
    for changes in table {
        let said = account.certifies(changes).await;
        told.push(format!(
            "{:?} {}{}",
            said.code,
            said.out,
            said.err.trim_end()
        ));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    Some(1) multirail: the account may be live: connector_account_details.api_key has to be of test mode: it begins with sk_test_ or rk_test_
    Some(1) multirail: the account may be live: test_mode has to be true
    Some(1) multirail: the account may be live: metadata.base_url may lead to this machine only
    Some(1) multirail: connector_name fauxpay can't be certified: it has no test mode here
    Some(1) multirail: connector_name nobody can't be certified: it has no test mode here
    Some(1) multirail: connector_account_details.auth_type is not in the expected form: HeaderKey, which stripe takes
    Some(2) multirail: --account has to be a JSON object with connector_name, connector_account_details, test_mode and optionally metadata, as for a connector account
    ");
    assert_eq!(account.peer.requests(), 0, "the processor wasn't asked");
}
