use std::sync::Arc;

use multirail_app::platform::ports::Seal;
use multirail_app::platform::ports::seal::SealedBy;
use multirail_kernel::secret::SecretText;
use multirail_system::random::OsRandom;

use super::*;

const PLACE: &str = "events:bookshop/evt_1";

/// Returns an installation with its keys, as one server has it.
fn installed() -> (MasterKey, Vec<InstallationKey>) {
    let master = MasterKey::generate(&OsRandom);
    let (_, keys) = KeyRing::create(&master, &OsRandom, 1);
    (master, keys.into_iter().map(Into::into).collect())
}

fn server(master: &MasterKey, stored: &[InstallationKey]) -> Result<RingSeal, KeysRefused> {
    let ring = KeyRing::open_stored(master, stored)?;
    Ok(RingSeal::new(ring, Arc::new(OsRandom)).with_master_key(master.clone(), None))
}

fn sealed_by(seal: &RingSeal, sealed: &[u8]) -> String {
    let SealedBy::Installation(key_id) = seal.sealed_by(sealed).expect("a key") else {
        panic!("sealed by a subject's key");
    };
    key_id.to_owned()
}

#[test]
fn a_further_data_key_seals_once_it_is_taken_up_and_the_former_one_opens() {
    let (master, mut stored) = installed();
    let (ours, another) = (
        server(&master, &stored).unwrap(),
        server(&master, &stored).unwrap(),
    );
    let text = SecretText::new("an event");
    let before = ours.seal(PLACE, &text);
    // The clock of this server is behind.
    let further = ours.make_data_key(&stored, 0).unwrap();
    stored.push(further.clone());
    assert_eq!(sealed_by(&ours, &ours.seal(PLACE, &text)), stored[0].key_id);
    ours.take_up(&stored).unwrap();
    let after = ours.seal(PLACE, &text);
    assert_eq!(sealed_by(&ours, &after), further.key_id);
    for sealed in [&before, &after] {
        assert_eq!(ours.open(PLACE, sealed), Ok(text.clone()));
    }
    assert!(!another.has_installation_key(&further.key_id));
    another.take_up(&stored).unwrap();
    assert_eq!(another.open(PLACE, &after), Ok(text));
    // Keys that were read before the new key was made don't remove it.
    ours.take_up(&stored[..4]).unwrap();
    assert_eq!(ours.installation_key(), further.key_id);
    // Hashes never change.
    let key = SecretText::new("dev_1");
    assert_eq!(
        ours.hash_api_key(&key),
        server(&master, &stored).unwrap().hash_api_key(&key)
    );
}

#[test]
fn both_master_keys_are_good_until_the_former_one_is_dropped() {
    let (present, mut stored) = installed();
    let next = MasterKey::generate(&OsRandom);
    let ours = server(&present, &stored).unwrap();
    let handed_over = present.hand_over(&next, &OsRandom);
    let wrapped = ours
        .wrap_for_next(&stored, &handed_over)
        .unwrap()
        .expect("a key");
    assert_eq!(wrapped.name, next.name());
    assert!(!wrapped.is_the_present_one);
    for key in &mut stored {
        let found = wrapped
            .wrapped
            .iter()
            .find(|(key_id, _)| *key_id == key.key_id);
        key.next_wrapped = found.map(|(_, bytes)| bytes.clone());
    }
    assert_eq!(ours.master_key_name(&stored), Some(present.name()));
    let sealed = ours.seal(PLACE, &SecretText::new("an event"));
    for master in [&present, &next] {
        let seal = server(master, &stored).unwrap();
        assert!(seal.open(PLACE, &sealed).is_ok());
    }
    let stranger = MasterKey::generate(&OsRandom);
    let why = "the master key is not the one that this database was made with: none of its 4 stored keys opens";
    assert_eq!(
        server(&stranger, &stored).err(),
        Some(KeysRefused(why.to_owned()))
    );
    for key in &mut stored {
        key.wrapped = key.next_wrapped.take().expect("wrapped for the next");
    }
    assert_eq!(
        server(&present, &stored).err(),
        Some(KeysRefused(why.to_owned()))
    );
    assert!(server(&next, &stored).unwrap().open(PLACE, &sealed).is_ok());
    // The server that handed the key over has it.
    assert_eq!(ours.master_key_name(&stored), Some(next.name()));
    stored.push(ours.make_data_key(&stored, 5).unwrap());
    assert!(server(&next, &stored).is_ok());
}

#[test]
fn a_server_finds_its_next_master_key_where_the_operator_put_it() {
    let (present, mut stored) = installed();
    let next = MasterKey::generate(&OsRandom);
    let kept = next.clone();
    let running = server(&present, &stored).unwrap();
    let running =
        running.with_master_key(present.clone(), Some(Box::new(move || Some(kept.clone()))));
    let ring = KeyRing::open_stored(&present, &stored).unwrap();
    stored = ring
        .wrapped_by(&next, &OsRandom)
        .into_iter()
        .map(Into::into)
        .collect();
    stored.push(
        server(&next, &stored)
            .unwrap()
            .make_data_key(&stored, 7)
            .unwrap(),
    );
    running.take_up(&stored).unwrap();
    assert!(running.has_installation_key(&stored[4].key_id));
    assert_eq!(running.master_key_name(&stored), Some(next.name()));
}

#[test]
fn a_server_without_the_present_master_key_changes_nothing() {
    let (present, stored) = installed();
    let (next, stranger) = (
        MasterKey::generate(&OsRandom),
        MasterKey::generate(&OsRandom),
    );
    let ours = server(&present, &stored).unwrap();
    for text in ["", "00", "no digits", &stranger.hand_over(&next, &OsRandom)] {
        assert_eq!(ours.wrap_for_next(&stored, text), Ok(None), "{text}");
    }
    let again = present.hand_over(&present, &OsRandom);
    assert!(
        ours.wrap_for_next(&stored, &again)
            .unwrap()
            .expect("a key")
            .is_the_present_one
    );
    let ring = KeyRing::open_stored(&present, &stored).unwrap();
    let elsewhere: Vec<InstallationKey> = ring
        .wrapped_by(&next, &OsRandom)
        .into_iter()
        .map(Into::into)
        .collect();
    assert!(ours.take_up(&elsewhere).is_err());
    assert!(ours.make_data_key(&elsewhere, 0).is_err());
    assert_eq!(ours.master_key_name(&elsewhere), None);
    // It goes on with the keys that it has.
    let sealed = ours.seal(PLACE, &SecretText::new("an event"));
    assert!(ours.open(PLACE, &sealed).is_ok());
}
