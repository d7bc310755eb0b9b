//! Data in databases of released versions still opens, and everything that is derived from its keys is unchanged.
//!
//! None of these constants ever changes. Another form gets an example of its own, beside this one.

use std::sync::Arc;

use multirail_app::platform::ports::Seal;
use multirail_app::platform::ports::seal::{SealedBy, Subject, WrappedDataKey};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::CardNumber;
use multirail_system::random::OsRandom;

use super::{KeyRing, MasterKey, RingSeal, SharedRing, WrappedKey, embedded_vault};

/// The operator's key of the example.
const MASTER_KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Rows of `wrapped_keys`, all of [`CREATED`]: key id, purpose, wrapped key.
const KEYS: [(&str, &str, &str); 4] = [
    (
        "data_y64zmgvjFORQ",
        "data",
        "502648c27f799465e3747e4f56543a467ef821f9464443d733e7bbcfe6ea19f87d21970e95c69829c96128f2d9880c790b8b19022cdd70b5bfc3d1d9",
    ),
    (
        "api_key_hash_NGo4BVWe3ynt",
        "api_key_hash",
        "ca66bb6ab31d2850fc2dc71cf997a04e8c3bcf4bd645720ed2ab11c3ea00f576e3efbe7358abff487b59bf9be091eced6d1d6af72375ebea8ebe2438",
    ),
    (
        "fingerprint_YlYqbzblMjev",
        "fingerprint",
        "ad305cfe3686febe12f356d71e6a75626af67a3593a885bca9e152abf1c870e6b76ed6a81f3804a0fd17e5ae5daffa8d47fe70c09af990312bbfb0e6",
    ),
    (
        "client_secret_xJQOj3itmlFJ",
        "client_secret",
        "2185e63386631a3feb7f0249491ec28e56381d2ba1edf0ded0c1c96c88aa85150ee19b52d1369383601d4b01aaf1ac6bbc9e589576c3d79f1ff5db24",
    ),
];

const CREATED: i64 = 1_767_268_800_000_000;

/// The bytes that are stored at [`PLACE`].
const SEALED: &str = "0111646174615f7936347a6d67766a464f5251cf5a39ee62c36c9d144cf410439a33dea11de81b2a96641e666929cb82f4a8be7c8f";
/// Rows of `subject_keys`: customer, key id, wrapped key, and the bytes that the key sealed at [`PLACE`].
const SUBJECTS: [(Option<&str>, &str, &str, &str); 2] = [
    (
        None,
        "sub_14KS5Rq6cNeyiPNJ4QIX",
        "0111646174615f7936347a6d67766a464f52518c3b02886e3259b7e815a181b58556c8a5aad9b857b917c2bb9b7a917bd8a85a7ab00c0661766b72acd6013dd712ffca693b5254ee5f7f563f40203f",
        "01187375625f31344b5335527136634e657969504e4a34514958a8a92d11b76f165b09e620be8fec3eebdefb82c552afdc561899dd0b4537c1b55018",
    ),
    (
        Some("ann"),
        "sub_Eg3OTRZhTsD360oOrrbu",
        "0111646174615f7936347a6d67766a464f5251e861be6a6d54f89b4878644d63b74917dffa2a7148f651cb776d8f3e82e48249220431f76ec85b3e091b69ccb4f85bbbb9456d591eaaa97b755aba47",
        "01187375625f4567334f54525a685473443336306f4f72726275ab4a2ef2cd55f738903cdab06915f252bbe65647830768ae1e7f891f321a993b1f85",
    ),
];

const PLACE: &str = "held_cards:bookshop/pay_example";

#[test]
fn what_a_released_version_sealed_and_derived_is_understood() {
    let master = MasterKey::from_hex(MASTER_KEY).unwrap();
    let stored = KEYS.map(|(key_id, purpose, wrapped)| WrappedKey {
        key_id: key_id.to_owned(),
        purpose: purpose.parse().unwrap(),
        wrapped: hex::decode(wrapped).unwrap(),
        created_at_micros: CREATED,
    });
    let ring = SharedRing::from(KeyRing::open(&master, &stored).unwrap());
    let seal = RingSeal::new(ring.clone(), Arc::new(OsRandom));

    let opened = seal.open(PLACE, &hex::decode(SEALED).unwrap());
    assert_eq!(opened, Ok(SecretText::new("a card")));
    // It is used to look up API keys.
    assert_eq!(
        seal.hash_api_key(&SecretText::new("snd_example")),
        "a3c898346874354c72a7a10edacb2e67c9f9faf4e128579de9282d6a9742d6e9"
    );
    // It distinguishes a repeated request from another one.
    assert_eq!(
        seal.fingerprint("bookshop", "amount=6540"),
        "2f50de087ffc30668f280876bc2f417b"
    );
    // Payers and their browsers have these while a payment is open.
    let client_secret = seal.client_secret_suffix("bookshop", "pay_example");
    assert_eq!(client_secret.expose(), "73HZFG7c3ICKxfrlZlmb");
    let token = seal.visit_token(&["response", "bookshop", "pay_example_1"]);
    assert_eq!(token.expose(), "YHlQXtmyANZurPOfhQcrHUnv8aGHayid");

    let merchant_id = MerchantId::parse("bookshop").unwrap();
    for (customer, key_id, wrapped, sealed) in SUBJECTS {
        let subject = Subject {
            merchant_id: merchant_id.clone(),
            customer_id: customer.map(|id| CustomerId::parse(id).unwrap()),
        };
        let stored = WrappedDataKey {
            key_id: key_id.to_owned(),
            wrapped: hex::decode(wrapped).unwrap(),
        };
        let sealed = hex::decode(sealed).unwrap();
        assert_eq!(seal.sealed_by(&sealed), Some(SealedBy::Subject(key_id)));
        let key = seal.unwrap_key(&subject, &stored).unwrap();
        assert_eq!(key.open(PLACE, &sealed), Ok(SecretText::new("a card")));
    }
    // It is used to look up saved cards.
    let number = CardNumber::parse("4111111111111111").unwrap();
    let fingerprint = embedded_vault::fingerprint(&ring.now(), &merchant_id, &number);
    assert_eq!(fingerprint.as_str(), "f445f7186ad2d93917f31fc4b3043c7c");
}
