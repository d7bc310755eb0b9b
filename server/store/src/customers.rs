//! Customers: what is asked and changed. What tells who somebody is rests sealed; the hashes beside it are keyed, and a
//! merchant's own.

use async_trait::async_trait;
use multirail_app::ports::failure::duplicate;
use multirail_app::ports::{CustomerChange, CustomerSearch, CustomerStore, Seal, StoreFailure};
use multirail_domain::customer::{Customer, CustomerStatus};
use multirail_domain::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_domain::secret::SecretText;

use super::accounts::{all, one, place, version};
use super::conditions::Conditions;
use super::engine::{Read, Row, Value, Write, values};
use super::lower::{Lower, Lowering};
use super::record::{self, failure};
use super::saved_methods;
use super::sql_store::SqlStore;

const TABLE: &str = "customers";
const REDACTIONS: &str = "customer_redactions";

const ONE: &str = "select version, record, personal, default_payment_method_id from customers \
     where merchant_id = $1 and customer_id = $2";

const STATUS: &str = "select status from customers where merchant_id = $1 and customer_id = $2";

const INSERT: &str = "insert into customers (merchant_id, customer_id, version, status, email_hash, phone_hash, record, \
     personal, modified_at, created_at) values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9) \
     on conflict (merchant_id, customer_id) do nothing";

/// Which method is the default its changes say (`saved_methods.rs`): that is stored without the customer being read.
const UPDATE: &str = "update customers set version = version + 1, status = $3, email_hash = $4, phone_hash = $5, record = $6, \
     personal = $7, modified_at = $8, \
     default_payment_method_id = case when $3 = 'redacted' then null else default_payment_method_id end \
     where merchant_id = $1 and customer_id = $2 and version = $9";

const QUEUE_REDACTION: &str = "insert into customer_redactions (merchant_id, customer_id, done_until, done_payment_id, \
     is_last_pass, requested_at, due_at, lease_until, fence) values ($1, $2, 0, '', false, $3, $3, 0, 0)";

#[async_trait]
impl CustomerStore for SqlStore {
    async fn customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), customer_id.as_str()]);
        one(&self.engine, read, |row| customer(row, self.seal.as_ref())).await
    }

    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        let read = Read::new(STATUS, values![merchant_id.as_str(), customer_id.as_str()]);
        one(&self.engine, read, |row| {
            let word = row.str("status").map_err(failure)?;
            word.parse().map_err(|unknown| {
                StoreFailure::Broken(format!("customers.status does not read: {unknown}"))
            })
        })
        .await
    }

    async fn search_customers(
        &self,
        merchant_id: &MerchantId,
        search: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure> {
        let seal = self.seal.as_ref();
        let mut conditions = Conditions::of_merchant("merchant_id", merchant_id);
        let customer_id = search.customer_id.as_ref();
        conditions.compare("customer_id =", customer_id.map(|id| id.as_str()));
        let email = search.email.as_deref();
        conditions.compare(
            "email_hash =",
            email.map(|email| email_hash(seal, merchant_id, email)),
        );
        let phone = search.phone.as_deref();
        conditions.compare(
            "phone_hash =",
            phone.map(|phone| phone_hash(seal, merchant_id, phone)),
        );
        let offset = conditions.parameter(search.offset);
        // Written out: PostgreSQL takes a limit that it doesn't know for a tenth of all rows.
        let sql = format!(
            "select customer_id as id, version, record, personal, default_payment_method_id from customers where {} \
             order by created_at, customer_id limit {} offset {offset}",
            conditions.text, search.limit
        );
        let read = Read::new(sql, conditions.parameters).long();
        all(&self.engine, TABLE, read, |row| customer(row, seal)).await
    }
}

impl Lower for CustomerChange {
    fn lower(&self, with: &Lowering<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match self {
            CustomerChange::Insert(customer) => {
                writes.push(insert(customer, with.seal)?.or_duplicate(duplicate::CUSTOMER));
            }
            CustomerChange::InsertIfNew(customer) => {
                writes.push(insert(customer, with.seal)?.any_rows());
            }
            CustomerChange::Update(customer) => writes.push(update(customer, with.seal)?),
            CustomerChange::Redact(customer) => {
                writes.push(update(customer, with.seal)?);
                let parameters = values![
                    customer.merchant_id.as_str(),
                    customer.customer_id.as_str(),
                    customer.modified_at.as_micros()
                ];
                writes.push(Write::new(QUEUE_REDACTION, parameters).on(REDACTIONS));
                let (merchant_id, customer_id) = (&customer.merchant_id, &customer.customer_id);
                writes.extend(saved_methods::delete_of_customer(merchant_id, customer_id));
            }
        }
        Ok(())
    }
}

fn insert(customer: &Customer, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let mut parameters = customer_values(customer, seal)?;
    parameters.push(Value::from(customer.created_at.as_micros()));
    Ok(Write::new(INSERT, parameters).on(TABLE))
}

fn update(customer: &Customer, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let mut parameters = customer_values(customer, seal)?;
    parameters.push(Value::from(customer.version));
    Ok(Write::new(UPDATE, parameters).on(TABLE))
}

fn customer_values(customer: &Customer, seal: &dyn Seal) -> Result<Vec<Value>, StoreFailure> {
    let merchant_id = &customer.merchant_id;
    // What says "Redacted" finds nobody.
    let is_active = customer.status == CustomerStatus::Active;
    let email = customer.searched_email().filter(|_| is_active);
    let phone = customer.searched_phone().filter(|_| is_active);
    let personal = SecretText::new(record::write(&customer.personal)?);
    Ok(values![
        merchant_id.as_str(),
        customer.customer_id.as_str(),
        customer.status.as_str(),
        email.map(|email| email_hash(seal, merchant_id, &email)),
        phone.map(|phone| phone_hash(seal, merchant_id, &phone)),
        record::write(customer)?,
        seal.seal(&place_of(customer), &personal),
        customer.modified_at.as_micros()
    ])
}

fn customer(row: &Row, seal: &dyn Seal) -> Result<Customer, StoreFailure> {
    let mut customer: Customer = record::read(row, "record")?;
    customer.version = version(row)?;
    let method = row.opt_str("default_payment_method_id").map_err(failure)?;
    let method = method.map(PaymentMethodId::parse).transpose();
    customer.default_payment_method_id = record::id(method)?;
    let personal = record::unseal(row, "personal", seal, &place_of(&customer))?;
    customer.personal = record::parse(personal.expose())?;
    Ok(customer)
}

fn place_of(customer: &Customer) -> String {
    place(TABLE, &customer.merchant_id, &customer.customer_id)
}

/// Hashes of different merchants don't compare.
fn email_hash(seal: &dyn Seal, merchant_id: &MerchantId, email: &str) -> String {
    seal.fingerprint(&format!("customer_email:{merchant_id}"), email)
}

fn phone_hash(seal: &dyn Seal, merchant_id: &MerchantId, phone: &str) -> String {
    seal.fingerprint(&format!("customer_phone:{merchant_id}"), phone)
}
