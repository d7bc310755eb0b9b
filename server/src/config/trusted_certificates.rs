//! Certificates that the operator trusts in addition to those of the machine.

use std::fs;
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Reads a PEM file, which must hold at least one certificate, and none that TLS can't use.
///
/// # Errors
/// A line that describes the problem of the file.
pub fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let shown = path.display();
    let pem = fs::read(path).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|_| format!("{shown} is no whole PEM file"))?;
    if certificates.is_empty() {
        return Err(format!("{shown} holds no certificate"));
    }
    for (index, certificate) in certificates.iter().enumerate() {
        let judged = RootCertStore::empty().add(certificate.clone());
        judged.map_err(|error| {
            let number = index + 1;
            format!("certificate {number} of {shown} cannot be used: {error}")
        })?;
    }
    Ok(certificates)
}
