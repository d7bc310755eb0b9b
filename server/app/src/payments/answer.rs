//! A payment as the answers to repeats are written from it.

use std::any::Any;

use multirail_kernel::secret::SecretText;

use super::PaymentView;
use crate::platform::idempotency::{Render, View};

/// Writes the answer of an operation from a payment that was not copied for it.
struct PaymentWriter(Box<WritePayment>);

type WritePayment = dyn Fn(&PaymentView<'_>) -> Option<SecretText> + Send + Sync;

/// Makes the writer of an operation that answers a payment.
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
