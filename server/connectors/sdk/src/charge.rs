//! The words of a charge, shared by payments and requests to processors.

use multirail_kernel::record_object::record_object;
use multirail_kernel::words::words;

words! {
    /// The moment and the number of captures. (Specification 3)
    pub enum CaptureMethod {
        /// Capture together with the authorization.
        Automatic = "automatic",
        /// One capture; the rest is released.
        Manual = "manual",
        /// Any number of captures up to the authorized amount.
        ManualMultiple = "manual_multiple",
        /// One capture as with `manual`: at `capture_on`, unless the merchant captures earlier.
        Scheduled = "scheduled",
        /// Same as `automatic`.
        SequentialAutomatic = "sequential_automatic",
    }
}

impl CaptureMethod {
    /// Checks whether the authorization captures in the same step.
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
    /// The merchant's choice to authenticate the payer or not.
    pub enum AuthenticationType {
        ThreeDs = "three_ds",
        NoThreeDs = "no_three_ds",
    }
}

words! {
    /// The payer's presence in later charges of the instrument.
    pub enum FutureUsage {
        /// With the payer present.
        OnSession = "on_session",
        /// Without the payer.
        OffSession = "off_session",
    }
}

words! {
    /// The reason for a charge without the payer.
    pub enum MitCategory {
        /// One part of a purchase that is paid in parts.
        Installment = "installment",
        Unscheduled = "unscheduled",
        Recurring = "recurring",
        /// A second try after a failed charge.
        Resubmission = "resubmission",
    }
}

words! {
    /// The reason for which the issuer may skip strong customer authentication.
    pub enum ScaExemption {
        LowValue = "low_value",
        TransactionRiskAnalysis = "transaction_risk_analysis",
    }
}

words! {
    /// Result of the device data collection for 3-D Secure.
    pub enum DeviceDataCollected {
        Yes = "Y",
        No = "N",
        NotRun = "U",
    }
}

words! {
    /// Tax status of the order.
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
        /// The interval between two parts, such as `month`.
        billing_frequency: String,
        /// Interest in percent.
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
