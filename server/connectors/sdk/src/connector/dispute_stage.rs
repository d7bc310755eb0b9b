//! The stages of a dispute. Only the processor moves a dispute to another stage. (Facts 3.12)

use multirail_kernel::words::words;

words! {
    /// Stage of a dispute.
    pub enum DisputeStage {
        /// An inquiry: no money has moved.
        PreDispute = "pre_dispute",
        /// A chargeback: the processor has taken the money back from the merchant.
        Dispute = "dispute",
        /// The issuer disputes again, after the merchant's answer.
        PreArbitration = "pre_arbitration",
        /// The card scheme decides.
        Arbitration = "arbitration",
        /// The processor has returned the money to the merchant.
        DisputeReversal = "dispute_reversal",
    }
}

impl DisputeStage {
    /// Checks whether a dispute of this stage can move to `next`. Stages never go back.
    pub fn may_become(self, next: DisputeStage) -> bool {
        self.step() <= next.step()
    }

    /// Checks whether this stage lets the merchant accept or challenge the dispute.
    pub fn awaits_the_merchant(self) -> bool {
        match self {
            DisputeStage::PreDispute
            | DisputeStage::Dispute
            | DisputeStage::PreArbitration
            | DisputeStage::Arbitration => true,
            DisputeStage::DisputeReversal => false,
        }
    }

    fn step(self) -> u8 {
        match self {
            DisputeStage::PreDispute => 0,
            DisputeStage::Dispute => 1,
            DisputeStage::PreArbitration => 2,
            DisputeStage::Arbitration => 3,
            DisputeStage::DisputeReversal => 4,
        }
    }
}
