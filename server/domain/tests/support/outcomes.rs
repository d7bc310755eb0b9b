//! Short builders of processors' answers.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Approval, Decline, Hold, Outcome, PayerStep, Review, ShownStep, StepForm, StepKind,
    UnknownReason,
};

/// Done, without an amount.
pub fn done() -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        ..Approval::default()
    })
}

/// Done for this amount.
pub fn done_for(amount_minor: i64) -> Outcome {
    done_in(amount_minor, "USD")
}

/// A capture of this amount, after which the processor releases the rest.
pub fn leaving_nothing(amount_minor: i64) -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        amount_minor: Some(amount_minor),
        currency: Some("USD".to_owned()),
        leaves_nothing: true,
        ..Approval::default()
    })
}

/// Done for this amount of this currency.
pub fn done_in(amount_minor: i64, currency: &str) -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        amount_minor: Some(amount_minor),
        currency: Some(currency.to_owned()),
        ..Approval::default()
    })
}

/// Done for this amount, and held for the merchant's decision.
pub fn held_for(amount_minor: i64) -> Outcome {
    let Outcome::Done(approval) = done_for(amount_minor) else {
        unreachable!()
    };
    let review = Review {
        screened_by: "screening".to_owned(),
        ..Review::default()
    };
    Outcome::Done(Approval {
        review: Some(Box::new(review)),
        ..approval
    })
}

/// Done, and valid until `end`.
pub fn done_until(end: Timestamp) -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        hold: Some(Box::new(Hold {
            capture_before: Some(end),
            ..Hold::default()
        })),
        ..Approval::default()
    })
}

/// Done, with this limit of captures.
pub fn done_up_to(most_capturable: i64) -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        hold: Some(Box::new(Hold {
            most_capturable: Some(most_capturable),
            ..Hold::default()
        })),
        ..Approval::default()
    })
}

/// Refused finally.
pub fn declined() -> Outcome {
    Outcome::Declined(Decline {
        code: "DC_08".to_owned(),
        message: "Payment declined: Card declined".to_owned(),
        ..Decline::default()
    })
}

/// Reversed after it was done.
pub fn taken_back() -> Outcome {
    Outcome::Declined(Decline {
        code: "returned".to_owned(),
        message: "The bank sent it back".to_owned(),
        takes_back: true,
        ..Decline::default()
    })
}

/// A capture refused because the authorization no longer exists.
pub fn gone() -> Outcome {
    Outcome::Declined(Decline {
        code: "DC_13".to_owned(),
        message: "The authorization is over".to_owned(),
        authorization_gone: true,
        ..Decline::default()
    })
}

/// The payer failed authentication.
pub fn not_authenticated() -> Outcome {
    Outcome::Declined(Decline {
        code: "DC_09".to_owned(),
        message: "The payer did not approve".to_owned(),
        in_authentication: true,
        ..Decline::default()
    })
}

/// The payer has to visit the processor's page.
pub fn redirect() -> Outcome {
    Outcome::CustomerMustAct {
        reference: Some("ref_1".to_owned()),
        step: PayerStep::page("https://processor.example/page".to_owned()),
    }
}

/// The payer has to transfer 65.40, of which this part has arrived.
pub fn transfer(amount_received: i64) -> Outcome {
    let shown = ShownStep {
        text: Some("123456789".to_owned()),
        amount_received: Some(amount_received),
        amount_remaining: Some(6540 - amount_received),
        ..ShownStep::new(StepForm::BankTransfer)
    };
    Outcome::CustomerMustAct {
        reference: Some("ref_1".to_owned()),
        step: PayerStep {
            kind: StepKind::Shown(Box::new(shown)),
            expires_at: None,
        },
    }
}

/// The processor needs the data of the payer's device.
pub fn device_data() -> Outcome {
    Outcome::DeviceDataNeeded {
        reference: Some("ref_1".to_owned()),
        url: "https://processor.example/method".to_owned(),
    }
}

/// The processor will answer later.
pub fn pending() -> Outcome {
    Outcome::Pending {
        reference: Some("ref_1".to_owned()),
    }
}

/// The processor accepted no request.
pub fn never_happened() -> Outcome {
    Outcome::turned_away("no such operation")
}

/// No answer in time.
pub fn unknown() -> Outcome {
    Outcome::Unknown(UnknownReason::Timeout)
}

/// Returns a short text for an outcome, for snapshots.
pub fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(Approval {
            review: Some(_), ..
        }) => "held".to_owned(),
        Outcome::Done(Approval {
            amount_minor,
            currency,
            ..
        }) => {
            let amount = amount_minor.map(|amount| format!(" {amount}"));
            let other = currency.as_deref().filter(|named| *named != "USD");
            let other = other.map(|named| format!(" {named}"));
            format!(
                "done{}{}",
                amount.unwrap_or_default(),
                other.unwrap_or_default()
            )
        }
        Outcome::CustomerMustAct { .. } => "customer must act".to_owned(),
        Outcome::DeviceDataNeeded { .. } => "device data needed".to_owned(),
        Outcome::Declined(decline) if decline.in_authentication => "auth failed".to_owned(),
        Outcome::Declined(decline) if decline.authorization_gone => "gone".to_owned(),
        Outcome::Declined(decline) if decline.takes_back => "taken back".to_owned(),
        Outcome::Declined(_) => "declined".to_owned(),
        Outcome::Pending { .. } => "pending".to_owned(),
        Outcome::NeverHappened { .. } => "never happened".to_owned(),
        Outcome::Unknown(reason) => format!("unknown ({reason})"),
    }
}
