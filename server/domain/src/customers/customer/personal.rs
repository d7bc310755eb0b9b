//! A customer's personal data: name, address, contact and the merchant's notes.

use std::fmt;

use multirail_kernel::address::Place;
use multirail_kernel::redacted::REDACTED;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::customers::customer::Metadata;

/// Personal data as the merchant sends and stores it. Any member may identify a person, so all is stored sealed and `Debug`
/// doesn't print it. In a request, `None` means that the member is absent.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Personal {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Without the country's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone_country_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Box<Place>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_registration_id: Option<String>,
    /// The merchant's own notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Personal {
    /// Applies a request. A member that is present replaces the stored one as a whole.
    pub(crate) fn merge(&mut self, said: Personal) {
        let Personal {
            name,
            email,
            phone,
            phone_country_code,
            description,
            address,
            tax_registration_id,
            metadata,
            // A request has none.
            unread: _,
        } = said;
        replace(&mut self.name, name);
        replace(&mut self.email, email);
        replace(&mut self.phone, phone);
        replace(&mut self.phone_country_code, phone_country_code);
        replace(&mut self.description, description);
        replace(&mut self.address, address);
        replace(&mut self.tax_registration_id, tax_registration_id);
        replace(&mut self.metadata, metadata);
    }

    /// Returns the redacted form: [`REDACTED`] for each text that was stored. Address and metadata are removed.
    pub(crate) fn redacted(&self) -> Personal {
        let word = |said: &Option<String>| said.is_some().then(|| REDACTED.to_owned());
        Personal {
            name: word(&self.name),
            email: word(&self.email),
            phone: word(&self.phone),
            phone_country_code: word(&self.phone_country_code),
            description: word(&self.description),
            address: None,
            tax_registration_id: word(&self.tax_registration_id),
            metadata: None,
            unread: UnreadMembers::default(),
        }
    }
}

fn replace<T>(kept: &mut Option<T>, said: Option<T>) {
    if said.is_some() {
        *kept = said;
    }
}

/// Prints the names of the members that are present.
impl fmt::Debug for Personal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = [
            ("name", self.name.is_some()),
            ("email", self.email.is_some()),
            ("phone", self.phone.is_some()),
            ("phone_country_code", self.phone_country_code.is_some()),
            ("description", self.description.is_some()),
            ("address", self.address.is_some()),
            ("tax_registration_id", self.tax_registration_id.is_some()),
            ("metadata", self.metadata.is_some()),
        ];
        let said = said.into_iter().filter(|(_, is_said)| *is_said);
        f.debug_set()
            .entries(said.map(|(member, _)| member))
            .finish()
    }
}
