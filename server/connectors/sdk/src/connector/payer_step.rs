//! The step of a payer that a payment waits for.

use multirail_kernel::timestamp::Timestamp;

/// A payer's next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayerStep {
    pub kind: StepKind,
    /// The end of the payer's time, where the processor states it. The processor then has an outcome.
    pub expires_at: Option<Timestamp>,
}

/// The kinds of a payer's step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The payer visits a page of the processor.
    Page { url: String },
}

impl PayerStep {
    /// Returns the visit of a page whose time is unknown.
    pub fn page(url: String) -> Self {
        PayerStep {
            kind: StepKind::Page { url },
            expires_at: None,
        }
    }

    /// Returns the address of the page.
    pub fn url(&self) -> &str {
        match &self.kind {
            StepKind::Page { url } => url,
        }
    }
}
