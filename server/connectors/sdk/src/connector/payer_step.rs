//! The step of a payer that a payment waits for.

use multirail_kernel::country::CountryCode;
use multirail_kernel::record_object::record_object;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

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
    /// The merchant shows something to the payer, who acts elsewhere.
    Shown(Box<ShownStep>),
}

words! {
    /// The forms of a step that the merchant shows.
    pub enum StepForm {
        /// A code that the payer scans.
        QrCode = "qr_code",
        /// The payer agrees in an app of their own.
        WaitScreen = "wait_screen",
        /// The payer pays cash with a voucher.
        Voucher = "voucher",
        /// The payer sends a transfer to this account.
        BankTransfer = "bank_transfer",
    }
}

record_object! {
    /// A step that the merchant shows.
    #[derive(Eq)]
    pub struct ShownStep {
        form: StepForm,
    } and maybe {
        /// The text of a QR code, or the reference of a voucher or of a transfer.
        text: String,
        /// A page of the processor with the same step.
        url: String,
        /// The start of a wait.
        shown_from: Timestamp,
        /// The entity that collects a Multibanco payment.
        entity: String,
        iban: String,
        bic: String,
        /// The holder of the bank account.
        holder: String,
        /// The country of the bank account.
        country: CountryCode,
        /// The transferred amount so far, in minor units.
        amount_received: i64,
        /// The amount that is still to be transferred, in minor units.
        amount_remaining: i64,
    }
}

impl PayerStep {
    /// Returns the visit of a page whose time is unknown.
    pub fn page(url: String) -> Self {
        PayerStep {
            kind: StepKind::Page { url },
            expires_at: None,
        }
    }

    /// Returns the address of the processor's page, if the step has one.
    pub fn url(&self) -> Option<&str> {
        match &self.kind {
            StepKind::Page { url } => Some(url),
            StepKind::Shown(shown) => shown.url.as_deref(),
        }
    }
}

impl ShownStep {
    /// Returns a step without details.
    pub fn new(form: StepForm) -> Self {
        ShownStep {
            form,
            text: None,
            url: None,
            shown_from: None,
            entity: None,
            iban: None,
            bic: None,
            holder: None,
            country: None,
            amount_received: None,
            amount_remaining: None,
            unread: UnreadMembers::default(),
        }
    }
}
