//! The status of a mandate, and its moves. (Facts 1.3, 3.15)

pub use multirail_kernel::statuses::MandateStatus;

/// A change of a mandate's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MandateMove {
    /// The payment with which the payer agreed is approved.
    Approve,
    /// The single permitted charge is made.
    UseUp,
    /// The single charge failed, so it may be made again.
    GiveBack,
    Revoke,
}

impl MandateMove {
    /// All moves.
    pub const ALL: [MandateMove; 4] = [
        MandateMove::Approve,
        MandateMove::UseUp,
        MandateMove::GiveBack,
        MandateMove::Revoke,
    ];

    /// Returns the status after the move, or `None` if the move isn't allowed. This is the only rule for moves. The store's
    /// conditional statements repeat it.
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
