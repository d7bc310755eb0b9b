//! Apple Pay's EC_v1.

use aes_gcm::aead::consts::U16;
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::aes::Aes256;
use aes_gcm::{AesGcm, Nonce};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cms::cert::x509::Certificate;
use cms::cert::x509::attr::Attribute;
use cms::cert::x509::der::asn1::{Any, ObjectIdentifier, OctetString, SetOfVec, UtcTime};
use cms::cert::x509::der::{Decode, Encode};
use cms::cert::x509::spki::AlgorithmIdentifierOwned;
use cms::cert::{CertificateChoices, IssuerAndSerialNumber};
use cms::content_info::{CmsVersion, ContentInfo};
use cms::signed_data::{
    CertificateSet, EncapsulatedContentInfo, SignedData, SignerIdentifier, SignerInfo, SignerInfos,
};
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DnType, IsCa, Issuer, KeyPair,
    PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384,
};
use serde_json::{Value, json};

use crate::{MerchantKey, der, ephemeral};

/// Apple's certificates: a root, an authority under it, and one that signs payments.
pub struct Apple {
    root: String,
    middle: Vec<u8>,
    leaf: Vec<u8>,
    signer: EcdsaKeyPair,
}

impl Default for Apple {
    fn default() -> Self {
        Self::new()
    }
}

const NAMES_SIGNERS: &[u64] = &[1, 2, 840, 113635, 100, 6, 2, 14];
const SIGNS_PAYMENTS: &[u64] = &[1, 2, 840, 113635, 100, 6, 29];

impl Apple {
    /// Returns new keys, with Apple's marks in the certificates.
    pub fn new() -> Self {
        Self::marked(&[NAMES_SIGNERS], &[SIGNS_PAYMENTS])
    }

    /// Returns certificates whose signer lacks Apple's mark for payments.
    pub fn without_mark() -> Self {
        Self::marked(&[NAMES_SIGNERS], &[])
    }

    fn marked(of_middle: &[&[u64]], of_leaf: &[&[u64]]) -> Self {
        let named = |name: &str, marks: &[&[u64]], is_authority: bool| {
            let mut params = CertificateParams::default();
            params.distinguished_name.push(DnType::CommonName, name);
            if is_authority {
                params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            }
            let marks = marks.iter();
            params.custom_extensions = marks
                .map(|mark| CustomExtension::from_oid_content(mark, vec![5, 0]))
                .collect();
            params
        };
        let root_key = KeyPair::generate_for(&PKCS_ECDSA_P384_SHA384).expect("a key");
        let root_params = named("Root", &[], true);
        let root = root_params.self_signed(&root_key).expect("a certificate");
        let root_issuer = Issuer::new(root_params, root_key);
        let middle_key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
        let middle_params = named("Authority", of_middle, true);
        let middle = middle_params
            .signed_by(&middle_key, &root_issuer)
            .expect("a certificate");
        let middle_issuer = Issuer::new(middle_params, middle_key);
        let leaf_key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
        let leaf = named("Signer", of_leaf, false)
            .signed_by(&leaf_key, &middle_issuer)
            .expect("a certificate");
        let signer =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, leaf_key.serialized_der());
        Apple {
            root: root.pem(),
            middle: middle.der().to_vec(),
            leaf: leaf.der().to_vec(),
            signer: signer.expect("a key"),
        }
    }

    /// Returns the root as PEM.
    pub fn root_pem(&self) -> &str {
        &self.root
    }

    /// Seals a card and signs it at `at`, in seconds since 1970. Returns the JSON that Apple's kit gives an app.
    pub fn seal(&self, merchant: &MerchantKey, identifier: &str, card: &Value, at: u64) -> String {
        let (point, secret) = ephemeral(merchant);
        let identifier = digest(&SHA256, identifier.as_bytes());
        let said = [
            &1_u32.to_be_bytes()[..],
            &secret,
            b"\x0did-aes256-GCM",
            b"Apple",
            identifier.as_ref(),
        ]
        .concat();
        let key = digest(&SHA256, &said);
        let key: [u8; 32] = key.as_ref().try_into().expect("32 bytes");
        let cipher = AesGcm::<Aes256, U16>::new(&key.into());
        let data = card.to_string();
        let data = cipher.encrypt(&Nonce::<U16>::default(), data.as_bytes());
        let data = data.expect("sealed");
        let ephemeral = der(&point);
        let transaction = digest(&SHA256, &data);
        let said = [&ephemeral[..], &data, transaction.as_ref()].concat();
        json!({
            "version": "EC_v1",
            "data": STANDARD.encode(&data),
            "signature": STANDARD.encode(self.signature(&said, at)),
            "header": {
                "ephemeralPublicKey": STANDARD.encode(&ephemeral),
                "publicKeyHash": STANDARD.encode(digest(&SHA256, &der(&merchant.point()))),
                "transactionId": hex::encode(transaction),
            },
        })
        .to_string()
    }

    fn signature(&self, said: &[u8], at: u64) -> Vec<u8> {
        let oid = ObjectIdentifier::new_unwrap;
        let sha256 = AlgorithmIdentifierOwned {
            oid: oid("2.16.840.1.101.3.4.2.1"),
            parameters: None,
        };
        let attribute = |name: &str, value: Any| Attribute {
            oid: oid(name),
            values: SetOfVec::try_from(vec![value]).expect("a value"),
        };
        let time = UtcTime::from_unix_duration(std::time::Duration::from_secs(at)).expect("a time");
        let hashed = OctetString::new(digest(&SHA256, said).as_ref()).expect("octets");
        let attributes = SetOfVec::try_from(vec![
            attribute(
                "1.2.840.113549.1.9.3",
                Any::encode_from(&oid("1.2.840.113549.1.7.1")).expect("DER"),
            ),
            attribute(
                "1.2.840.113549.1.9.5",
                Any::encode_from(&time).expect("DER"),
            ),
            attribute(
                "1.2.840.113549.1.9.4",
                Any::encode_from(&hashed).expect("DER"),
            ),
        ])
        .expect("attributes");
        let covered = attributes.to_der().expect("DER");
        let signature = self.signer.sign(&SystemRandom::new(), &covered);
        let certificate = |der: &[u8]| Certificate::from_der(der).expect("a certificate");
        let leaf = certificate(&self.leaf);
        let signer = SignerInfo {
            version: CmsVersion::V1,
            sid: SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
                issuer: leaf.tbs_certificate.issuer.clone(),
                serial_number: leaf.tbs_certificate.serial_number.clone(),
            }),
            digest_alg: sha256.clone(),
            signed_attrs: Some(attributes),
            signature_algorithm: AlgorithmIdentifierOwned {
                oid: oid("1.2.840.10045.4.3.2"),
                parameters: None,
            },
            signature: OctetString::new(signature.expect("a signature").as_ref()).expect("octets"),
            unsigned_attrs: None,
        };
        let certificates = vec![
            CertificateChoices::Certificate(leaf),
            CertificateChoices::Certificate(certificate(&self.middle)),
        ];
        let data = SignedData {
            version: CmsVersion::V1,
            digest_algorithms: SetOfVec::try_from(vec![sha256]).expect("algorithms"),
            encap_content_info: EncapsulatedContentInfo {
                econtent_type: oid("1.2.840.113549.1.7.1"),
                econtent: None,
            },
            certificates: Some(CertificateSet(
                SetOfVec::try_from(certificates).expect("a set"),
            )),
            crls: None,
            signer_infos: SignerInfos(SetOfVec::try_from(vec![signer]).expect("a signer")),
        };
        let info = ContentInfo {
            content_type: oid("1.2.840.113549.1.7.2"),
            content: Any::encode_from(&data).expect("DER"),
        };
        info.to_der().expect("DER")
    }
}
