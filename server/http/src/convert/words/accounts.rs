//! Words of accounts, profiles and keys.

use multirail_domain::acting::Initiator;
use multirail_domain::api_key::OperationGroup;
use multirail_domain::connector_account::ConnectorStatus;
use multirail_domain::merchant::MerchantAccountType;
use multirail_domain::organization::OrganizationType;
use multirail_domain::profile::link_look::{CardTerms, DetailsLayout, FormLabels};
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    ApiKeyOperationGroup <=> OperationGroup;
    ConnectorStatus <=> ConnectorStatus;
    Initiator <=> Initiator;
    MerchantAccountRequestType => MerchantAccountType;
    MerchantAccountType <=> MerchantAccountType;
    PaymentLinkCardTerms <=> CardTerms;
}

// One side has other names than the other, or more words.
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
