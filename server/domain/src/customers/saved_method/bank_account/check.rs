//! Check digits of bank accounts.

use multirail_kernel::secret::SecretText;

use super::plain;

/// Returns a valid IBAN in capitals and without spaces, `None` for any other text. (ISO 13616)
pub(crate) fn iban(text: &SecretText) -> Option<SecretText> {
    let plain = plain(text.expose());
    let iban = SecretText::new(plain.expose().to_ascii_uppercase());
    let bytes = iban.expose().as_bytes();
    let has_form = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes.iter().all(u8::is_ascii_alphanumeric);
    (has_form && remainder(bytes) == 1).then_some(iban)
}

/// Returns the remainder of an IBAN's number by 97. The first four characters move to the end, and A to Z count as 10 to 35.
/// (ISO 7064, MOD 97-10)
fn remainder(iban: &[u8]) -> u32 {
    let (first, rest) = iban.split_at(4);
    let characters = rest.iter().chain(first).copied();
    characters.fold(0, |sum, byte| {
        if byte.is_ascii_digit() {
            (sum * 10 + u32::from(byte - b'0')) % 97
        } else {
            (sum * 100 + u32::from(byte - b'A') + 10) % 97
        }
    })
}

/// Checks nine digits whose sum, with the repeated weights 3, 7 and 1, is a multiple of ten. (American Bankers Association)
pub(crate) fn is_routing_number(text: &str) -> bool {
    let is_digits = text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let weights = [3, 7, 1].into_iter().cycle();
    let weighted = text.bytes().zip(weights);
    is_digits
        && weighted
            .map(|(byte, weight)| u32::from(byte - b'0') * weight)
            .sum::<u32>()
            .is_multiple_of(10)
}

/// Checks the form of a BIC: bank, country, place and an optional branch. (ISO 9362)
pub(crate) fn is_bic(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes.len(), 8 | 11)
        && bytes[..4].iter().all(u8::is_ascii_alphanumeric)
        && bytes[4..6].iter().all(u8::is_ascii_alphabetic)
        && bytes[6..].iter().all(u8::is_ascii_alphanumeric)
}
