use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::BankAccount;
use multirail_sdk::connector::{
    AuthorizeRequest, DeclineCategory, DisputeAt, DisputeLookUps, DisputeStage, DisputeStatus,
    OperationKind, Outcome, Payments,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_simulator::processor::{AccountDoes, RETURN_AFTER_DAYS, TEST_ACCOUNTS, TestAccount};
use multirail_simulator_wire::DebitScheme;

use super::{declined, done};
use crate::simulator::fixture::{Bench, access, authorize_request};

fn request(key: &str, account: &TestAccount) -> AuthorizeRequest {
    let scheme = DebitScheme::parse(account.scheme).expect("a scheme");
    let debited = BankAccount {
        scheme: account.scheme.parse().expect("a scheme"),
        number: SecretText::new(account.number),
        bank_code: (!account.bank_code.is_empty()).then(|| account.bank_code.to_owned()),
        pix_key: None,
        tax_id: None,
        bank_name: None,
        bank_branch: None,
        bank_country: None,
        bank_city: None,
        holder_name: Some("Ada Okafor".to_owned()),
        kind: None,
        holder_kind: None,
        unread: UnreadMembers::default(),
    };
    AuthorizeRequest {
        money: Money::new(6540, scheme.currencies[0]),
        data: PaymentMethodData::BankDebit(Box::new(debited)),
        ..authorize_request(key, "4111111111111111", 6540, true)
    }
}

async fn debit(bench: &Bench, key: &str, account: &TestAccount) -> Outcome {
    bench.connector.authorize(request(key, account)).await
}

/// Returns the words of the table for what an account does.
async fn words(bench: &Bench, key: &str, account: &TestAccount) -> &'static str {
    let outcome = debit(bench, key, account).await;
    if !matches!(outcome, Outcome::Pending { .. }) {
        let decline = declined(outcome);
        assert_eq!(decline.message, "Payment declined: Account closed");
        assert_eq!(
            decline.category,
            Some(DeclineCategory::AccountClosedOrInvalid)
        );
        return "refused at once: closed";
    }
    match bench.look_up(OperationKind::Authorize, key).await {
        Outcome::Done(_) if account.does == AccountDoes::Return => {
            "pays, and is returned three days later"
        }
        Outcome::Done(_) => "pays",
        Outcome::Declined(decline) => {
            assert_eq!(decline.category, Some(DeclineCategory::InsufficientFunds));
            "fails later: no funds"
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_documented_accounts_behave_as_documented() {
    let written = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../TEST_CARDS.md"));
    let bench = Bench::new("fauxpay");
    for (index, account) in TEST_ACCOUNTS.iter().enumerate() {
        let TestAccount {
            scheme,
            number,
            bank_code,
            ..
        } = account;
        let does = words(&bench, &format!("k{index}"), account).await;
        let bank = match bank_code.is_empty() {
            true => String::new(),
            false => format!(" {bank_code}"),
        };
        let row = format!("| `{scheme}` | {number} |{bank} | {does} |");
        assert!(written.contains(&row), "server/TEST_CARDS.md needs:\n{row}");
    }
    let unknown = TestAccount {
        number: "DE78370400440532013004",
        ..TEST_ACCOUNTS[0]
    };
    let decline = declined(debit(&bench, "unknown", &unknown).await);
    assert_eq!(decline.message, "Payment declined: No such account");
}

#[tokio::test]
async fn a_debit_is_returned_three_days_after_it_was_paid() {
    let bench = Bench::new("fauxpay");
    let returning = TEST_ACCOUNTS
        .iter()
        .find(|account| account.does == AccountDoes::Return);
    let outcome = debit(&bench, "a", returning.expect("an account")).await;
    let Outcome::Pending { reference } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
    let dispute = || DisputeAt {
        access: access(),
        reference: format!("{}_dispute", reference.clone().expect("a reference")),
        stage: DisputeStage::Dispute,
        authorization_key: request("a", &TEST_ACCOUNTS[0]).key,
        authorization_reference: None,
        money: request("a", &TEST_ACCOUNTS[0]).money,
        reason: None,
        reason_code: None,
    };
    let before = bench.connector.find_dispute(dispute()).await;
    assert!(before.is_err(), "{before:?}");
    bench.clock.advance(RETURN_AFTER_DAYS * 86_400);
    let opened = bench
        .connector
        .find_dispute(dispute())
        .await
        .expect("a dispute");
    assert_eq!(opened.status, DisputeStatus::Opened);
    assert_eq!(opened.reason_code.as_deref(), Some("MD06"));
    assert_eq!(opened.challenge_required_by, None);
    bench.clock.advance(60);
    let lost = bench
        .connector
        .find_dispute(dispute())
        .await
        .expect("a dispute");
    assert_eq!(lost.status, DisputeStatus::Lost);
}

#[tokio::test]
async fn a_debit_that_no_scheme_takes_is_refused() {
    let bench = Bench::new("fauxpay");
    let mut dollars = request("a", &TEST_ACCOUNTS[0]);
    dollars.money = Money::new(6540, Currency::USD);
    let mut reserved = request("b", &TEST_ACCOUNTS[0]);
    reserved.capture = false;
    for refused in [dollars, reserved] {
        let outcome = bench.connector.authorize(refused).await;
        assert!(
            matches!(
                outcome,
                Outcome::Declined(_) | Outcome::NeverHappened { .. }
            ),
            "{outcome:?}"
        );
    }
}
