//! Work that needs neither a server nor a database.

use std::sync::Mutex;

use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::routing::RoutingStrategy;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    Absence, Capabilities, DisputeAbilities, Recoveries, Recovery, Units,
};
use multirail_sdk::payment_method::PaymentMethod;

use super::*;
use crate::telemetry::TelemetryError;

#[derive(Debug, thiserror::Error)]
#[error("the database is locked")]
pub(super) struct Locked(#[source] io::Error);

/// Takes cards in every way.
static ABLE: Capabilities = Capabilities {
    payment_methods: &[PaymentMethod::Card],
    capture_methods: CaptureMethod::ALL,
    units: Units::ISO,
    redirects: true,
    authenticates_by_browser: false,
    verifies_cards: true,
    recovery: Recoveries::all(Recovery::LookUp(Absence::Proves)),
    repeats_authorizations: false,
    several_captures_setting: None,
    kept_answers: None,
    completes_authorizations: None,
    looks_over: None,
    asks_with_return: false,
    voids_captured: Some(|_| None),
    charges_kept: true,
    keeps_customers: None,
    deletes_stored: None,
    raises_authorizations: Some(|_| None),
    holds_for_review: true,
    extends_authorizations: true,
    overcaptures: true,
    payer_methods: &[],
    wallets: WalletAbilities::NONE,
    disputes: DisputeAbilities {
        accepts: None,
        challenges: None,
        finds: None,
        lists: None,
    },
};

/// Work that only records its calls.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) said: Mutex<Vec<(&'static str, Config)>>,
    pub(super) simulated: Mutex<Vec<Simulator>>,
    pub(super) checked: Mutex<Vec<ConnectorCheck>>,
    pub(super) about_keys: Mutex<Vec<KeysRequest>>,
    pub(super) about_audit: Mutex<Vec<AuditRequest>>,
    pub(super) is_failing: bool,
}

impl Asked {
    fn note(&self, what: &'static str, config: Config) -> Result<(), Locked> {
        self.said.lock().unwrap().push((what, config));
        if self.is_failing {
            return Err(Locked(io::Error::other("by process 7")));
        }
        Ok(())
    }
}

impl Work for Asked {
    type Error = Locked;

    async fn serve(&self, config: Config) -> Result<(), Locked> {
        self.note("serve", config)
    }
    async fn migrate(&self, config: Config) -> Result<(), Locked> {
        self.note("migrate", config)
    }
    async fn back_up(
        &self,
        config: Config,
        asked: BackupRequest,
        tell: Tell<'_>,
    ) -> Result<(), Locked> {
        tell(&format!("to {}", asked.to.display())).expect("an output");
        self.note("backup", config)
    }
    async fn restore(
        &self,
        config: Config,
        asked: RestoreRequest,
        tell: Tell<'_>,
    ) -> Result<(), Locked> {
        let from = asked.from.unwrap_or_default();
        let how = if asked.is_check {
            "checked"
        } else {
            "restored"
        };
        tell(&format!("{how} {}", from.display())).expect("an output");
        self.note("restore", config)
    }
    async fn try_connections(&self, config: &Config) -> Vec<Tried> {
        let found = if self.is_failing {
            Err("nobody answers".to_owned())
        } else {
            Ok(format!("{} answers", config.database_url))
        };
        vec![Tried {
            setting: Setting::DatabaseUrl,
            found,
        }]
    }
    async fn simulate(&self, simulator: Simulator) -> Result<(), Locked> {
        self.simulated.lock().unwrap().push(simulator);
        Ok(())
    }
    async fn check_connector(&self, asked: ConnectorCheck) -> Result<String, Locked> {
        let address = asked.address.to_string();
        self.checked.lock().unwrap().push(asked);
        Ok(format!("asked {address}"))
    }
    async fn certify_connector(&self, asked: Certification, tell: Tell<'_>) -> Result<(), Locked> {
        tell(&format!("certified {}", asked.connector)).expect("an output");
        Ok(())
    }
    async fn ask_about_keys(&self, asked: KeysRequest, tell: Tell<'_>) -> Result<(), Locked> {
        tell("asked").expect("an output");
        self.about_keys.lock().unwrap().push(asked);
        Ok(())
    }
    async fn ask_about_audit_log(
        &self,
        asked: AuditRequest,
        _tell: Tell<'_>,
    ) -> Result<(), Locked> {
        self.about_audit.lock().unwrap().push(asked);
        Ok(())
    }
    fn routing(&self) -> &dyn RoutingStrategy {
        &multirail_routing::BuiltIn
    }

    fn connectors(&self, config: &Config) -> Vec<KnownConnector> {
        let known = |name, api_version, is_simulator, is_usable| KnownConnector {
            capabilities: &ABLE,
            name,
            api_version,
            is_simulator,
            is_usable,
        };
        vec![
            known("acme", Some("v7"), false, true),
            known("acme_test", None, true, config.is_sandbox()),
        ]
    }
    fn document(&self, format: DocumentFormat) -> Result<String, Locked> {
        Ok(format!("{format:?}\n"))
    }
    fn start_logging(&self, _config: &Config) -> Result<(), TelemetryError> {
        Ok(())
    }
}
