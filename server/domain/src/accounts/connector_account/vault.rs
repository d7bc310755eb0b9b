//! Connector accounts at vaults for card details.

use multirail_kernel::refusal::Refusal;

use super::ConnectorAccount;

/// The name of the VGS connector.
pub(crate) const VGS: &str = "vgs";

/// The name of the VGS form.
const VGS_FORM: &str = "vgs_sdk";

/// Refuses a form that doesn't belong to the vault.
///
/// # Errors
/// [`Refusal::InvalidValue`]
pub fn check_vault_form(account: &ConnectorAccount, form: &str) -> Result<(), Refusal> {
    if account.connector_name == VGS && form != VGS_FORM {
        return Err(Refusal::invalid_value(format!(
            "external_vault_connector_details.vault_sdk has to be {VGS_FORM} for an account of {VGS}"
        )));
    }
    Ok(())
}
