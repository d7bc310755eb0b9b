//! Merchant accounts, wire to domain and back. Members that no rule of ours reads become notes under their wire names.
//! Requests are destructured, so that the compiler finds new members of the document.

use multirail_app::accounts::merchant_accounts::CreateMerchantAccount;
use multirail_domain::accounts::merchant::{
    BusinessDetail, MerchantAccount, MerchantAccountType, MerchantAccountUpdate,
};
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_types as types;
use serde_json::{Map, Value};

use super::webhook_details;
use crate::platform::convert::words::{ToWire, word};
use crate::platform::convert::{note, noted, refuse_asked, take_apart};

/// Declares the members that create and update share, and the macro that takes a request apart into them and its own.
macro_rules! settings {
    ($dollar:tt $($member:ident: $type:ty,)+) => {
        struct Settings {
            $($member: $type,)+
        }

        macro_rules! taken_apart {
            ($wire:ident: $request:ident { $dollar($own:ident),+ }) => {{
                let types::$request { $dollar($own,)+ $($member,)+ } = $wire;
                (Settings { $($member,)+ }, $dollar($own),+)
            }};
        }
    };
}

settings! { $
    merchant_name: Option<String>,
    merchant_details: Option<types::MerchantDetails>,
    return_url: Option<String>,
    webhook_details: Option<types::WebhookDetailsRequest>,
    enable_payment_response_hash: Option<bool>,
    payment_response_hash_key: Option<String>,
    redirect_to_merchant_with_http_post: Option<bool>,
    metadata: Option<Map<String, Value>>,
    primary_business_details: Option<Vec<types::PrimaryBusinessDetails>>,
    sub_merchants_enabled: Option<bool>,
    parent_merchant_id: Option<String>,
    locker_id: Option<String>,
    publishable_key: Option<String>,
    product_type: Option<String>,
    routing_algorithm: Option<Map<String, Value>>,
    frm_routing_algorithm: Option<Map<String, Value>>,
    payout_routing_algorithm: Option<Map<String, Value>>,
    pm_collect_link_config: Option<Map<String, Value>>,
}

/// Converts a request to create a merchant account.
///
/// # Errors
///
/// A word that this version doesn't know.
pub(crate) fn create(
    wire: types::MerchantAccountCreateRequest,
) -> Result<CreateMerchantAccount, Refusal> {
    let (settings, merchant_id, organization_id, account_type) = taken_apart!(
        wire: MerchantAccountCreateRequest { merchant_id, organization_id, merchant_account_type }
    );
    Ok(CreateMerchantAccount {
        merchant_id,
        merchant_account_type: asked_type(account_type.as_ref())?,
        organization_id,
        settings: settings.read(None)?,
    })
}

/// Converts a request to update a merchant account.
///
/// # Errors
///
/// Another merchant's id than the path's, an invalid profile id, a word that this version doesn't know.
pub(crate) fn update(
    wire: types::MerchantAccountUpdateRequest,
    merchant_id: &MerchantId,
) -> Result<MerchantAccountUpdate, Refusal> {
    let (settings, named, default_profile, account_type) = taken_apart!(
        wire: MerchantAccountUpdateRequest { merchant_id, default_profile, merchant_account_type }
    );
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
        ..settings.read(account_type)?
    })
}

impl Settings {
    /// Reads the settings. An update may repeat the account's kind, which can't change.
    ///
    /// # Errors
    /// A sub-merchant or its parent, another product, a word that this version doesn't know.
    fn read(self, merchant_account_type: Option<String>) -> Result<MerchantAccountUpdate, Refusal> {
        let settings = self;
        take_apart!(settings: Settings {
            merchant_name,
            return_url,
            webhook_details,
            enable_payment_response_hash,
            payment_response_hash_key,
            redirect_to_merchant_with_http_post,
            primary_business_details,
            sub_merchants_enabled,
            parent_merchant_id,
            product_type,
        } noting others {
            merchant_details,
            metadata,
            locker_id,
            publishable_key,
            routing_algorithm,
            frm_routing_algorithm,
            payout_routing_algorithm,
            pm_collect_link_config,
        });
        // Only a sub-merchant has a parent.
        let has_parent = parent_merchant_id.is_some_and(|parent| !parent.is_empty());
        refuse_asked(&[
            ("sub_merchants_enabled", sub_merchants_enabled),
            (
                "parent_merchant_id",
                Some(has_parent && sub_merchants_enabled.is_none()),
            ),
        ])?;
        let product_type = our_product(product_type)?;
        let mut notes = noted! { merchant_account_type, product_type };
        notes.extend(others);
        Ok(MerchantAccountUpdate {
            merchant_name,
            return_url,
            webhook: webhook_details.map(webhook_details::input).transpose()?,
            enable_payment_response_hash,
            payment_response_hash_key: payment_response_hash_key.map(SecretText::new),
            redirect_to_merchant_with_http_post,
            primary_business_details: primary_business_details.map(business_details).transpose()?,
            default_profile: None,
            notes,
        })
    }
}

/// Reads the product, of which there is only one.
///
/// # Errors
///
/// Another product.
fn our_product(asked: Option<String>) -> Result<Option<String>, Refusal> {
    const PRODUCT: &str = "orchestration";
    match asked.filter(|product| !product.is_empty()) {
        Some(product) if product != PRODUCT => Err(Refusal::FlowNotSupported {
            flow: format!("product_type other than `{PRODUCT}`"),
        }),
        product => Ok(product),
    }
}

fn business_details(
    wire: Vec<types::PrimaryBusinessDetails>,
) -> Result<Vec<BusinessDetail>, Refusal> {
    let read = |types::PrimaryBusinessDetails { country, business }| {
        Ok(BusinessDetail {
            country: word(&country, "primary_business_details.country")?,
            business,
            unread: UnreadMembers::default(),
        })
    };
    wire.into_iter().map(read).collect()
}

/// Returns the account's answer.
pub(crate) fn answer(account: &MerchantAccount) -> types::MerchantAccount {
    let key = &account.secrets.payment_response_hash_key;
    types::MerchantAccount {
        merchant_id: account.merchant_id.to_string(),
        merchant_name: account.merchant_name.clone(),
        organization_id: account.organization_id.to_string(),
        merchant_account_type: account.merchant_account_type.to_wire(),
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
                country: detail.country.to_wire(),
                business: detail.business.clone(),
            })
            .collect(),
        locker_id: note(&account.notes, "locker_id"),
        product_type: note(&account.notes, "product_type"),
        metadata: note(&account.notes, "metadata"),
    }
}

/// Reads the role of a new account in its organization.
///
/// # Errors
/// A word that this version doesn't know.
pub fn asked_type(
    asked: Option<&types::MerchantAccountRequestType>,
) -> Result<Option<MerchantAccountType>, Refusal> {
    let asked = asked.map(|asked| word(asked, "merchant_account_type"));
    asked.transpose()
}

#[cfg(test)]
mod tests {
    use multirail_domain::accounts::merchant::NewMerchantAccount;
    use multirail_domain::accounts::organization::Organization;
    use multirail_kernel::environment::Environment;
    use multirail_kernel::random::SeededRandom;
    use multirail_kernel::timestamp::Timestamp;

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
