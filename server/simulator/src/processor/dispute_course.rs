//! The course of a simulated dispute. The amount decides its first state, and words in the evidence
//! decide its outcome, as in public sandboxes. All stages and statuses can be reached without a
//! script.

use multirail_sdk::connector::{DisputeStage, DisputeStatus};

/// Stage and status of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub stage: DisputeStage,
    pub status: DisputeStatus,
}

/// The first state of a dispute, and the state that it reaches by itself later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    pub raised: Standing,
    pub later: Option<Standing>,
}

const fn at(stage: DisputeStage, status: DisputeStatus) -> Standing {
    Standing { stage, status }
}

impl Course {
    /// Returns the course for the last two digits of the requested amount.
    pub fn of_amount(amount: i64) -> Self {
        use DisputeStage::{Arbitration, Dispute, PreArbitration, PreDispute};
        use DisputeStatus::{Cancelled, Expired, Opened};
        let (stage, later) = match amount.rem_euclid(100) {
            11 => (PreDispute, None),
            12 => (PreArbitration, None),
            13 => (Arbitration, None),
            14 => (Dispute, Some(at(Dispute, Expired))),
            15 => (Dispute, Some(at(Dispute, Cancelled))),
            16 => (PreDispute, Some(at(Dispute, Opened))),
            _ => (Dispute, None),
        };
        Course {
            raised: at(stage, Opened),
            later,
        }
    }
}

impl Standing {
    /// Returns the dispute's next state for this evidence, or `None` if no text contains a known
    /// word.
    pub fn judge<'a>(self, mut texts: impl Iterator<Item = &'a String>) -> Option<Standing> {
        texts.find_map(|text| {
            let has = |word: &str| text.contains(word);
            match () {
                () if has("winning_evidence") => Some(at(self.stage, DisputeStatus::Won)),
                () if has("losing_evidence") => Some(at(self.stage, DisputeStatus::Lost)),
                () if has("escalating_evidence") => Some(self.escalated()),
                () if has("reversing_evidence") => {
                    Some(at(DisputeStage::DisputeReversal, DisputeStatus::Won))
                }
                () => None,
            }
        })
    }

    /// Returns the state after the issuer insists. Arbitration has no next stage.
    fn escalated(self) -> Standing {
        let next = match self.stage {
            DisputeStage::PreDispute => DisputeStage::Dispute,
            DisputeStage::Dispute => DisputeStage::PreArbitration,
            DisputeStage::PreArbitration => DisputeStage::Arbitration,
            DisputeStage::Arbitration | DisputeStage::DisputeReversal => {
                return at(self.stage, DisputeStatus::Lost);
            }
        };
        at(next, DisputeStatus::Opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(standing: Standing) -> String {
        format!("{} {}", standing.stage, standing.status)
    }

    #[test]
    fn every_stage_and_status_is_reached() {
        let mut lines = Vec::new();
        for digits in [0, 11, 12, 13, 14, 15, 16] {
            let Course { raised, later } = Course::of_amount(6500 + digits);
            let later = later.map(|later| format!(", then {}", said(later)));
            lines.push(format!(
                "..{digits:02}: {}{}",
                said(raised),
                later.unwrap_or_default()
            ));
        }
        for stage in DisputeStage::ALL {
            let standing = at(*stage, DisputeStatus::Challenged);
            for word in ["winning", "losing", "escalating", "reversing"] {
                let text = format!("this is {word}_evidence.");
                let judged = standing.judge([&text].into_iter()).expect("a word");
                lines.push(format!("{stage}, {word}: {}", said(judged)));
            }
        }
        let no_word = "it was delivered".to_owned();
        let standing = at(DisputeStage::Dispute, DisputeStatus::Challenged);
        assert_eq!(standing.judge([&no_word].into_iter()), None);
        insta::assert_snapshot!(lines.join("\n"), @"
        ..00: dispute dispute_opened
        ..11: pre_dispute dispute_opened
        ..12: pre_arbitration dispute_opened
        ..13: arbitration dispute_opened
        ..14: dispute dispute_opened, then dispute dispute_expired
        ..15: dispute dispute_opened, then dispute dispute_cancelled
        ..16: pre_dispute dispute_opened, then dispute dispute_opened
        pre_dispute, winning: pre_dispute dispute_won
        pre_dispute, losing: pre_dispute dispute_lost
        pre_dispute, escalating: dispute dispute_opened
        pre_dispute, reversing: dispute_reversal dispute_won
        dispute, winning: dispute dispute_won
        dispute, losing: dispute dispute_lost
        dispute, escalating: pre_arbitration dispute_opened
        dispute, reversing: dispute_reversal dispute_won
        pre_arbitration, winning: pre_arbitration dispute_won
        pre_arbitration, losing: pre_arbitration dispute_lost
        pre_arbitration, escalating: arbitration dispute_opened
        pre_arbitration, reversing: dispute_reversal dispute_won
        arbitration, winning: arbitration dispute_won
        arbitration, losing: arbitration dispute_lost
        arbitration, escalating: arbitration dispute_lost
        arbitration, reversing: dispute_reversal dispute_won
        dispute_reversal, winning: dispute_reversal dispute_won
        dispute_reversal, losing: dispute_reversal dispute_lost
        dispute_reversal, escalating: dispute_reversal dispute_lost
        dispute_reversal, reversing: dispute_reversal dispute_won
        ");
    }
}
