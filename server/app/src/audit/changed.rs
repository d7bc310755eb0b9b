//! What a change-set makes, changes or deletes, as the audit log names it: objects that have an id of their own, without
//! what merely goes along with them.

use multirail_domain::audit::{Named, OBJECTS_AT_MOST};
use multirail_domain::billing::catalogue::{CatalogueEntry, CatalogueKind};

use crate::ports::{
    CatalogueChange, Change, ConnectorAccountChange, CustomerChange, DisputeChange, MandateChange,
    MerchantChange, PaymentChange, ProfileChange, RefundChange, SavedMethodChange,
    SubscriptionChange,
};

/// The objects of these changes, each once, as many as an entry may name.
pub(super) fn objects(changes: &[Change]) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for named in changes.iter().filter_map(object) {
        if found.len() < OBJECTS_AT_MOST && !found.contains(&named) {
            found.push(named);
        }
    }
    found
}

fn object(change: &Change) -> Option<Named> {
    match change {
        Change::Of(change) => change.audited(),
        Change::Payment(
            PaymentChange::Insert(payment)
            | PaymentChange::Update { after: payment, .. }
            | PaymentChange::Delete(payment),
        ) => Some(Named::new("payment", payment.payment_id.as_str())),
        Change::Customer(
            CustomerChange::Insert(customer)
            | CustomerChange::InsertIfNew(customer)
            | CustomerChange::Update(customer)
            | CustomerChange::Redact(customer),
        ) => Some(Named::new("customer", customer.customer_id.as_str())),
        Change::Refund(change) => refund(change),
        Change::Dispute(change) => dispute(change),
        Change::SavedMethod(change) => saved_method(change),
        Change::Mandate(change) => mandate(change),
        Change::Subscription(change) => {
            let id = match change {
                SubscriptionChange::Insert(standing) => &standing.subscription.subscription_id,
                SubscriptionChange::Update { subscription, .. }
                | SubscriptionChange::Delete(subscription) => &subscription.subscription_id,
                SubscriptionChange::Nudge {
                    subscription_id, ..
                }
                | SubscriptionChange::KeepOwners {
                    subscription_id, ..
                } => subscription_id,
            };
            let id = id.as_str();
            Some(Named::new("subscription", id))
        }
        Change::Merchant(change) => {
            let merchant_id = match change {
                MerchantChange::Insert(account) | MerchantChange::Update(account) => {
                    &account.merchant_id
                }
                MerchantChange::Delete { merchant_id, .. } => merchant_id,
            };
            Some(Named::new("merchant_account", merchant_id.as_str()))
        }
        Change::Profile(ProfileChange::Insert(profile) | ProfileChange::Update(profile)) => {
            Some(Named::new("business_profile", profile.profile_id.as_str()))
        }
        Change::ConnectorAccount(change) => {
            let id = match change {
                ConnectorAccountChange::Insert(account)
                | ConnectorAccountChange::Update(account) => &account.merchant_connector_id,
                ConnectorAccountChange::Delete {
                    merchant_connector_id,
                    ..
                } => merchant_connector_id,
            };
            Some(Named::new("connector_account", id.as_str()))
        }
        Change::Catalogue(change) => catalogue(change),
        Change::Payment(PaymentChange::Unchanged { .. })
        | Change::Held(_)
        | Change::Event(_)
        | Change::DynamicRouting(_) => None,
    }
}

fn refund(change: &RefundChange) -> Option<Named> {
    match change {
        RefundChange::Insert { refund, .. } | RefundChange::Update { after: refund, .. } => {
            Some(Named::new("refund", refund.refund_id.as_str()))
        }
        RefundChange::HoldCredentials { .. } | RefundChange::DeleteCredentials { .. } => None,
    }
}

fn dispute(change: &DisputeChange) -> Option<Named> {
    match change {
        DisputeChange::Insert(dispute) | DisputeChange::Update { after: dispute, .. } => {
            Some(Named::new("dispute", dispute.dispute_id.as_str()))
        }
        DisputeChange::KeepFile { file_id, .. } | DisputeChange::DeleteFile { file_id, .. } => {
            Some(Named::new("file", file_id.as_str()))
        }
    }
}

fn saved_method(change: &SavedMethodChange) -> Option<Named> {
    let id = match change {
        SavedMethodChange::Insert { method, .. }
        | SavedMethodChange::Update(method)
        | SavedMethodChange::Delete(method) => &method.payment_method_id,
        SavedMethodChange::SetDefault {
            payment_method_id, ..
        } => payment_method_id,
        SavedMethodChange::DeleteAll { .. }
        | SavedMethodChange::Hold(_)
        | SavedMethodChange::SaveHeld { .. }
        | SavedMethodChange::Learn { .. }
        | SavedMethodChange::ForgetHeld { .. }
        | SavedMethodChange::Used { .. }
        | SavedMethodChange::KeepConnectorCustomer { .. }
        | SavedMethodChange::ForgetConnectorCustomer { .. }
        | SavedMethodChange::GiveTokens { .. }
        | SavedMethodChange::ClaimToken { .. }
        | SavedMethodChange::FreeToken { .. }
        | SavedMethodChange::UseUpToken { .. } => return None,
    };
    Some(Named::new("payment_method", id.as_str()))
}

fn mandate(change: &MandateChange) -> Option<Named> {
    let id = match change {
        MandateChange::Insert(mandate) | MandateChange::Revoke(mandate) => &mandate.mandate_id,
        MandateChange::Renew(renewed) => &renewed.mandate_id,
        MandateChange::Use { .. }
        | MandateChange::GiveBack { .. }
        | MandateChange::RevokeOfMethod { .. } => return None,
    };
    Some(Named::new("mandate", id.as_str()))
}

fn catalogue(change: &CatalogueChange) -> Option<Named> {
    match change {
        CatalogueChange::Insert(entry) | CatalogueChange::Archive(entry) => {
            Some(Named::new(kind(entry), entry.id()))
        }
        CatalogueChange::Redeem { .. } | CatalogueChange::GiveBack { .. } => None,
    }
}

fn kind(entry: &CatalogueEntry) -> &'static str {
    match entry.kind() {
        CatalogueKind::Product => "subscription_product",
        CatalogueKind::Item => "subscription_item",
        CatalogueKind::Price => "subscription_item_price",
        CatalogueKind::Coupon => "subscription_coupon",
    }
}

#[cfg(test)]
mod tests {
    use multirail_platform::{Invalidates, SealedFor, StoreFailure, Writing};
    use multirail_sql::Write;

    use super::*;

    /// A change of an object that this crate doesn't know.
    #[derive(Debug)]
    struct Foreign(Option<&'static str>);

    impl multirail_platform::Change for Foreign {
        fn write(&self, _: &Writing<'_>, _: &mut Vec<Write>) -> Result<(), StoreFailure> {
            Ok(())
        }

        fn invalidates(&self) -> Invalidates {
            Invalidates::Nothing
        }

        fn sealed_for(&self) -> SealedFor<'_> {
            SealedFor::Nobody
        }

        fn audited(&self) -> Option<Named> {
            self.0.map(|id| Named::new("parcel", id))
        }
    }

    #[test]
    fn a_change_names_its_object_itself() {
        let changes = ["p_1", "p_2", "p_1"].map(|id| Change::Of(Box::new(Foreign(Some(id)))));
        let expected = ["p_1", "p_2"].map(|id| Named::new("parcel", id));
        assert_eq!(objects(&changes), expected);
        assert_eq!(objects(&[Change::Of(Box::new(Foreign(None)))]), []);
    }
}
