//! Merchant accounts, wire to domain and back. Members that no rule of ours reads become notes under their wire names;
//! what is typed is taken out first, so that nothing is lost when the document gains a member.

use multirail_app::merchant_accounts::CreateMerchantAccount;
use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::merchant::{
    BusinessDetail, MerchantAccount, MerchantAccountType, MerchantAccountUpdate,
};
use multirail_domain::refusal::Refusal;
use multirail_domain::secret::SecretText;
use multirail_domain::unread::UnreadMembers;
use multirail_types as types;
use serde_json::{Map, Value};

use super::webhook_details::{self, word};
use super::{members, note, take};

/// # Errors
/// A word that this version doesn't know.
pub(crate) fn create(
    mut wire: types::MerchantAccountCreateRequest,
) -> Result<CreateMerchantAccount, Refusal> {
    let webhook = wire.webhook_details.take();
    let details = wire.primary_business_details.take();
    let account_type = wire.merchant_account_type.take();
    let mut rest = members(&wire);
    rest.remove("merchant_id");
    Ok(CreateMerchantAccount {
        merchant_id: wire.merchant_id,
        merchant_account_type: asked_type(account_type.as_ref())?,
        organization_id: take(&mut rest, "organization_id"),
        settings: settings(rest, webhook, details)?,
    })
}

/// # Errors
/// Another merchant's id than the path's, a profile id that is none, a word that this version doesn't know.
pub(crate) fn update(
    mut wire: types::MerchantAccountUpdateRequest,
    merchant_id: &MerchantId,
) -> Result<MerchantAccountUpdate, Refusal> {
    let webhook = wire.webhook_details.take();
    let details = wire.primary_business_details.take();
    let default_profile = wire.default_profile.take();
    let mut rest = members(&wire);
    let named: Option<String> = take(&mut rest, "merchant_id");
    if named.is_some_and(|named| named.trim() != merchant_id.as_str()) {
        return Err(Refusal::invalid_value(
            "merchant_id is not the one of the path, and it can't change",
        ));
    }
    let default_profile = default_profile.as_deref().map(ProfileId::parse);
    let default_profile = default_profile
        .transpose()
        .map_err(|invalid| invalid.refusal("default_profile"))?;
    Ok(MerchantAccountUpdate {
        default_profile,
        ..settings(rest, webhook, details)?
    })
}

fn settings(
    mut rest: Map<String, Value>,
    webhook: Option<types::WebhookDetailsRequest>,
    details: Option<Vec<types::PrimaryBusinessDetails>>,
) -> Result<MerchantAccountUpdate, Refusal> {
    refuse_not_built(&mut rest)?;
    let key: Option<String> = take(&mut rest, "payment_response_hash_key");
    Ok(MerchantAccountUpdate {
        merchant_name: take(&mut rest, "merchant_name"),
        return_url: take(&mut rest, "return_url"),
        webhook: webhook.map(webhook_details::input).transpose()?,
        enable_payment_response_hash: take(&mut rest, "enable_payment_response_hash"),
        payment_response_hash_key: key.map(SecretText::new),
        redirect_to_merchant_with_http_post: take(&mut rest, "redirect_to_merchant_with_http_post"),
        primary_business_details: details.map(business_details).transpose()?,
        default_profile: None,
        notes: rest,
    })
}

/// Takes out what asks for sub-merchants. What `locker_id` and `product_type` say stays a note.
///
/// # Errors
/// A sub-merchant or its parent, and a product that isn't ours.
fn refuse_not_built(rest: &mut Map<String, Value>) -> Result<(), Refusal> {
    const PRODUCT: &str = "orchestration";
    let not_supported = |flow: String| Err(Refusal::FlowNotSupported { flow });
    let is_sub_merchant: Option<bool> = take(rest, "sub_merchants_enabled");
    let parent: Option<String> = take(rest, "parent_merchant_id");
    if is_sub_merchant == Some(true) {
        return not_supported("sub_merchants_enabled".to_owned());
    }
    let has_parent = parent.is_some_and(|parent| !parent.is_empty());
    if has_parent && is_sub_merchant != Some(false) {
        return not_supported("parent_merchant_id".to_owned());
    }
    let product: Option<String> = note(rest, "product_type");
    match product.as_deref() {
        None | Some(PRODUCT) => Ok(()),
        Some("") => {
            rest.remove("product_type");
            Ok(())
        }
        Some(_) => not_supported(format!("product_type other than `{PRODUCT}`")),
    }
}

fn business_details(
    wire: Vec<types::PrimaryBusinessDetails>,
) -> Result<Vec<BusinessDetail>, Refusal> {
    let read = |detail: types::PrimaryBusinessDetails| {
        Ok(BusinessDetail {
            country: word(&detail.country, "primary_business_details.country")?,
            business: detail.business,
            unread: UnreadMembers::default(),
        })
    };
    wire.into_iter().map(read).collect()
}

/// The account as it is answered.
pub(crate) fn answer(account: &MerchantAccount) -> types::MerchantAccount {
    let key = &account.secrets.payment_response_hash_key;
    types::MerchantAccount {
        merchant_id: account.merchant_id.to_string(),
        merchant_name: account.merchant_name.clone(),
        organization_id: account.organization_id.to_string(),
        merchant_account_type: account.merchant_account_type.as_str().into(),
        publishable_key: account.publishable_key.clone(),
        default_profile: account.default_profile.as_ref().map(ToString::to_string),
        merchant_details: note(&account.notes, "merchant_details"),
        return_url: account.return_url.clone(),
        webhook_details: account.webhook.as_ref().map(webhook_details::answer),
        enable_payment_response_hash: account.enable_payment_response_hash,
        payment_response_hash_key: key.clone().unwrap_or_default().expose().to_owned(),
        redirect_to_merchant_with_http_post: account.redirect_to_merchant_with_http_post,
        primary_business_details: account
            .primary_business_details
            .iter()
            .map(|detail| types::PrimaryBusinessDetails {
                country: detail.country.as_str().into(),
                business: detail.business.clone(),
            })
            .collect(),
        locker_id: note(&account.notes, "locker_id"),
        product_type: note(&account.notes, "product_type"),
        metadata: note(&account.notes, "metadata"),
    }
}

/// What a new account is to be in its organization.
///
/// # Errors
/// A word that this version doesn't know.
pub(crate) fn asked_type(
    asked: Option<&types::MerchantAccountRequestType>,
) -> Result<Option<MerchantAccountType>, Refusal> {
    let asked = asked.map(|asked| word(&asked.as_str(), "merchant_account_type"));
    asked.transpose()
}

#[cfg(test)]
mod tests {
    use multirail_domain::environment::Environment;
    use multirail_domain::merchant::NewMerchantAccount;
    use multirail_domain::organization::Organization;
    use multirail_domain::random::SeededRandom;
    use multirail_domain::timestamp::Timestamp;

    use super::*;
    use serde_json::json;

    fn account(given: Value) -> MerchantAccount {
        let wire = serde_json::from_value(given).expect("a request");
        let request = create(wire).expect("a request of ours");
        let random = SeededRandom::new(1);
        MerchantAccount::create(
            NewMerchantAccount {
                merchant_id: MerchantId::parse(&request.merchant_id).expect("an id"),
                merchant_account_type: None,
                settings: request.settings,
            },
            &Organization::standard(None, Timestamp::EPOCH, &random),
            true,
            Environment::Sandbox,
            Timestamp::EPOCH,
            &random,
        )
        .expect("an account")
        .account
    }

    #[test]
    fn what_was_sent_comes_back() {
        let given = json!({
            "merchant_id": "bookshop",
            "merchant_name": "The Bookshop",
            "merchant_details": {"primary_email": "ida@bookshop.example", "address": {"zip": "04101", "country": "US"}},
            "return_url": "https://bookshop.example/paid",
            "webhook_details": {"webhook_url": "https://bookshop.example/notifications"},
            "enable_payment_response_hash": true,
            "payment_response_hash_key": "a key of the merchant",
            "redirect_to_merchant_with_http_post": true,
            "metadata": {"account_manager": "Ida", "null": null},
            "primary_business_details": [{"country": "US", "business": "books"}],
        });
        let answered = serde_json::to_value(answer(&account(given.clone()))).expect("plain JSON");
        for (member, value) in given.as_object().expect("an object") {
            assert_eq!(&answered[member], value, "{member}");
        }
        assert_eq!(answered["merchant_account_type"], "standard");
        assert!(answered["default_profile"].is_string());
    }

    #[test]
    fn a_bare_account_leaves_out_what_is_unset() {
        let answered = serde_json::to_value(answer(&account(json!({"merchant_id": "bookshop"}))));
        let answered = answered.expect("plain JSON");
        for member in [
            "merchant_name",
            "merchant_details",
            "webhook_details",
            "metadata",
        ] {
            assert!(answered.get(member).is_none(), "{member}");
        }
        assert_eq!(answered["primary_business_details"], json!([]));
    }

    #[test]
    fn the_id_may_be_repeated_and_not_changed() {
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let request = |named: &str| types::MerchantAccountUpdateRequest {
            merchant_id: Some(named.to_owned()),
            merchant_name: Some("The Bookshop".to_owned()),
            ..types::MerchantAccountUpdateRequest::default()
        };
        let repeated = update(request("bookshop"), &merchant_id).expect("an update");
        assert_eq!(repeated.merchant_name.as_deref(), Some("The Bookshop"));
        assert_eq!(repeated.notes, Map::new());
        let other = update(request("flower_shop"), &merchant_id);
        assert!(matches!(other, Err(Refusal::InvalidValue { .. })));
    }
}
