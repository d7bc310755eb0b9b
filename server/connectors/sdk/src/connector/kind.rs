//! The services of connectors, and the kinds of credentials of their accounts.

use multirail_kernel::words::words;

words! {
    /// The kind of company behind a connector. Payments go to payment processors only.
    pub enum ConnectorType {
        PaymentProcessor = "payment_processor",
        PaymentVas = "payment_vas",
        FinOperations = "fin_operations",
        FizOperations = "fiz_operations",
        Networks = "networks",
        BankingEntities = "banking_entities",
        NonBankingFinance = "non_banking_finance",
        PayoutProcessor = "payout_processor",
        PaymentMethodAuth = "payment_method_auth",
        AuthenticationProcessor = "authentication_processor",
        TaxProcessor = "tax_processor",
        SurchargeProcessor = "surcharge_processor",
        BillingProcessor = "billing_processor",
        VaultProcessor = "vault_processor",
    }
}

/// The member with credentials for each currency. It is the only one that is an object.
pub const KEYS_BY_CURRENCY: &str = "auth_key_map";

words! {
    /// The kinds of credentials, by number of secrets. The words are those of `auth_type`.
    pub enum CredentialsKind {
        HeaderKey = "HeaderKey",
        BodyKey = "BodyKey",
        SignatureKey = "SignatureKey",
        MultiAuthKey = "MultiAuthKey",
        CurrencyAuthKey = "CurrencyAuthKey",
        CertificateAuth = "CertificateAuth",
        NoKey = "NoKey",
        /// A placeholder until the merchant has real credentials.
        TemporaryAuth = "TemporaryAuth",
    }
}

impl CredentialsKind {
    /// Returns the members of this kind.
    pub fn members(self) -> &'static [&'static str] {
        match self {
            CredentialsKind::HeaderKey => &["api_key"],
            CredentialsKind::BodyKey => &["api_key", "key1"],
            CredentialsKind::SignatureKey => &["api_key", "key1", "api_secret"],
            CredentialsKind::MultiAuthKey => &["api_key", "key1", "api_secret", "key2"],
            CredentialsKind::CurrencyAuthKey => &[KEYS_BY_CURRENCY],
            CredentialsKind::CertificateAuth => &["certificate", "private_key"],
            CredentialsKind::NoKey | CredentialsKind::TemporaryAuth => &[],
        }
    }
}
