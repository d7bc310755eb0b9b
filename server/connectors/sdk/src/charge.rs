//! The words in which a charge is asked for, of a payment and of a processor alike.

use multirail_kernel::record_object::record_object;
use multirail_kernel::words::words;

words! {
    /// When the money is taken. (Specification 3)
    pub enum CaptureMethod {
        /// Together with the authorization.
        Automatic = "automatic",
        /// By one capture; what it leaves is released.
        Manual = "manual",
        /// By any number of captures up to the authorized amount.
        ManualMultiple = "manual_multiple",
        /// Taken like `manual`, by one capture: at `capture_on`, unless the merchant asks for it before.
        Scheduled = "scheduled",
        /// Like `automatic`.
        SequentialAutomatic = "sequential_automatic",
    }
}

impl CaptureMethod {
    /// The authorization takes the money in the same step.
    pub fn is_automatic(self) -> bool {
        match self {
            CaptureMethod::Automatic | CaptureMethod::SequentialAutomatic => true,
            CaptureMethod::Manual | CaptureMethod::ManualMultiple | CaptureMethod::Scheduled => {
                false
            }
        }
    }
}

words! {
    /// Whether the merchant wants the payer authenticated.
    pub enum AuthenticationType {
        ThreeDs = "three_ds",
        NoThreeDs = "no_three_ds",
    }
}

words! {
    /// How the instrument will be charged again.
    pub enum FutureUsage {
        /// With the payer present.
        OnSession = "on_session",
        /// Without.
        OffSession = "off_session",
    }
}

words! {
    /// Why a merchant charges without the payer.
    pub enum MitCategory {
        /// A part of a purchase that is paid in parts.
        Installment = "installment",
        Unscheduled = "unscheduled",
        Recurring = "recurring",
        /// The repeat of a charge that failed.
        Resubmission = "resubmission",
    }
}

words! {
    /// Why the issuer may leave out strong customer authentication.
    pub enum ScaExemption {
        LowValue = "low_value",
        TransactionRiskAnalysis = "transaction_risk_analysis",
    }
}

words! {
    /// Whether the collection of device data for 3-D Secure finished.
    pub enum DeviceDataCollected {
        Yes = "Y",
        No = "N",
        NotRun = "U",
    }
}

words! {
    /// Whether tax is due on the order.
    pub enum TaxStatus {
        Taxable = "taxable",
        Exempt = "exempt",
    }
}

record_object! {
    /// A plan to pay in parts.
    #[derive(Default)]
    pub struct Installments {
    } and maybe {
        number_of_installments: i32,
        /// How often a part is due, such as `month`.
        billing_frequency: String,
        /// In percent.
        installment_interest: f64,
    }
}

record_object! {
    /// An identity document.
    #[derive(Default, Eq)]
    pub struct Document {
    } and maybe {
        document_type: String,
        document_number: String,
    }
}
