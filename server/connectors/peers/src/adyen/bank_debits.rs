//! Debits of bank accounts. Adyen approves most of them at once. It approves those of Bacs later, by
//! notice, and offers the payer a copy of the mandate before.

use serde_json::{Value, json};

use super::ledger::{Ledger, Payment};

const BACS: &str = "directdebit_GB";
/// Adyen's types of debits, each with the code of a return.
const DEBITS: [(&str, &str); 3] = [("ach", "R10"), (BACS, "DDICA"), ("sepadirectdebit", "MD06")];
/// Accounts whose debits the bank refuses.
const REFUSED: [&str; 3] = ["DE62370400440532013001", "000222222227", "22222227"];

/// The code and text of a refusal.
pub const REFUSAL: (&str, &str) = ("2", "Refused");

/// Returns the code with which the bank returns a debit by this method.
pub fn code_of_return(method: &str) -> Option<&'static str> {
    let mut debits = DEBITS.iter();
    debits
        .find(|(own, _)| *own == method)
        .map(|(_, code)| *code)
}

/// Returns whether the bank refuses to debit this account.
pub fn is_refused(account: &Value) -> bool {
    let numbers = [&account["iban"], &account["bankAccountNumber"]];
    let mut numbers = numbers.into_iter().filter_map(Value::as_str);
    numbers.any(|number| REFUSED.contains(&number))
}

/// Returns the result and the action of a debit that is decided later.
pub fn received(method: &str, psp: &str) -> Option<(&'static str, Value)> {
    (method == BACS).then(|| {
        let url =
            format!("https://checkoutshopper-test.adyen.com/checkoutshopper/mandate?MD={psp}");
        let action = json!({ "type": "voucher", "paymentMethodType": method, "url": url });
        ("Received", action)
    })
}

fn is_under_way(payment: &Payment) -> bool {
    payment.method == BACS && payment.authorised.is_none()
}

impl Ledger {
    /// Lets the days pass after which every debit is decided.
    pub(super) fn decide_debits(&mut self) {
        let all = self.payments.iter();
        let open = all.filter(|(_, payment)| is_under_way(payment));
        let open: Vec<(String, Payment)> = open
            .map(|(psp, payment)| (psp.clone(), payment.clone()))
            .collect();
        for (psp, mut payment) in open {
            let decided = if payment.is_refused_later {
                payment.authorised = Some(false);
                Err(REFUSAL.1)
            } else {
                payment.authorise();
                Ok(())
            };
            self.tell(
                "AUTHORISATION",
                &psp,
                None,
                &payment,
                payment.amount,
                decided,
            );
            self.payments.insert(psp, payment);
        }
    }
}
