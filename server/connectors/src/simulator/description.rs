//! What the simulator can do, under each of its names.

use multirail_domain::connector::{
    Absence, Capabilities, Description, DisputeAbilities, Recoveries, Recovery,
};
use multirail_domain::connector_account::{ConnectorType, CredentialsKind};
use multirail_domain::payment::CaptureMethod;
use multirail_domain::payment_method::PaymentMethod;
use multirail_simulator_wire::NAMES;

/// One for each of [`NAMES`], in their order.
pub static DESCRIPTIONS: [Description; NAMES.len()] = {
    let mut all = [const { describe("") }; NAMES.len()];
    let mut place = 0;
    while place < NAMES.len() {
        all[place] = describe(NAMES[place]);
        place += 1;
    }
    all
};

/// Of what its processor is asked, answers and tells.
const SHOWN: &[&str] = &[
    "amount",
    "authorization",
    "challenge_required_by",
    "code",
    "currency",
    "happened_at",
    "id",
    "key",
    "operation",
    "reference",
    "status",
    "word",
];

const fn describe(name: &'static str) -> Description {
    Description {
        name,
        is_simulator: true,
        offers: &[ConnectorType::PaymentProcessor],
        credentials: CredentialsKind::HeaderKey,
        settings: &[],
        shown: SHOWN,
        capabilities: Capabilities {
            payment_methods: &[PaymentMethod::Card],
            capture_methods: CaptureMethod::ALL,
            redirects: true,
            verifies_cards: true,
            // It files a request before it answers, and files it once.
            recovery: Recoveries::all(Recovery::LookUp(Absence::Proves)),
            // It would, and then nobody could see in a sandbox how an unknown outcome is followed up.
            repeats_authorizations: false,
            voids_captured: true,
            raises_authorizations: true,
            holds_for_review: true,
            extends_authorizations: true,
            overcaptures: true,
            disputes: DisputeAbilities {
                accepts: Some(Recovery::LookUp(Absence::Proves)),
                challenges: Some(Recovery::LookUp(Absence::Proves)),
                finds: true,
                lists: true,
            },
        },
    }
}
