//! Profiles as callers see them.

use multirail_domain::accounts::profile::Profile;

use crate::accounts::ports::profiles::EndpointHealth;

/// A profile as the API shows it.
#[derive(Clone, Debug)]
pub struct ProfileView {
    /// The profile, with its valid webhook secrets only.
    pub profile: Profile,
    /// The health of its webhook deliveries.
    pub delivery: EndpointHealth,
}
