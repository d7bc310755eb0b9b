//! Payers who act long after their merchant was answered, as with a voucher.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

/// The buttons of the processor's page: approve or pay, and reject.
pub const APPROVES: &str = "true";
pub const REJECTS: &str = "false";
/// Transfer half of what is missing, and twice as much.
pub const HALF: &str = "half";
pub const DOUBLE: &str = "double";

/// A payer who hasn't finished.
pub struct Away {
    pub payment_id: String,
    /// The processor's page.
    pub page: String,
    /// The buttons that the payer presses there, at one visit each.
    pub buttons: VecDeque<&'static str>,
    /// The number of kills before the next visit.
    pub pause: u64,
    /// The merchant cancels the payment, so that a decision may come too late.
    pub is_cancelled: bool,
}

/// The payers who are away, and the decisions that they made.
#[derive(Default)]
pub struct Payers {
    away: Mutex<Vec<Away>>,
    finished: Mutex<BTreeMap<String, &'static str>>,
    /// Visits to pages while a server was down.
    pub visits: AtomicU64,
}

impl Payers {
    /// Adds payers.
    pub fn leave(&self, payers: impl IntoIterator<Item = Away>) {
        self.away.lock().expect("not poisoned").extend(payers);
    }

    /// Removes the payers whose pause is over, and shortens that of the others.
    pub fn come(&self) -> Vec<Away> {
        let mut away = self.away.lock().expect("not poisoned");
        let (now, mut later): (Vec<Away>, Vec<Away>) =
            away.drain(..).partition(|payer| payer.pause == 0);
        for payer in &mut later {
            payer.pause -= 1;
        }
        away.extend(later);
        now
    }

    /// Removes all payers.
    pub fn all(&self) -> Vec<Away> {
        std::mem::take(&mut self.away.lock().expect("not poisoned"))
    }

    /// Records the last button of a payment, which the processor accepted.
    pub fn finishes(&self, payment_id: &str, button: &'static str) {
        let mut finished = self.finished.lock().expect("not poisoned");
        finished.insert(payment_id.to_owned(), button);
    }

    /// Returns the last button of each finished payment.
    pub fn finished(&self) -> BTreeMap<String, &'static str> {
        self.finished.lock().expect("not poisoned").clone()
    }
}
