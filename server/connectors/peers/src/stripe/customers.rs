//! Customers of an account, and their stored cards.

use serde_json::{Map, Value, json};

use super::ledger::{Ledger, Said, invalid, map, missing, text};

/// A customer for whom cards are stored.
pub struct Customer {
    pub id: String,
    pub created: i64,
    pub name: String,
    pub email: String,
    pub metadata: Map<String, Value>,
    pub is_deleted: bool,
}

impl Customer {
    pub fn show(&self) -> Value {
        json!({
            "id": self.id, "object": "customer", "created": self.created, "name": self.name, "email": self.email,
            "metadata": self.metadata,
        })
    }
}

impl Ledger {
    /// Creates a customer.
    pub fn make_customer(&mut self, params: &Value, now: i64) -> Said {
        let customer = Customer {
            id: self.id("cus"),
            created: now,
            name: text(&params["name"]).to_owned(),
            email: text(&params["email"]).to_owned(),
            metadata: map(&params["metadata"]),
            is_deleted: false,
        };
        let shown = customer.show();
        self.customers.push(customer);
        (200, shown)
    }

    /// Returns the number of stored cards.
    pub fn stored_cards(&self) -> usize {
        let of_payments = self.payments.iter();
        let of_payments = of_payments.filter_map(|own| own.stored_id());
        let of_checks = self.checks.iter().filter_map(|own| own.stored_id());
        let all = of_payments.chain(of_checks);
        all.filter(|method| !self.detached.iter().any(|own| own == method))
            .count()
    }

    pub fn knows(&self, customer: &str) -> bool {
        let mut customers = self.customers.iter();
        customers.any(|own| own.id == customer && !own.is_deleted)
    }

    /// Forgets all customers, as if the key belonged to another account.
    pub fn forget_customers(&mut self) {
        self.customers.clear();
    }

    /// Deletes a customer with the stored cards.
    pub fn delete_customer(&mut self, id: &str) -> Said {
        let mut customers = self.customers.iter_mut();
        match customers.find(|own| own.id == id && !own.is_deleted) {
            Some(own) => own.is_deleted = true,
            None => return missing(id),
        }
        let of_payments = self
            .payments
            .iter()
            .filter(|own| own.customer.as_deref() == Some(id));
        let of_payments = of_payments.map(|own| own.method.clone());
        let of_checks = self
            .checks
            .iter()
            .filter(|own| own.customer.as_deref() == Some(id));
        let of_checks = of_checks.map(|own| own.method.clone());
        self.detached.extend(of_payments.chain(of_checks));
        (
            200,
            json!({ "id": id, "object": "customer", "deleted": true }),
        )
    }

    /// Detaches a card from its customer.
    pub fn detach(&mut self, method: &str) -> Said {
        let is_kept = self
            .payments
            .iter()
            .any(|own| own.method == method && own.customer.is_some())
            || self
                .checks
                .iter()
                .any(|own| own.method == method && own.customer.is_some());
        if !is_kept {
            return missing(method);
        }
        if self.detached.iter().any(|own| own == method) {
            let message = "The payment method is not attached to a customer";
            return invalid("payment_method_unexpected_state", message, "payment_method");
        }
        self.detached.push(method.to_owned());
        (
            200,
            json!({ "id": method, "object": "payment_method", "type": "card", "customer": null, "metadata": {} }),
        )
    }
}
