//! What a processor keeps of an instrument itself, for later charges by the merchant.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::record_object::record_object;

record_object! {
    /// An instrument as a processor keeps it.
    #[derive(Eq)]
    pub struct ConnectorMandate {
        /// The processor's id of it.
        connector_mandate_id: String,
    } and maybe {
        /// The processor's id of whose it is.
        connector_customer_id: String,
    }
}

record_object! {
    /// The same, and through which account it can be charged.
    #[derive(Eq)]
    pub struct AccountMandate {
        merchant_connector_id: ConnectorAccountId,
        mandate: ConnectorMandate,
    } and maybe {
    }
}

/// By what a payment that saved a method is known to those who may charge it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownBy {
    /// The scheme's reference.
    pub network_transaction_id: Option<String>,
    /// What the processor keeps.
    pub mandate: Option<Box<AccountMandate>>,
}
