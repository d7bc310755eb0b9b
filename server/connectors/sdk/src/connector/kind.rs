//! Which services a connector offers, and with which secrets an account of it is opened.

use multirail_kernel::words::words;

words! {
    /// What kind of company stands behind a connector. Payments go to payment processors only.
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

/// The one member that is an object: credentials for each currency.
pub const KEYS_BY_CURRENCY: &str = "auth_key_map";

words! {
    /// The kinds of credentials, by how many secrets they have; the words are those of `auth_type`.
    pub enum CredentialsKind {
        HeaderKey = "HeaderKey",
        BodyKey = "BodyKey",
        SignatureKey = "SignatureKey",
        MultiAuthKey = "MultiAuthKey",
        CurrencyAuthKey = "CurrencyAuthKey",
        CertificateAuth = "CertificateAuth",
        NoKey = "NoKey",
        /// Stands in until the merchant has real ones.
        TemporaryAuth = "TemporaryAuth",
    }
}

impl CredentialsKind {
    /// The members that credentials of this kind consist of.
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
