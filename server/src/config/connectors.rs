//! Settings of the calls to processors.

use std::path::PathBuf;

use multirail_kernel::proxy_address::ProxyAddress;
use multirail_kernel::target::AllowedTargets;

use super::{Reader, Setting, values};

/// The settings of the calls to processors, except their deadline.
#[derive(Clone, Debug)]
pub struct Connectors {
    /// As given: use [`super::Config::connector_targets`], which knows what the mode allows.
    pub allowed_targets: AllowedTargets,
    /// PEM file: use [`super::Config::connector_certificates`], which reads it.
    pub trusted_certificates: Option<PathBuf>,
    /// The proxy that all calls go through.
    pub proxy: Option<ProxyAddress>,
    /// Calls of one connector account that may be under way at once.
    pub account_concurrency: usize,
    /// The address at which Apple Pay validates merchants.
    pub apple_pay_gateway_url: String,
    /// PEM file with the root certificate of Apple Pay's signatures, in place of Apple's own.
    pub apple_pay_root_certificate: Option<PathBuf>,
}

/// Apple's own address.
const APPLE_PAY: &str = "https://apple-pay-gateway.apple.com/paymentservices/paymentSession";

impl Connectors {
    pub(super) fn read(reader: &mut Reader) -> Self {
        Connectors {
            allowed_targets: reader.or(
                Setting::ConnectorAllowedTargets,
                values::targets,
                AllowedTargets::default(),
            ),
            trusted_certificates: reader.maybe(Setting::ConnectorTrustedCertificates, values::path),
            proxy: reader.maybe(Setting::ConnectorProxy, values::proxy),
            account_concurrency: reader.number(Setting::ConnectorAccountConcurrency, 1..=1_000, 64)
                as usize,
            apple_pay_gateway_url: reader.or(
                Setting::ApplePayGatewayUrl,
                values::public_url,
                APPLE_PAY.to_owned(),
            ),
            apple_pay_root_certificate: reader
                .maybe(Setting::ApplePayRootCertificate, values::path),
        }
    }
}
