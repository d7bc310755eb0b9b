//! One connection with its state and its counts.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::connection::Connection;
use crate::requests::{Requests, Step};

/// A round ended early. The error has been counted.
pub struct Trouble;

/// The counts of a customer.
#[derive(Debug, Default)]
pub struct Tally {
    /// Whole rounds.
    pub rounds: u64,
    /// Errors by their text: an error code, an unexpected status, a broken connection.
    pub errors: BTreeMap<String, u64>,
    /// Microseconds of every expected answer, by step.
    pub times: BTreeMap<Step, Vec<u32>>,
}

impl Tally {
    /// Adds another customer's counts.
    pub fn add(&mut self, other: Tally) {
        self.rounds += other.rounds;
        for (what, count) in other.errors {
            *self.errors.entry(what).or_default() += count;
        }
        for (step, mut times) in other.times {
            self.times.entry(step).or_default().append(&mut times);
        }
    }
}

/// A client that sends one request after the other.
pub struct Customer {
    address: String,
    connection: Option<Connection>,
    requests: Arc<Requests>,
    known: Arc<Vec<String>>,
    request: Vec<u8>,
    random: u64,
    /// The counts since the last [`Customer::forgets`].
    pub tally: Tally,
}

/// How long to wait before a broken connection is opened again.
const PAUSE: Duration = Duration::from_millis(20);

impl Customer {
    /// Returns the `number`th customer of a server, who can read these payments.
    pub fn new(
        number: usize,
        address: &str,
        requests: Arc<Requests>,
        known: Arc<Vec<String>>,
    ) -> Self {
        Self {
            address: address.to_owned(),
            connection: None,
            requests,
            known,
            request: Vec::with_capacity(2048),
            random: 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number as u64 + 1),
            tally: Tally::default(),
        }
    }

    /// Resets the counts.
    pub fn forgets(&mut self) {
        self.tally = Tally::default();
    }

    /// Creates a payment that should get this status; returns its id.
    pub async fn creates(&mut self, step: Step, wanted: &str) -> Result<String, Trouble> {
        self.sends(step, "", wanted).await
    }

    /// Sends a request about a payment that should get this status; the empty word allows any.
    pub async fn asks(
        &mut self,
        step: Step,
        payment_id: &str,
        wanted: &str,
    ) -> Result<(), Trouble> {
        self.sends(step, payment_id, wanted).await.map(drop)
    }

    /// Returns the id of a random earlier payment.
    pub fn knows(&mut self) -> String {
        let index = self.draws(self.known.len().max(1) as u64) as usize;
        self.known.get(index).cloned().unwrap_or_default()
    }

    /// Returns a random number below `limit`: xorshift, the same for the same customer in every run.
    pub fn draws(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % limit
    }

    async fn sends(
        &mut self,
        step: Step,
        payment_id: &str,
        wanted: &str,
    ) -> Result<String, Trouble> {
        self.requests.write(step, payment_id, &mut self.request);
        if self.connection.is_none() {
            match Connection::open(&self.address).await {
                Ok(connection) => self.connection = Some(connection),
                Err(error) => return Err(self.meets_broken_line(&error).await),
            }
        }
        let Some(connection) = &mut self.connection else {
            return Err(Trouble);
        };
        let began = Instant::now();
        let answer = match connection.exchange(&self.request).await {
            Ok(answer) => answer,
            Err(error) => return Err(self.meets_broken_line(&error).await),
        };
        let took = began.elapsed();
        let status = answer.text("status").unwrap_or_default();
        if answer.status == 200 && (wanted.is_empty() || status == wanted) {
            let id = answer.text("payment_id").unwrap_or_default().to_owned();
            self.tally
                .times
                .entry(step)
                .or_default()
                .push(took.as_micros() as u32);
            return Ok(id);
        }
        let said = match answer.text("code") {
            Some(code) if answer.status >= 400 => format!("{} {code}", answer.status),
            _ => format!("{} {status}", answer.status),
        };
        Err(self.counts(said))
    }

    async fn meets_broken_line(&mut self, error: &io::Error) -> Trouble {
        self.connection = None;
        tokio::time::sleep(PAUSE).await;
        self.counts(format!("connection: {}", error.kind()))
    }

    fn counts(&mut self, what: String) -> Trouble {
        *self.tally.errors.entry(what).or_default() += 1;
        Trouble
    }
}
