//! How a profile is shown.

use multirail_domain::accounts::profile::Profile;

use crate::accounts::ports::profiles::EndpointHealth;

/// A profile as it is shown.
#[derive(Clone, Debug)]
pub struct ProfileView {
    /// Of its webhook secrets only those that are valid.
    pub profile: Profile,
    /// How its webhooks arrive.
    pub delivery: EndpointHealth,
}
