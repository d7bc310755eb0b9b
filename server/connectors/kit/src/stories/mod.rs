//! The stories that a processor has to agree with. The suite of the connectors plays them against stand-ins, and
//! `multirail connector certify` against a merchant's test account.
//!
//! A story asks a processor through its connector, and checks the answers alone. The suite looks into the stand-in's books too.

mod asked;
mod cards;
mod debits;
mod difference;
mod keeping;
mod keys;
mod methods;
mod stage;

use std::future::Future;
use std::pin::Pin;

use multirail_sdk::connector::{Capabilities, OperationKind, Recovery};
use multirail_sdk::payer_method::PayerMethodRules;

pub use asked::{Asked, Authorization, What};
pub use cards::{
    authenticated_by_payer, captured, declined, paid_at_once, refunded, released, reserved,
};
pub use debits::{debited, debits};
pub use difference::{Difference, described, refused_for_good};
pub use keeping::charged_again;
pub use keys::{credentials_accepted, repeated_key, unknown_key};
pub use methods::{Away, ask, asked_by, covers, payer, sent_away, sent_away_as};
pub use stage::{RETURN_URL, Stage, finish, look_up, recovery, send};

/// The verdict of a story.
pub type Played<'a> = Pin<Box<dyn Future<Output = Result<(), Difference>> + Send + 'a>>;

/// A story.
#[derive(Clone, Copy)]
pub struct Story {
    /// The story in words, such as `paid at once`.
    pub name: &'static str,
    /// Checks whether a connector with these abilities offers it.
    pub is_offered: fn(&Capabilities) -> bool,
    pub play: for<'a> fn(&'a dyn Stage) -> Played<'a>,
}

/// Every story about cards and keys. Each method beside cards has one too ([`methods`], [`debits()`]).
pub const STORIES: &[Story] = &[
    Story {
        name: "credentials",
        is_offered: |_| true,
        play: |stage| Box::pin(credentials_accepted(stage)),
    },
    Story {
        name: "paid at once",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { paid_at_once(stage).await.map(drop) }),
    },
    Story {
        name: "reserved and captured",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { captured(stage, whole(stage)).await.map(drop) }),
    },
    Story {
        name: "captured in part",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { captured(stage, A_PART).await.map(drop) }),
    },
    Story {
        name: "declined card",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { declined(stage, true).await.map(drop) }),
    },
    Story {
        name: "refunded",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { refunded(stage, &[whole(stage)]).await.map(drop) }),
    },
    Story {
        name: "refunded in part",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { refunded(stage, &[A_PART]).await.map(drop) }),
    },
    Story {
        name: "voided",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { released(stage).await.map(drop) }),
    },
    Story {
        name: "saved card charged again",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { charged_again(stage).await.map(drop) }),
    },
    Story {
        name: "3-D Secure",
        is_offered: |able| able.redirects,
        play: |stage| Box::pin(async move { authenticated_by_payer(stage, true).await.map(drop) }),
    },
    Story {
        name: "repeated key",
        is_offered: |_| true,
        play: |stage| Box::pin(async move { repeated_key(stage).await.map(drop) }),
    },
    Story {
        name: "unknown key",
        is_offered: |able| {
            let recovery = able.recovery.for_operation(OperationKind::Authorize);
            matches!(recovery, Recovery::LookUp(_))
        },
        play: |stage| Box::pin(unknown_key(stage)),
    },
];

/// A part of the price, in minor units.
pub const A_PART: i64 = 2_000;

fn whole(stage: &dyn Stage) -> i64 {
    stage.price().amount_minor
}

/// Returns the methods beside cards that have a story, up to the payer's step.
pub fn methods(able: &Capabilities) -> impl Iterator<Item = &'static PayerMethodRules> {
    able.payer_methods.iter().filter(|rules| covers(rules))
}
