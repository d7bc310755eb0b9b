//! How a mandate stands. (Facts 1.3, 3.15)

pub use multirail_kernel::statuses::MandateStatus;

/// What moves a mandate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MandateMove {
    /// The payment by which its payer agreed is approved.
    Approve,
    /// It is charged the one time that it may be.
    UseUp,
    /// That charge has come to nothing.
    GiveBack,
    Revoke,
}

impl MandateMove {
    /// All of them.
    pub const ALL: [MandateMove; 4] = [
        MandateMove::Approve,
        MandateMove::UseUp,
        MandateMove::GiveBack,
        MandateMove::Revoke,
    ];

    /// The status that the move leads to from this one; nothing where it can't be made. The one place that says so: statements in the store that are
    /// conditional on a status repeat it.
    pub fn after(self, status: MandateStatus) -> Option<MandateStatus> {
        match (status, self) {
            (MandateStatus::Pending, MandateMove::Approve)
            | (MandateStatus::Inactive, MandateMove::GiveBack) => Some(MandateStatus::Active),
            (MandateStatus::Active, MandateMove::UseUp) => Some(MandateStatus::Inactive),
            (
                MandateStatus::Pending | MandateStatus::Active | MandateStatus::Inactive,
                MandateMove::Revoke,
            ) => Some(MandateStatus::Revoked),
            (MandateStatus::Pending, MandateMove::UseUp | MandateMove::GiveBack)
            | (MandateStatus::Active, MandateMove::Approve | MandateMove::GiveBack)
            | (MandateStatus::Inactive, MandateMove::Approve | MandateMove::UseUp)
            | (
                MandateStatus::Revoked,
                MandateMove::Approve
                | MandateMove::UseUp
                | MandateMove::GiveBack
                | MandateMove::Revoke,
            ) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_from_every_status() {
        let mut table = String::new();
        for &status in MandateStatus::ALL {
            for by in MandateMove::ALL {
                let after = by.after(status).map_or("-", MandateStatus::as_str);
                table += &format!("{status} {by:?}: {after}\n");
            }
        }
        insta::assert_snapshot!(table, @r"
        pending Approve: active
        pending UseUp: -
        pending GiveBack: -
        pending Revoke: revoked
        active Approve: -
        active UseUp: inactive
        active GiveBack: -
        active Revoke: revoked
        inactive Approve: -
        inactive UseUp: -
        inactive GiveBack: active
        inactive Revoke: revoked
        revoked Approve: -
        revoked UseUp: -
        revoked GiveBack: -
        revoked Revoke: -
        ");
    }
}
