//! Unique indexes by name, and the identity that each guards. An insert names its own collision. An update (a new profile
//! name, a new label) violates the index, which has the same name on both engines.

use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;

use super::record::failure;
use crate::engine::{ConstraintKind, StoreError};

/// Translates the error of a write for the use cases.
pub(crate) fn commit_error(error: StoreError) -> CommitError {
    let taken = match &error {
        // The card of a deleted method is saved again at this very moment.
        StoreError::Constraint {
            kind: ConstraintKind::ForeignKey,
            name,
        } if name == "payment_methods_card" => return CommitError::Conflict,
        StoreError::Constraint {
            kind: ConstraintKind::Unique,
            name,
        } => identity(name),
        StoreError::Constraint {
            kind: ConstraintKind::Check | ConstraintKind::ForeignKey | ConstraintKind::NotNull,
            ..
        }
        | StoreError::Overloaded
        | StoreError::Unavailable(_)
        | StoreError::Standstill(..)
        | StoreError::TimedOut
        | StoreError::OutcomeUnknown(_)
        | StoreError::Closed
        | StoreError::Locked { .. }
        | StoreError::Statement(_)
        | StoreError::Column { .. }
        | StoreError::NulInText(_)
        | StoreError::Open(_)
        | StoreError::Migration(_) => None,
    };
    match taken {
        Some(what) => CommitError::Duplicate(what),
        None => failure(error).into(),
    }
}

fn identity(index: &str) -> Option<&'static str> {
    match index {
        "business_profiles_name" => Some(duplicate::PROFILE_NAME),
        "connector_accounts_label" => Some(duplicate::CONNECTOR_LABEL),
        _ => None,
    }
}
