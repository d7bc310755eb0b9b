use multirail_sdk::connector::advice::of_category;
use multirail_sdk::connector::{Decline, IssuerWords};

use super::*;

fn decline(category: Option<DeclineCategory>) -> Decline {
    Decline {
        code: "51".to_owned(),
        message: "Sorry".to_owned(),
        category,
        ..Decline::default()
    }
}

fn row(message: &str, decision: Decision) -> ErrorMapping {
    let said = Said {
        status: "failure".to_owned(),
        decision,
        step_up_possible: false,
        router_error: None,
        error_category: Some(ErrorCategory::SoftDecline),
        unified_code: Some("SHOP_7".to_owned()),
        unified_message: None,
        standardised_code: Some(DeclineCategory::InsufficientFunds),
        description: None,
        user_guidance_message: None,
        unread: UnreadMembers::default(),
    };
    ErrorMapping::create(
        MappingKey::for_authorization("fauxpay", "51", message),
        said,
        Timestamp::EPOCH,
    )
}

#[test]
fn what_may_have_moved_money_is_never_tried_elsewhere() {
    for category in [
        DeclineCategory::DuplicateRequest,
        DeclineCategory::TransactionTimedOut,
        DeclineCategory::InvalidState,
    ] {
        let (_, decision, steps_up) = of_category(category);
        assert_eq!(
            (decision, steps_up),
            (Decision::DoDefault, false),
            "{category}"
        );
    }
}

#[test]
fn the_words_of_a_processor_win_over_its_code_alone() {
    let rows: ErrorMappings = [row("", Decision::DoDefault), row("Sorry", Decision::Retry)]
        .into_iter()
        .collect();
    let decision = |message| {
        rows.find("fauxpay", "51", message)
            .map(|row| row.said.decision)
    };
    assert_eq!(decision("Sorry"), Some(Decision::Retry));
    assert_eq!(decision("Sorry again"), Some(Decision::DoDefault));
    assert_eq!(rows.find("stripe_test", "51", "Sorry"), None);
}

#[test]
fn a_stored_mapping_says_what_the_refusal_is() {
    let mut told = decline(Some(DeclineCategory::DoNotHonor));
    advise(&mut told, Some(&row("", Decision::Retry)));
    assert_eq!(told.category, Some(DeclineCategory::InsufficientFunds));
    let advice = told.advice.expect("an advice");
    assert_eq!(advice.decision, Decision::Retry);
    assert_eq!(advice.unified_code.as_deref(), Some("SHOP_7"));
}

#[test]
fn without_a_mapping_the_category_decides_and_without_one_nothing_is_tried() {
    let decision = |category, stored: Option<ErrorMapping>| {
        let mut told = decline(category);
        advise(&mut told, stored.as_ref());
        told.advice.expect("an advice").decision
    };
    let soft = Some(DeclineCategory::DoNotHonor);
    assert_eq!(decision(soft, None), Decision::Retry);
    assert_eq!(decision(None, None), Decision::DoDefault);
    let taken_away = ErrorMapping {
        is_deleted: true,
        ..row("", Decision::Retry)
    };
    assert_eq!(decision(soft, Some(taken_away)), Decision::DoDefault);
}

#[test]
fn schemes_forbid() {
    let advised = |code: &str, words: &str| {
        let issuer = IssuerWords {
            advice_code: Some(code.to_owned()),
            advice_message: Some(words.to_owned()),
            ..IssuerWords::default()
        };
        Decline {
            issuer: Some(Box::new(issuer)),
            ..decline(None)
        }
        .forbids_another_try()
    };
    assert!(advised("03", "Do not try again"));
    assert!(advised("24", "do_not_try_again"));
    assert!(!advised("02", "Try again later"));
    assert!(!decline(None).forbids_another_try());
}
