//! Requests to a connector, which can be repeated.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::OperationKind;

use crate::test_mode::CardThat;

/// An authorization at the processor.
#[derive(Clone, Debug)]
pub struct Authorization {
    pub key: ProcessorKey,
    pub reference: Option<String>,
    pub captured_at_once: bool,
    pub money: Money,
}

/// A request that can be repeated.
#[derive(Clone, Debug)]
pub struct Asked {
    pub key: ProcessorKey,
    pub money: Money,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    Authorize {
        card: CardThat,
        capture: bool,
        may_be_raised: bool,
    },
    /// The new total is the request's money.
    Raise {
        of: Authorization,
    },
    Capture {
        of: Authorization,
        is_final: bool,
    },
    Void {
        of: Authorization,
    },
    Refund {
        of: Authorization,
    },
}

impl Asked {
    pub fn kind(&self) -> OperationKind {
        match &self.what {
            What::Authorize { .. } => OperationKind::Authorize,
            What::Raise { .. } => OperationKind::Increment,
            What::Capture { .. } => OperationKind::Capture,
            What::Void { .. } => OperationKind::Void,
            What::Refund { .. } => OperationKind::Refund,
        }
    }

    /// Returns the authorization of the request.
    pub fn authorization(&self) -> Authorization {
        match &self.what {
            What::Authorize { capture, .. } => Authorization {
                key: self.key.clone(),
                reference: None,
                captured_at_once: *capture,
                money: self.money,
            },
            What::Raise { of }
            | What::Capture { of, .. }
            | What::Void { of }
            | What::Refund { of } => of.clone(),
        }
    }
}
