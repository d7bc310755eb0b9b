//! Connector accounts: a merchant's credentials and settings at a processor. (Specification 2.7)

mod account;
mod candidate;
mod enabled;
mod enabled_input;
mod fees;
mod secrets;
mod settings;
mod status;
mod unstored;
mod vault;

pub use account::{ConnectorAccount, ConnectorAccountUpdate, NewConnectorAccount};
pub use candidate::Candidate;
pub use enabled::{Acceptance, Ineligible, PaymentMethodEnabled, PaymentQuery, check_enabled};
pub use enabled_input::{PaymentMethodEnabledInput, flatten};
pub use fees::{Fee, check_fee_table, expected_cost};
pub use multirail_sdk::connector::{Credentials, CredentialsInput, WebhookSecrets};
pub use secrets::{ConnectorSecrets, SecretNotes, WALLETS_DETAILS};
pub use settings::{PmAuthEntry, frm_configs_text, is_no_frm_config, pm_auth_entries};
pub use status::{ConnectorStatus, StatusAndSwitch, decide_status};
pub use unstored::UnstoredCredentials;
pub(crate) use vault::VGS;
pub use vault::check_vault_form;
