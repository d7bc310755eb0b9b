//! The reasons of failed TLS handshakes, in words for operators.

use rustls::{AlertDescription, CertificateError, Error};

/// The fault of the server's certificate or of its TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsProblem {
    #[error("the server's certificate has expired")]
    Expired,
    #[error("the server's certificate is not valid yet")]
    NotYetValid,
    #[error("the server's certificate is for another name")]
    OtherName,
    #[error("the server's certificate comes from an authority that is not trusted")]
    UnknownAuthority,
    #[error("the server's certificate was revoked")]
    Revoked,
    #[error("the server's certificate is not valid")]
    NotValid,
    #[error("the server sent no certificate")]
    NoCertificate,
    #[error("the server wants a certificate of the client")]
    ClientUnknown,
    #[error("the server speaks no TLS that is safe enough: the TLS handshake failed")]
    NoTls,
}

impl TlsProblem {
    pub(crate) fn from_error(error: &Error) -> Self {
        match error {
            Error::InvalidCertificate(problem) => TlsProblem::of_certificate(problem),
            Error::NoCertificatesPresented => TlsProblem::NoCertificate,
            Error::AlertReceived(
                AlertDescription::CertificateRequired
                | AlertDescription::BadCertificate
                | AlertDescription::UnknownCA,
            ) => TlsProblem::ClientUnknown,
            _ => TlsProblem::NoTls,
        }
    }

    fn of_certificate(problem: &CertificateError) -> Self {
        match problem {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                TlsProblem::Expired
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                TlsProblem::NotYetValid
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                TlsProblem::OtherName
            }
            CertificateError::UnknownIssuer => TlsProblem::UnknownAuthority,
            CertificateError::Revoked => TlsProblem::Revoked,
            _ => TlsProblem::NotValid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_problem_says_what_it_is() {
        let certificate = Error::InvalidCertificate;
        let told = [
            certificate(CertificateError::Expired),
            certificate(CertificateError::NotValidYet),
            certificate(CertificateError::NotValidForName),
            certificate(CertificateError::UnknownIssuer),
            certificate(CertificateError::Revoked),
            certificate(CertificateError::BadSignature),
            Error::NoCertificatesPresented,
            Error::AlertReceived(AlertDescription::CertificateRequired),
            Error::AlertReceived(AlertDescription::ProtocolVersion),
        ];
        let told = told.map(|error| TlsProblem::from_error(&error).to_string());
        insta::assert_snapshot!(told.join("\n"), @"
        the server's certificate has expired
        the server's certificate is not valid yet
        the server's certificate is for another name
        the server's certificate comes from an authority that is not trusted
        the server's certificate was revoked
        the server's certificate is not valid
        the server sent no certificate
        the server wants a certificate of the client
        the server speaks no TLS that is safe enough: the TLS handshake failed
        ");
    }
}
