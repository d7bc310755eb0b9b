//! Inspects the money of a whole database: whether it adds up. Reads only.

use multirail_app::payments::ports::RefundStore;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::{Attempt, Payment};
use multirail_kernel::ids::{MerchantId, PaymentId};

use crate::engine::{Read, Row, values};
use crate::payments;
use crate::platform::inspection::{AT_ONCE, Inspection};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;

const FIRST_PAYMENTS: &str = "select merchant_id, payment_id, status, amount, attempt_count, capture_count from payments \
     order by merchant_id, payment_id limit $1";

const NEXT_PAYMENTS: &str = "select merchant_id, payment_id, status, amount, attempt_count, capture_count from payments \
     where (merchant_id, payment_id) > ($2, $3) order by merchant_id, payment_id limit $1";

const ATTEMPTS: &str = "select attempt_number, status, authorized_amount, capturable_limit, captured_amount, \
     pending_capture_amount, voided_amount from attempts where merchant_id = $1 and payment_id = $2 order by attempt_number";

const REFUND_SUM: &str = "select refunded_amount, refundable_limit from refund_sums \
     where merchant_id = $1 and payment_id = $2";

/// Tables whose rows refer to a row of another table, which has to exist.
const ORPHANS: &[(&str, &str)] = &[
    (
        "attempts belong to no payment",
        "select count(*) as n from attempts a where not exists (select 1 from payments p \
         where p.merchant_id = a.merchant_id and p.payment_id = a.payment_id)",
    ),
    (
        "captures belong to no attempt",
        "select count(*) as n from captures c where not exists (select 1 from attempts a \
         where a.merchant_id = c.merchant_id and a.payment_id = c.payment_id and a.attempt_number = c.attempt_number)",
    ),
    (
        "refunds belong to no payment",
        "select count(*) as n from refunds r where not exists (select 1 from payments p \
         where p.merchant_id = r.merchant_id and p.payment_id = r.payment_id)",
    ),
    (
        "disputes belong to no payment",
        "select count(*) as n from disputes d where not exists (select 1 from payments p \
         where p.merchant_id = d.merchant_id and p.payment_id = d.payment_id)",
    ),
];

impl SqlStore {
    /// Checks that every payment can be read and its money adds up. The columns agree with the record, nothing is captured
    /// or refunded beyond its limit, and the totals match the refunds. Nothing may write meanwhile.
    ///
    /// # Errors
    /// Fails when the database can't be read.
    pub async fn inspect_money(&self) -> Result<Inspection, StoreFailure> {
        let mut found = Inspection::default();
        for (what, sql) in ORPHANS {
            let read = Read::new(*sql, Vec::new()).long();
            let row = self.engine.fetch_optional(read).await.map_err(failure)?;
            let count = row.map_or(Ok(0), |row| row.int("n")).map_err(failure)?;
            if count > 0 {
                found.fault(format!("{count} {what}"));
            }
        }
        let mut read = Read::new(FIRST_PAYMENTS, values![AT_ONCE]);
        loop {
            let rows = self.engine.fetch(read.long()).await.map_err(failure)?;
            for row in &rows {
                found.looked_at += 1;
                match self.wrong_with_payment(row).await {
                    Ok(wrong) => wrong.into_iter().for_each(|what| found.fault(what)),
                    Err(StoreFailure::Broken(why)) => found.fault(format!("{}: {why}", name(row)?)),
                    Err(failure) => return Err(failure),
                }
            }
            let Some(last) = rows.last().filter(|_| rows.len() as i64 == AT_ONCE) else {
                return Ok(found);
            };
            let text = |column| last.text(column).map_err(failure);
            let after = values![AT_ONCE, text("merchant_id")?, text("payment_id")?];
            read = Read::new(NEXT_PAYMENTS, after);
        }
    }

    async fn wrong_with_payment(&self, row: &Row) -> Result<Vec<String>, StoreFailure> {
        let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
        let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
        let (merchant_id, payment_id) = (record::id(merchant_id)?, record::id(payment_id)?);
        let read = payments::payment_without_payer(&self.engine, &merchant_id, &payment_id).await?;
        let Some(payment) = read else {
            return Ok(vec![format!("{}: its last attempt is missing", name(row)?)]);
        };
        let mut wrong = Comparison::new(name(row)?);
        let captures = payment
            .attempts
            .iter()
            .map(|attempt| attempt.captures.len());
        wrong.text(row, "status", payment.status.as_str())?;
        wrong.number(row, "amount", payment.terms.amount)?;
        wrong.number(row, "attempt_count", payment.attempts.len() as i64)?;
        wrong.number(row, "capture_count", captures.sum::<usize>() as i64)?;
        let key = || values![merchant_id.as_str(), payment_id.as_str()];
        let rows = self.engine.fetch(Read::new(ATTEMPTS, key())).await;
        let rows = rows.map_err(failure)?;
        if rows.len() == payment.attempts.len() {
            for (row, attempt) in rows.iter().zip(&payment.attempts) {
                wrong.attempt(row, attempt)?;
            }
        }
        let refunds = self.refunds_of(&merchant_id, &payment_id).await?;
        if !payment.agrees_with(&refunds) {
            let (counted, stored) = (payment.refunds.len(), refunds.len());
            wrong.say(format!(
                "it counts {counted} refunds otherwise than the {stored} that are stored"
            ));
        }
        let read = Read::new(REFUND_SUM, key());
        let sum = self.engine.fetch_optional(read).await.map_err(failure)?;
        wrong.refunds(sum.as_ref(), &payment)?;
        Ok(wrong.found)
    }
}

fn name(row: &Row) -> Result<String, StoreFailure> {
    let text = |column| row.str(column).map_err(failure);
    Ok(format!(
        "payment {} of {}",
        text("payment_id")?,
        text("merchant_id")?
    ))
}

/// Comparisons of columns with records.
struct Comparison {
    about: String,
    found: Vec<String>,
}

impl Comparison {
    fn new(about: String) -> Self {
        Comparison {
            about,
            found: Vec::new(),
        }
    }

    fn say(&mut self, what: String) {
        self.found.push(format!("{}: {what}", self.about));
    }

    fn text(&mut self, row: &Row, column: &str, recorded: &str) -> Result<(), StoreFailure> {
        let stands = row.str(column).map_err(failure)?;
        if stands != recorded {
            self.say(format!("{column} is {stands}, its record says {recorded}"));
        }
        Ok(())
    }

    fn number(&mut self, row: &Row, column: &str, recorded: i64) -> Result<(), StoreFailure> {
        let stands = row.int(column).map_err(failure)?;
        if stands != recorded {
            self.say(format!("{column} is {stands}, its record says {recorded}"));
        }
        Ok(())
    }

    fn attempt(&mut self, row: &Row, attempt: &Attempt) -> Result<(), StoreFailure> {
        self.number(row, "attempt_number", i64::from(attempt.number))?;
        self.text(row, "status", attempt.status.as_str())?;
        let authorized = attempt.authorized_amount.unwrap_or(0);
        self.number(row, "authorized_amount", authorized)?;
        self.number(row, "captured_amount", attempt.captured_amount())?;
        self.number(
            row,
            "pending_capture_amount",
            attempt.pending_capture_amount(),
        )?;
        self.number(row, "voided_amount", attempt.voided_amount())?;
        let amount = |column| row.int(column).map_err(failure);
        let taken = amount("captured_amount")?
            .saturating_add(amount("pending_capture_amount")?)
            .saturating_add(amount("voided_amount")?);
        let limit = amount("capturable_limit")?;
        if taken > limit {
            self.say(format!("{taken} are captured or voided of {limit}"));
        }
        Ok(())
    }

    fn refunds(&mut self, sum: Option<&Row>, payment: &Payment) -> Result<(), StoreFailure> {
        let Some(sum) = sum else {
            if !payment.refunds.is_empty() {
                self.say("the sum of its refunds is missing".to_owned());
            }
            return Ok(());
        };
        self.number(sum, "refunded_amount", payment.refunds_amount())?;
        let amount = |column| sum.int(column).map_err(failure);
        let (refunded, limit) = (amount("refunded_amount")?, amount("refundable_limit")?);
        if refunded > limit {
            self.say(format!("{refunded} are refunded of {limit}"));
        }
        Ok(())
    }
}
