//! The event classes and types that a caller asks for. (Specification 4.1, 6)

use multirail_kernel::event::EventType;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

/// Every class of the contract with its types. Callers can also ask for types that nothing emits yet.
const CLASSES: [(&str, &[&str]); 6] = [
    (
        "payments",
        &[
            "payment_succeeded",
            "payment_failed",
            "payment_processing",
            "payment_cancelled",
            "payment_cancelled_post_capture",
            "payment_authorized",
            "payment_partially_authorized",
            "payment_captured",
            "payment_expired",
            "action_required",
        ],
    ),
    ("refunds", &["refund_succeeded", "refund_failed"]),
    (
        "disputes",
        &[
            "dispute_opened",
            "dispute_expired",
            "dispute_accepted",
            "dispute_cancelled",
            "dispute_challenged",
            "dispute_won",
            "dispute_lost",
        ],
    ),
    ("mandates", &["mandate_active", "mandate_revoked"]),
    (
        "payouts",
        &[
            "payout_success",
            "payout_failed",
            "payout_initiated",
            "payout_processing",
            "payout_cancelled",
            "payout_expired",
            "payout_reversed",
        ],
    ),
    ("subscriptions", &["invoice_paid"]),
];

/// The types that a filter's classes and types select together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedTypes {
    All,
    /// These types. The list is empty if nothing emits the types that were asked for.
    These(Vec<EventType>),
}

/// Resolves classes to types. If there are classes, each type has to belong to one of them. A class without a named type
/// contributes all of its types.
///
/// # Errors
/// [`Refusal::InvalidValue`] for a type outside the classes, [`Refusal::Malformed`] for an unknown word.
pub fn wanted_types(classes: &[&str], types: &[&str]) -> Result<WantedTypes, Refusal> {
    if classes.is_empty() && types.is_empty() {
        return Ok(WantedTypes::All);
    }
    let mut named = Vec::with_capacity(types.len());
    for word in types {
        let (class, _) = CLASSES
            .iter()
            .find(|(_, types)| types.contains(word))
            .ok_or_else(|| unknown("event_types"))?;
        if !classes.is_empty() && !classes.contains(class) {
            return Err(Refusal::invalid_value(format!(
                "event_types: {word} belongs to the class {class}, which event_classes doesn't name"
            )));
        }
        named.push(*word);
    }
    let mut wanted = named.clone();
    for word in classes {
        let (_, of_class) = CLASSES
            .iter()
            .find(|(class, _)| class == word)
            .ok_or_else(|| unknown("event_classes"))?;
        if !of_class.iter().any(|one| named.contains(one)) {
            wanted.extend(*of_class);
        }
    }
    let emitted = EventType::ALL.iter().copied();
    let emitted = emitted.filter(|one| wanted.contains(&one.as_str()));
    Ok(WantedTypes::These(emitted.collect()))
}

/// Checks a period that includes both ends.
///
/// # Errors
/// [`Refusal::InvalidValue`] if it ends before it begins.
pub fn check_period(after: Option<Timestamp>, before: Option<Timestamp>) -> Result<(), Refusal> {
    match (after, before) {
        (Some(after), Some(before)) if after > before => Err(Refusal::invalid_value(
            "created_after can't be later than created_before",
        )),
        (Some(_) | None, Some(_) | None) => Ok(()),
    }
}

fn unknown(member: &str) -> Refusal {
    Refusal::Malformed {
        member: member.to_owned(),
        why: "has a word that this version doesn't know".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EventType::{MandateActive, MandateRevoked, PaymentFailed, PaymentSucceeded, RefundFailed};
    use multirail_kernel::event::EventClass;

    #[test]
    fn every_type_stands_under_its_class() {
        for event_type in EventType::ALL {
            let class = event_type.class().as_str();
            let (_, types) = CLASSES
                .iter()
                .find(|(name, _)| *name == class)
                .expect("a class");
            assert!(types.contains(&event_type.as_str()), "{event_type}");
        }
        let all: Vec<&str> = CLASSES
            .iter()
            .flat_map(|(_, types)| *types)
            .copied()
            .collect();
        assert_eq!(all.len(), 29);
    }

    #[test]
    fn without_classes_and_types_everything_is_wanted() {
        assert_eq!(wanted_types(&[], &[]), Ok(WantedTypes::All));
    }

    #[test]
    fn types_alone_are_wanted_as_they_are() {
        let wanted = wanted_types(
            &[],
            &["payment_failed", "payment_succeeded", "payout_success"],
        );
        let both = vec![PaymentSucceeded, PaymentFailed];
        assert_eq!(wanted, Ok(WantedTypes::These(both)));
    }

    #[test]
    fn a_class_without_a_named_type_contributes_all_of_its_types() {
        let of = |class: EventClass| {
            let all = EventType::ALL.iter().copied();
            all.filter(move |one| one.class() == class)
        };
        let payments = || of(EventClass::Payments);
        let wanted = |types: Vec<EventType>| Ok(WantedTypes::These(types));
        assert_eq!(
            wanted_types(&["payments"], &[]),
            wanted(payments().collect())
        );
        assert_eq!(
            wanted_types(&["payments", "refunds"], &["refund_failed"]),
            wanted(payments().chain([RefundFailed]).collect())
        );
        assert_eq!(
            wanted_types(&["payments", "mandates"], &["payment_failed"]),
            wanted(vec![PaymentFailed, MandateActive, MandateRevoked]),
            "of mandates everything is wanted"
        );
    }

    #[test]
    fn what_nothing_emits_can_be_asked_for() {
        let nothing = Ok(WantedTypes::These(Vec::new()));
        assert_eq!(wanted_types(&["payouts"], &[]), nothing);
        assert_eq!(wanted_types(&[], &["payout_success"]), nothing);
    }

    #[test]
    fn a_type_outside_the_classes_is_refused() {
        let refused = wanted_types(&["refunds", "disputes"], &["payment_failed"]);
        let Err(Refusal::InvalidValue { message }) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(
            message,
            "event_types: payment_failed belongs to the class payments, which event_classes doesn't name"
        );
        for (classes, types) in [(&["payment"][..], &[][..]), (&[], &["payment_won"])] {
            let refused = wanted_types(classes, types);
            assert!(matches!(refused, Err(Refusal::Malformed { .. })));
        }
    }

    #[test]
    fn a_period_may_be_a_single_moment_and_not_less() {
        let at = |seconds| Some(Timestamp::EPOCH.plus_seconds(seconds).expect("in range"));
        assert!(check_period(at(1), at(1)).is_ok());
        assert!(check_period(at(2), None).is_ok() && check_period(None, at(2)).is_ok());
        assert!(matches!(
            check_period(at(2), at(1)),
            Err(Refusal::InvalidValue { .. })
        ));
    }
}
