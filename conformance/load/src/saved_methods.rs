//! Lists of saved payment methods: a merchant whose customers have saved a few cards each, and one of them as many as
//! allowed. Measures listing one customer's methods.

use std::io;

use serde_json::{Value, json};

use crate::connection::Connection;
use crate::fill::with_many;
use crate::lists::{List, refused};
use crate::merchant::{self, Merchant};
use crate::requests::once;
use crate::server::Server;

/// The most that a merchant may save for one customer.
const MOST: u64 = 1_000;
/// The number for each other customer.
const FEW: u64 = 4;
/// The first digits of all cards.
const BIN: &str = "411111";

/// A merchant whose customers have saved methods.
pub struct Filled {
    merchant: Merchant,
    most: String,
    few: String,
}

/// Stores so many methods, a thousand of them one customer's if there are as many.
///
/// # Errors
/// Fails when the server refuses.
pub async fn fill(server: &Server, count: u64) -> io::Result<Filled> {
    let (address, key) = (&server.address, &server.admin_key);
    let name = format!("load_methods_{}", std::process::id());
    let merchant = merchant::open(address, key, &name, &merchant::simulated(), None).await?;
    let of_one = count.min(MOST);
    let others = (count - of_one).div_ceil(FEW).max(1);
    let filled = Filled {
        merchant,
        most: "cus_of_most".to_owned(),
        few: "cus_0".to_owned(),
    };
    // One after the other: all of them are one customer's.
    let mut line = Connection::open(address).await?;
    filled.knows(&mut line, address, &filled.most).await?;
    for number in 0..of_one {
        filled
            .saves(&mut line, address, &filled.most, number)
            .await?;
    }
    with_many(address, others, "customers", async |line, customer| {
        let id = format!("cus_{customer}");
        filled.knows(line, address, &id).await?;
        let first = of_one + customer * FEW;
        for number in first..(first + FEW).min(count.max(of_one + 1)) {
            filled.saves(line, address, &id, number).await?;
        }
        Ok(())
    })
    .await?;
    Ok(filled)
}

impl Filled {
    async fn knows(&self, line: &mut Connection, address: &str, id: &str) -> io::Result<()> {
        let body = json!({ "customer_id": id });
        self.asks(line, address, "/customers", body).await
    }

    async fn saves(
        &self,
        line: &mut Connection,
        address: &str,
        customer_id: &str,
        number: u64,
    ) -> io::Result<()> {
        let body = json!({
            "customer_id": customer_id, "payment_method": "card", "payment_method_type": "credit",
            "card": {
                "card_number": card_number(number), "card_exp_month": "10", "card_exp_year": "35",
                "card_holder_name": "Ada Reader",
            },
            "billing": { "address": { "line1": "1 Reading Lane", "city": "London", "country": "GB" } },
        });
        self.asks(line, address, "/payment_methods", body).await
    }

    async fn asks(
        &self,
        line: &mut Connection,
        address: &str,
        path: &str,
        body: Value,
    ) -> io::Result<()> {
        let request = once("POST", path, address, &self.merchant.key, Some(body));
        let answer = line.exchange(&request).await?;
        match answer.status {
            200 => Ok(()),
            status => Err(refused(path, status, answer.body)),
        }
    }

    /// Returns the lists to measure.
    pub fn lists(&self, address: &str) -> Vec<List> {
        let list = |name, customer: &str, query: &str| {
            let path = format!("/customers/{customer}/payment_methods{query}");
            List {
                name,
                request: once("GET", &path, address, &self.merchant.key, None),
            }
        };
        vec![
            list("1,000 methods", &self.most, ""),
            list("the last ten of 1,000", &self.most, "?limit=10"),
            list("4 methods", &self.few, ""),
        ]
    }
}

/// Returns a different card number for each of a thousand million numbers.
fn card_number(number: u64) -> String {
    let digits = format!("{BIN}{number:09}");
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0') * if place % 2 == 0 { 2 } else { 1 };
            digit / 10 + digit % 10
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

#[cfg(test)]
mod tests {
    use super::card_number;

    #[test]
    fn numbers_end_in_their_check_digit() {
        assert_eq!(card_number(111_111_111), "4111111111111111");
        assert_ne!(card_number(1), card_number(2));
    }
}
