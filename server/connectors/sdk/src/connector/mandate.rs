//! Instruments stored at a processor, for later charges by the merchant.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::record_object::record_object;

record_object! {
    /// An instrument stored at a processor.
    #[derive(Eq)]
    pub struct ConnectorMandate {
        /// The processor's id of the instrument.
        connector_mandate_id: String,
    } and maybe {
        /// The processor's id of the owner.
        connector_customer_id: String,
    }
}

record_object! {
    /// A stored instrument and the account through which it can be charged.
    #[derive(Eq)]
    pub struct AccountMandate {
        merchant_connector_id: ConnectorAccountId,
        mandate: ConnectorMandate,
    } and maybe {
    }
}

/// The references by which the method of an earlier payment can be charged again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownBy {
    /// The scheme's reference.
    pub network_transaction_id: Option<String>,
    /// The instrument stored at the processor.
    pub mandate: Option<Box<AccountMandate>>,
}
