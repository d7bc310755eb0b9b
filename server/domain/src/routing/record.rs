//! A stored routing configuration. It never changes; a new one replaces it. (Specification 2.4; facts 10.5)

use std::borrow::Borrow;

use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::random::Random;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::ConnectorType;
use serde::{Deserialize, Serialize};

use super::algorithm::{Algorithm, AlgorithmKind};
use super::dynamic::DynamicAlgorithm;
use super::straight_through::Choice;
use crate::accounts::connector_account::ConnectorAccount;
use crate::accounts::profile::TransactionType;

/// The largest numbers of characters of name and description.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 256;

/// A routing configuration of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutingRecord {
    pub routing_id: RoutingId,
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub name: String,
    pub description: String,
    pub algorithm: Algorithm,
    /// The kind of transactions that it routes.
    pub transaction_type: TransactionType,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input for a new configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRouting {
    pub name: String,
    pub description: String,
    pub algorithm: Algorithm,
    /// Follows from the algorithm if `None`.
    pub transaction_type: Option<TransactionType>,
}

impl RoutingRecord {
    /// Creates a configuration of a profile. `accounts` are the profile's accounts, with disabled ones.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] for texts out of bounds. [`Refusal::InvalidValue`], which names the member, for a
    /// `transaction_type` that the kind can't have, or for a choice that isn't an account of the profile.
    pub fn create<A: Borrow<ConnectorAccount>>(
        new: NewRouting,
        merchant_id: MerchantId,
        profile_id: ProfileId,
        accounts: &[A],
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<Self, Refusal> {
        check_text("name", &new.name, 1, LONGEST_NAME)?;
        check_text("description", &new.description, 0, LONGEST_DESCRIPTION)?;
        let transaction_type = transaction_type(&new)?;
        let record = RoutingRecord {
            routing_id: RoutingId::generate(random),
            merchant_id,
            profile_id,
            name: new.name.trim().to_owned(),
            description: new.description,
            algorithm: new.algorithm,
            transaction_type,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        record
            .algorithm
            .check_choices(&|choice, path| record.check_choice(choice, path, accounts))?;
        Ok(record)
    }

    /// Returns the kind of its algorithm.
    pub fn kind(&self) -> AlgorithmKind {
        self.algorithm.kind()
    }

    /// Returns the dynamic algorithm, if it has one.
    pub fn dynamic(&self) -> Option<&DynamicAlgorithm> {
        match &self.algorithm {
            Algorithm::Dynamic(dynamic) => Some(dynamic),
            Algorithm::Single(_)
            | Algorithm::Priority(_)
            | Algorithm::VolumeSplit(_)
            | Algorithm::Advanced(_)
            | Algorithm::ThreeDsDecisionRule(_) => None,
        }
    }

    fn check_choice<A: Borrow<ConnectorAccount>>(
        &self,
        choice: &Choice,
        path: &str,
        accounts: &[A],
    ) -> Result<(), Refusal> {
        let wanted = self.transaction_type.routable();
        let mut accounts = accounts
            .iter()
            .map(Borrow::borrow)
            .filter(|account| Some(account.connector_type) == wanted);
        let (found, member, what) = match &choice.merchant_connector_id {
            None => (
                accounts.any(|account| account.connector_name == choice.connector),
                "connector",
                "no connector that the profile has an account at",
            ),
            Some(id) => {
                let found = accounts.find(|account| account.merchant_connector_id == *id);
                match found {
                    None => (
                        false,
                        "merchant_connector_id",
                        "no connector account of the profile",
                    ),
                    Some(account) => (
                        account.connector_name == choice.connector,
                        "connector",
                        "another connector than that of the account beside it",
                    ),
                }
            }
        };
        match found {
            true => Ok(()),
            false => Err(Refusal::invalid_value(format!(
                "{path}.{member} names {what}"
            ))),
        }
    }
}

impl TransactionType {
    /// Returns the type of accounts that such a configuration may name.
    pub fn routable(self) -> Option<ConnectorType> {
        match self {
            TransactionType::Payment => Some(ConnectorType::PaymentProcessor),
            TransactionType::Payout => Some(ConnectorType::PayoutProcessor),
            TransactionType::ThreeDsAuthentication => None,
        }
    }
}

fn transaction_type(new: &NewRouting) -> Result<TransactionType, Refusal> {
    let is_about_accounts = match new.algorithm.kind() {
        AlgorithmKind::ThreeDsDecisionRule => false,
        AlgorithmKind::Single
        | AlgorithmKind::Priority
        | AlgorithmKind::VolumeSplit
        | AlgorithmKind::Advanced
        | AlgorithmKind::Dynamic => true,
    };
    match (new.transaction_type, is_about_accounts) {
        (None, true) => Ok(TransactionType::Payment),
        (None | Some(TransactionType::ThreeDsAuthentication), false) => {
            Ok(TransactionType::ThreeDsAuthentication)
        }
        (Some(given @ (TransactionType::Payment | TransactionType::Payout)), true) => Ok(given),
        (Some(TransactionType::ThreeDsAuthentication), true) => Err(Refusal::invalid_value(
            "transaction_type can be three_ds_authentication only where algorithm.type is three_ds_decision_rule",
        )),
        (Some(TransactionType::Payment | TransactionType::Payout), false) => {
            Err(Refusal::invalid_value(
                "transaction_type has to be three_ds_authentication where algorithm.type is three_ds_decision_rule",
            ))
        }
    }
}

fn check_text(member: &str, text: &str, least: usize, most: usize) -> Result<(), Refusal> {
    let length = text.trim().chars().count();
    match (least..=most).contains(&length) {
        true => Ok(()),
        false => Err(Refusal::invalid_format(
            member,
            format!("{least} to {most} characters"),
        )),
    }
}
