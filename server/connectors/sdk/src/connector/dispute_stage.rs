//! How far a dispute has gone. Only the processor moves it. (Facts 3.12)

use multirail_kernel::words::words;

words! {
    /// Stage of a dispute.
    pub enum DisputeStage {
        /// An inquiry: no money has moved.
        PreDispute = "pre_dispute",
        /// A chargeback: the processor has taken the money back from the merchant.
        Dispute = "dispute",
        /// The issuer disputes once more, after the merchant's answer.
        PreArbitration = "pre_arbitration",
        /// The card scheme decides.
        Arbitration = "arbitration",
        /// The processor has given the money to the merchant again.
        DisputeReversal = "dispute_reversal",
    }
}

impl DisputeStage {
    /// Whether a dispute of this stage can come to that one: stages are never gone back.
    pub fn may_become(self, next: DisputeStage) -> bool {
        self.step() <= next.step()
    }

    /// Whether the merchant can accept or challenge a dispute of this stage, as far as the stage is concerned.
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
