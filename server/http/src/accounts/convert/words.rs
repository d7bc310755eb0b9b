//! Words of accounts, profiles and keys.

use multirail_domain::accounts::acting::Initiator;
use multirail_domain::accounts::api_key::OperationGroup;
use multirail_domain::accounts::connector_account::ConnectorStatus;
use multirail_domain::accounts::merchant::MerchantAccountType;
use multirail_domain::accounts::organization::OrganizationType;
use multirail_domain::accounts::profile::link_look::{CardTerms, DetailsLayout, FormLabels};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    ApiKeyOperationGroup <=> OperationGroup;
    ConnectorStatus <=> ConnectorStatus;
    Initiator <=> Initiator;
    MerchantAccountRequestType => MerchantAccountType;
    MerchantAccountType <=> MerchantAccountType;
    PaymentLinkCardTerms <=> CardTerms;
}

// These pairs differ in names or in number.
words! {
    OrganizationType <= OrganizationType:
        Standard = Standard,
        Platform = Platform;
    PaymentLinkDetailsLayout <=> DetailsLayout:
        Layout1 = Beside,
        Layout2 = Over;
    PaymentLinkLabels <= FormLabels:
        Above = Above;
}
