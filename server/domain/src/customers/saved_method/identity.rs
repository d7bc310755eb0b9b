//! The id of a saved card or bank account. It is derived from customer and card, so the same card is always saved under the
//! same id, even by payments at the same time. No look-up is needed, and saving twice changes nothing.

use sha2::{Digest, Sha256};

use multirail_kernel::ids::{CustomerId, PaymentMethodId};
use multirail_sdk::card::CardFingerprint;
use multirail_sdk::payment_method::PaymentMethod;

const CARD: &[u8] = b"multirail saved card 1";
const ACCOUNT: &[u8] = b"multirail saved account 1";
const CHARACTERS: usize = 20;
const LETTERS_AND_DIGITS: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns the id of this customer's card. Nobody can guess it, because nobody can guess the fingerprint: the server's key and
/// the merchant are part of that.
pub fn card_id(customer_id: &CustomerId, fingerprint: &CardFingerprint) -> PaymentMethodId {
    id(&[
        CARD,
        customer_id.as_str().as_bytes(),
        fingerprint.as_str().as_bytes(),
    ])
}

/// Returns the id of this customer's bank account, one for each payment method family. `hash` is a keyed hash of the account.
pub fn account_id(customer_id: &CustomerId, family: PaymentMethod, hash: &str) -> PaymentMethodId {
    id(&[
        ACCOUNT,
        customer_id.as_str().as_bytes(),
        family.as_str().as_bytes(),
        hash.as_bytes(),
    ])
}

fn id(parts: &[&[u8]]) -> PaymentMethodId {
    let mut text = String::from("pm_");
    let full = text.len() + CHARACTERS;
    for round in 0_u64.. {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(round.to_be_bytes());
        // 248 is the largest multiple of 62 in a byte: higher values would make the first letters more frequent.
        for byte in hash.finalize().into_iter().filter(|byte| *byte < 248) {
            if text.len() == full {
                break;
            }
            text.push(char::from(LETTERS_AND_DIGITS[usize::from(byte % 62)]));
        }
        if text.len() == full {
            break;
        }
    }
    PaymentMethodId::parse(&text).expect("letters, digits and an underscore are an id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(customer: &str, fingerprint: &str) -> String {
        let customer = CustomerId::parse(customer).expect("an id");
        let fingerprint = CardFingerprint::parse(fingerprint).expect("a fingerprint");
        card_id(&customer, &fingerprint).to_string()
    }

    #[test]
    fn the_same_card_of_a_customer_has_the_same_id_and_no_other_has() {
        let (one, other) = ("0".repeat(32), "1".repeat(32));
        let first = id("cus_1", &one);
        assert_eq!(first.len(), 23);
        assert!(first.starts_with("pm_"), "{first}");
        assert_eq!(first, id("cus_1", &one));
        assert_ne!(first, id("cus_2", &one));
        assert_ne!(first, id("cus_1", &other));
    }

    #[test]
    fn an_account_has_an_id_for_each_family() {
        let customer = CustomerId::parse("cus_1").expect("an id");
        let hash = "0".repeat(32);
        let of = |family| account_id(&customer, family, &hash).to_string();
        let debited = of(PaymentMethod::BankDebit);
        assert_eq!(debited, of(PaymentMethod::BankDebit));
        assert_ne!(debited, of(PaymentMethod::BankTransfer));
        assert_ne!(debited, id("cus_1", &hash));
    }
}
