//! Writes the answers of operations that return a payment.

use std::any::Any;

use multirail_kernel::secret::SecretText;

use super::PaymentView;
use crate::platform::idempotency::{Render, View};

/// Writes an operation's answer from a borrowed payment, without a copy.
struct PaymentWriter(Box<WritePayment>);

type WritePayment = dyn Fn(&PaymentView<'_>) -> Option<SecretText> + Send + Sync;

/// Returns the writer for an operation that answers a payment.
pub fn render(
    write: impl Fn(&PaymentView<'_>) -> Option<SecretText> + Send + Sync + 'static,
) -> Render {
    Render::by(PaymentWriter(Box::new(write)))
}

impl View for PaymentView<'_> {
    fn written(&self, writer: &(dyn Any + Send + Sync)) -> Option<SecretText> {
        let PaymentWriter(write) = writer.downcast_ref()?;
        write(self)
    }
}
