use multirail_kernel::environment::Environment;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::unread::UnreadMembers;

use super::*;
use crate::accounts::new_merchant::{NewMerchant, account_type};
use crate::accounts::organization::{Organization, OrganizationType};
use serde_json::json;

fn organization(organization_type: OrganizationType) -> Organization {
    Organization {
        organization_type,
        ..Organization::standard(None, Timestamp::EPOCH, &SeededRandom::new(1))
    }
}

fn create(settings: MerchantAccountUpdate) -> Result<NewMerchant, Refusal> {
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        merchant_account_type: None,
        settings,
    };
    let organization = organization(OrganizationType::Standard);
    let random = SeededRandom::new(2);
    MerchantAccount::create(
        input,
        &organization,
        true,
        Environment::Sandbox,
        Timestamp::EPOCH,
        &random,
    )
}

fn detail(country: &str, business: &str) -> BusinessDetail {
    BusinessDetail {
        country: country.parse().expect("a country"),
        business: business.to_owned(),
        unread: UnreadMembers::default(),
    }
}

#[test]
fn a_bare_account_has_keys_and_one_default_profile() {
    let made = create(MerchantAccountUpdate::default()).expect("an account");
    let [profile] = made.profiles.as_slice() else {
        panic!("one profile: {:?}", made.profiles);
    };
    assert_eq!(profile.profile_name, "default");
    assert_eq!(
        made.account.default_profile,
        Some(profile.profile_id.clone())
    );
    assert!(made.account.publishable_key.starts_with("pk_snd_"));
    let key = made
        .account
        .secrets
        .payment_response_hash_key
        .expect("a key");
    assert_eq!(key.expose().len(), 64);
    assert!(!made.account.enable_payment_response_hash);
}

#[test]
fn each_line_of_business_gets_a_profile_and_several_have_no_default() {
    let made = create(MerchantAccountUpdate {
        primary_business_details: Some(vec![
            detail("US", "food"),
            detail("DE", "books"),
            detail("US", "food"),
        ]),
        ..MerchantAccountUpdate::default()
    })
    .expect("an account");
    let names: Vec<&str> = made
        .profiles
        .iter()
        .map(|p| p.profile_name.as_str())
        .collect();
    assert_eq!(names, ["US_food", "DE_books"]);
    assert_eq!(made.account.default_profile, None);
}

#[test]
fn profiles_begin_with_the_accounts_settings() {
    let metadata = json!({"metadata": {"city": "NY"}});
    let made = create(MerchantAccountUpdate {
        return_url: Some("https://shop.example/return".to_owned()),
        webhook: Some(WebhookSettingsInput {
            webhook_url: Some("https://shop.example/hooks".to_owned()),
            webhook_password: Some(SecretText::new("sesame")),
            ..WebhookSettingsInput::default()
        }),
        notes: metadata.as_object().cloned().expect("an object"),
        ..MerchantAccountUpdate::default()
    })
    .expect("an account");
    let profile = &made.profiles[0];
    assert_eq!(profile.return_url, made.account.return_url);
    assert_eq!(profile.webhook, made.account.webhook);
    assert_eq!(
        profile.secrets.webhook_password,
        Some(SecretText::new("sesame"))
    );
    assert_eq!(profile.notes["metadata"], json!({"city": "NY"}));
}

#[test]
fn the_organization_decides_on_the_type() {
    use MerchantAccountType::{Connected, Platform, Standard};
    let table = [
        (OrganizationType::Standard, true, None, Some(Standard)),
        (
            OrganizationType::Standard,
            false,
            Some(Standard),
            Some(Standard),
        ),
        (OrganizationType::Standard, false, Some(Connected), None),
        (OrganizationType::Standard, true, Some(Platform), None),
        (OrganizationType::Platform, true, None, Some(Platform)),
        (
            OrganizationType::Platform,
            true,
            Some(Connected),
            Some(Platform),
        ),
        (OrganizationType::Platform, false, None, Some(Standard)),
        (
            OrganizationType::Platform,
            false,
            Some(Connected),
            Some(Connected),
        ),
        (OrganizationType::Platform, false, Some(Platform), None),
    ];
    for (organization, is_first, asked, expected) in table {
        let answer = account_type(asked, organization, is_first);
        assert_eq!(answer.ok(), expected, "{organization} {is_first} {asked:?}");
    }
}

#[test]
fn the_default_profile_must_be_the_merchants_own() {
    let made = create(MerchantAccountUpdate::default()).expect("an account");
    let other = ProfileId::parse("pro_other").expect("an id");
    let update = MerchantAccountUpdate {
        default_profile: Some(other.clone()),
        ..MerchantAccountUpdate::default()
    };
    let refusal = Refusal::not_found(Object::BusinessProfile);
    let now = Timestamp::EPOCH;
    assert_eq!(made.account.update(update.clone(), &[], now), Err(refusal));
    let updated = made
        .account
        .update(update, std::slice::from_ref(&other), now);
    assert_eq!(updated.expect("an account").default_profile, Some(other));
}

#[test]
fn an_update_without_members_only_moves_the_time() {
    let made = create(MerchantAccountUpdate::default()).expect("an account");
    let later = Timestamp::EPOCH.plus_seconds(1).expect("in range");
    let updated = made
        .account
        .update(MerchantAccountUpdate::default(), &[], later);
    let expected = MerchantAccount {
        modified_at: later,
        ..made.account
    };
    assert_eq!(updated, Ok(expected));
}

#[test]
fn the_record_has_no_secret_in_it() {
    let made = create(MerchantAccountUpdate::default()).expect("an account");
    let record = serde_json::to_string(&made.account).expect("plain JSON");
    let secrets = made.account.secrets.to_sealable();
    let key = made
        .account
        .secrets
        .payment_response_hash_key
        .clone()
        .expect("a key");
    assert!(!record.contains(key.expose()));
    assert!(!format!("{:?}", made.account).contains(key.expose()));
    let mut restored: MerchantAccount = serde_json::from_str(&record).expect("an account");
    restored.secrets = MerchantSecrets::from_sealable(&secrets).expect("secrets");
    assert_eq!(restored, made.account);
}

#[test]
fn a_deleted_account_remembers_when() {
    let made = create(MerchantAccountUpdate::default()).expect("an account");
    let later = Timestamp::EPOCH.plus_seconds(1).expect("in range");
    let deleted = made.account.delete(later);
    assert_eq!(deleted.deleted_at, Some(later));
    let again = deleted.delete(later.plus_seconds(1).expect("in range"));
    assert_eq!(again.deleted_at, Some(later));
}
