//! Platforms that act for the merchants connected to them.

use multirail_kernel::words::words;

use crate::accounts::merchant::{MerchantAccount, MerchantAccountType};

words! {
    /// The account that made a payment, if a platform acts for its merchants.
    pub enum Initiator {
        /// The platform, on behalf of a connected merchant.
        Platform = "platform",
        /// The connected merchant, with its own secret key.
        Connected = "connected",
    }
}

impl MerchantAccount {
    /// Returns whether the secret keys of this account may make calls for `other`. This account has to be the platform of the
    /// organization in which `other` is a connected account. Both have to be open.
    pub fn acts_for(&self, other: &MerchantAccount) -> bool {
        let is_open = |account: &MerchantAccount| account.deleted_at.is_none();
        self.is_platform()
            && other.merchant_account_type == MerchantAccountType::Connected
            && self.organization_id == other.organization_id
            && is_open(self)
            && is_open(other)
    }

    /// Returns whether this account is its organization's platform.
    pub fn is_platform(&self) -> bool {
        self.merchant_account_type == MerchantAccountType::Platform
    }

    /// Returns who made a payment of this merchant with a secret key. `by_platform`: the key was the platform's. `None` if no
    /// platform acts for the merchant.
    pub fn initiator(&self, by_platform: bool) -> Option<Initiator> {
        match (self.merchant_account_type, by_platform) {
            (MerchantAccountType::Connected, true) => Some(Initiator::Platform),
            (MerchantAccountType::Connected, false) => Some(Initiator::Connected),
            (MerchantAccountType::Standard | MerchantAccountType::Platform, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::merchant::{MerchantAccountUpdate, NewMerchantAccount};
    use crate::accounts::organization::Organization;
    use multirail_kernel::environment::Environment;
    use multirail_kernel::ids::MerchantId;
    use multirail_kernel::random::SeededRandom;
    use multirail_kernel::timestamp::Timestamp;

    const NOW: Timestamp = Timestamp::EPOCH;

    fn platform(seed: u64, merchant_id: &str) -> Organization {
        let merchant_id = MerchantId::parse(merchant_id).expect("an id");
        Organization::platform(
            "Hall".to_owned(),
            merchant_id,
            NOW,
            &SeededRandom::new(seed),
        )
    }

    fn account(
        organization: &Organization,
        merchant_id: &str,
        asked: Option<MerchantAccountType>,
    ) -> MerchantAccount {
        let is_first = organization
            .platform_merchant_id
            .as_ref()
            .is_some_and(|id| id.as_str() == merchant_id);
        let input = NewMerchantAccount {
            merchant_id: MerchantId::parse(merchant_id).expect("an id"),
            merchant_account_type: asked,
            settings: MerchantAccountUpdate::default(),
        };
        let random = SeededRandom::new(9);
        let made = MerchantAccount::create(
            input,
            organization,
            is_first,
            Environment::Sandbox,
            NOW,
            &random,
        );
        made.expect("an account").account
    }

    #[test]
    fn only_a_platform_acts_and_only_for_its_connected_accounts() {
        let connected = Some(MerchantAccountType::Connected);
        let (hall, arcade) = (platform(1, "hall"), platform(2, "arcade"));
        let of_hall = account(&hall, "hall", None);
        let stall = account(&hall, "stall", connected);
        let other_stall = account(&hall, "other_stall", connected);
        let shop = account(&hall, "shop", None);
        let of_arcade = account(&arcade, "arcade", None);
        let booth = account(&arcade, "booth", connected);
        let all = [&of_hall, &stall, &other_stall, &shop, &of_arcade, &booth];
        let mut acting = Vec::new();
        for one in all {
            for other in all {
                if one.acts_for(other) {
                    acting.push((one.merchant_id.as_str(), other.merchant_id.as_str()));
                }
            }
        }
        let wanted = [
            ("hall", "stall"),
            ("hall", "other_stall"),
            ("arcade", "booth"),
        ];
        assert_eq!(acting, wanted);
        assert!(!of_hall.acts_for(&stall.delete(NOW)));
        assert!(!of_hall.delete(NOW).acts_for(&stall));
    }

    #[test]
    fn the_initiator_is_known_where_a_platform_may_act() {
        let hall = platform(1, "hall");
        let stall = account(&hall, "stall", Some(MerchantAccountType::Connected));
        assert_eq!(stall.initiator(true), Some(Initiator::Platform));
        assert_eq!(stall.initiator(false), Some(Initiator::Connected));
        for plain in ["hall", "shop"] {
            assert_eq!(account(&hall, plain, None).initiator(false), None);
        }
    }
}
