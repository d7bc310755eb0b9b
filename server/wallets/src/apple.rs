//! Apple Pay's EC_v1: signed by Apple, and sealed for the key of the merchant's payment processing certificate.

use aes_gcm::aead::consts::U16;
use aes_gcm::aead::{AeadInPlace, KeyInit};
use aes_gcm::aes::Aes256;
use aes_gcm::{AesGcm, Nonce};
use aws_lc_rs::digest::{Context, SHA256, digest};
use multirail_app::payments::ports::wallet_opener::CannotOpen;
use multirail_domain::payments::session::{AppleKey, OpenedWallet};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use serde::Deserialize;
use zeroize::Zeroizing;

use crate::keys::{base64, point, private, public_der, shared};
use crate::signed;

const VERSION: &str = "EC_v1";
/// The name of the cipher, after its length. (NIST SP 800-56A, as Apple uses it)
const CIPHER: &[u8] = b"\x0did-aes256-GCM";
const PARTY: &[u8] = b"Apple";

#[derive(Deserialize)]
struct Token {
    data: String,
    signature: String,
    header: Header,
    version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    ephemeral_public_key: String,
    public_key_hash: String,
    transaction_id: String,
    #[serde(default)]
    application_data: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    #[serde(with = "multirail_kernel::secret::sealed")]
    application_primary_account_number: SecretText,
    /// YYMMDD
    application_expiration_date: String,
    currency_code: String,
    transaction_amount: i64,
    #[serde(default)]
    cardholder_name: Option<String>,
    payment_data_type: String,
    payment_data: Proof,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Proof {
    #[serde(with = "multirail_kernel::secret::sealed")]
    online_payment_cryptogram: SecretText,
    #[serde(default)]
    eci_indicator: Option<String>,
}

/// Opens a token that Apple signed. `text` is its JSON, or base64 of that.
pub(crate) fn open(
    text: &str,
    key: &AppleKey,
    root: &[u8],
    now: Timestamp,
) -> Result<OpenedWallet, CannotOpen> {
    let unreadable = |_| CannotOpen::Unreadable;
    let token: Token = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(unreadable)?
    } else {
        serde_json::from_slice(&base64(text.trim())?).map_err(unreadable)?
    };
    if token.version != VERSION {
        return Err(CannotOpen::Unreadable);
    }
    let Header {
        ephemeral_public_key,
        public_key_hash,
        transaction_id,
        application_data,
    } = token.header;
    let ephemeral = base64(&ephemeral_public_key)?;
    let mut data = Zeroizing::new(base64(&token.data)?);
    let hexadecimal = |text: &str| hex::decode(text).map_err(|_| CannotOpen::Unreadable);
    let said = [
        &ephemeral[..],
        &data,
        &hexadecimal(&transaction_id)?,
        &hexadecimal(application_data.as_deref().unwrap_or_default())?,
    ]
    .concat();
    signed::check(&base64(&token.signature)?, &said, root, now)?;

    let ours = private(&key.payment_processing_certificate_key)?;
    if base64(&public_key_hash)? != digest(&SHA256, &public_der(&ours)?).as_ref() {
        return Err(CannotOpen::AnotherKey);
    }
    let point = point(&ephemeral).ok_or(CannotOpen::Unreadable)?;
    let secret = shared(&ours, point)?;
    let for_cipher = derived(&secret, &key.merchant_identifier);
    let cipher = AesGcm::<Aes256, U16>::new(for_cipher.as_slice().into());
    // The key derives from the identifier, so a wrong identifier looks like a wrong key.
    let opened = cipher.decrypt_in_place(&Nonce::<U16>::default(), b"", &mut *data);
    opened.map_err(|_| CannotOpen::AnotherKey)?;
    read(&data)
}

/// Returns SHA-256 over a counter, the shared secret, and the two parties.
fn derived(secret: &[u8], merchant_identifier: &str) -> Zeroizing<[u8; 32]> {
    let mut hash = Context::new(&SHA256);
    hash.update(&1_u32.to_be_bytes());
    hash.update(secret);
    hash.update(CIPHER);
    hash.update(PARTY);
    hash.update(digest(&SHA256, merchant_identifier.as_bytes()).as_ref());
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(hash.finish().as_ref());
    key
}

fn read(data: &[u8]) -> Result<OpenedWallet, CannotOpen> {
    let Opened {
        application_primary_account_number,
        application_expiration_date,
        currency_code,
        transaction_amount,
        cardholder_name,
        payment_data_type,
        payment_data,
    } = serde_json::from_slice(data).map_err(|_| CannotOpen::Unreadable)?;
    let date = application_expiration_date;
    let currency = currency_code.parse().map_err(|_| CannotOpen::Unreadable)?;
    if payment_data_type != "3DSecure" || date.len() != 6 || !date.is_ascii() {
        return Err(CannotOpen::Unreadable);
    }
    Ok(OpenedWallet {
        number: application_primary_account_number,
        exp_month: date[2..4].to_owned(),
        exp_year: date[..2].to_owned(),
        cryptogram: Some(payment_data.online_payment_cryptogram),
        eci: payment_data.eci_indicator,
        holder_name: cardholder_name,
        agreed: Some((currency, transaction_amount)),
    })
}

#[cfg(test)]
mod tests;
