//! Reads and writes of customers. Personal data is stored sealed; the hashes for searching are keyed for each merchant.

pub(crate) mod cards_to_save;
pub(crate) mod connector_customers;
pub(crate) mod connector_mandates;
pub(crate) mod delete_saved_method;
pub(crate) mod lower_saved_method;
pub(crate) mod mandates;
pub(crate) mod method_columns;
pub(crate) mod payment_tokens;
pub(crate) mod saved_methods;
pub(crate) mod tables;

use async_trait::async_trait;
use multirail_app::customers::ports::{CustomerChange, CustomerSearch, CustomerStore};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{Seal, StoreFailure};
use multirail_domain::customers::customer::{Customer, CustomerStatus, Personal};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::secret::SecretText;
use multirail_platform::{Change, Invalidates, SealedFor, Sealing, Writing};

use super::accounts::place;
use super::engine::{Read, Row, Value, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::lower::Stored;

use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::{all_sealed, one, one_sealed, version};
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    Customer: "customers.record",
    Personal: "customers.personal",
}

const TABLE: &str = "customers";
/// The sealed column.
const PERSONAL: &str = "personal";
const REDACTIONS: &str = "customer_redactions";

const ONE: &str = "select version, record, personal, default_payment_method_id from customers \
     where merchant_id = $1 and customer_id = $2";

const STATUS: &str = "select status from customers where merchant_id = $1 and customer_id = $2";

const INSERT: &str = "insert into customers (merchant_id, customer_id, version, status, email_hash, phone_hash, record, \
     personal, modified_at, created_at) values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9) \
     on conflict (merchant_id, customer_id) do nothing";

/// The default method has its own changes (`lower_saved_method.rs`), which are stored without reading the customer.
const UPDATE: &str = "update customers set version = version + 1, status = $3, email_hash = $4, phone_hash = $5, record = $6, \
     personal = $7, modified_at = $8 where merchant_id = $1 and customer_id = $2 and version = $9";

/// Redacts a customer who has no chargeable mandates.
const REDACT: &str = "update customers set version = version + 1, status = $3, email_hash = $4, phone_hash = $5, record = $6, \
     personal = $7, modified_at = $8, default_payment_method_id = null \
     where merchant_id = $1 and customer_id = $2 and version = $9 and not exists (select 1 from mandates d \
     where d.merchant_id = $1 and d.customer_id = $2 and d.status = 'active' and (d.ends_at is null or d.ends_at >= $8))";

/// A statement of another subject, for a commit that redacts the customer `$2`. It changes the customer's row if the
/// condition is true. It follows `REDACT`, whose lock lets it see everything that was stored before.
#[macro_export]
macro_rules! customer_redacted_if {
    ($($condition:tt)+) => {
        concat!(
            "update customers set modified_at = modified_at where merchant_id = $1 and customer_id = $2",
            $($condition)+
        )
    };
}

/// A condition for statements of other subjects: the customer `$3` is active. PostgreSQL needs the lock ` for share`, which
/// keeps the customer active until their commit.
#[macro_export]
macro_rules! customer_is_active {
    ($lock:literal) => {
        concat!(
            "exists (select 1 from customers c where c.merchant_id = $1 and c.customer_id = $3 and c.status = 'active'",
            $lock,
            ")"
        )
    };
}

const QUEUE_REDACTION: &str = "insert into customer_redactions (merchant_id, customer_id, done_until, done_payment_id, \
     is_last_pass, skipped, requested_at, due_at, lease_until, fence) values ($1, $2, 0, '', false, 0, $3, $3, 0, 0)";

const TAKE_OVER: &str = "update customer_redactions set lease_until = 0 where lease_until > 0";

#[async_trait]
impl CustomerStore for SqlStore {
    async fn customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), customer_id.as_str()]);
        one_sealed(&self.engine, (&self.keys, PERSONAL), read, customer).await
    }

    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        let read = Read::new(STATUS, values![merchant_id.as_str(), customer_id.as_str()]);
        one(&self.engine, read, status_of).await
    }

    async fn search_customers(
        &self,
        merchant_id: &MerchantId,
        search: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure> {
        let (sql, parameters) = page(merchant_id, search, self.keys.seal());
        let read = Read::new(sql, parameters).long();
        let keys = (&self.keys, PERSONAL);
        all_sealed(&self.engine, keys, TABLE, read, customer).await
    }
}

/// Ends all leases of redactions.
pub(super) fn take_over() -> Write {
    Write::new(TAKE_OVER, Vec::new()).any_rows()
}

/// Returns the statement for one page. An index finds the page; only the rows of the page are read.
pub(super) fn page(
    merchant_id: &MerchantId,
    search: &CustomerSearch,
    seal: &dyn Seal,
) -> (String, Vec<Value>) {
    let mut conditions = Conditions::of_merchant("c.merchant_id", merchant_id);
    let customer_id = search.customer_id.as_ref();
    conditions.compare("c.customer_id =", customer_id.map(|id| id.as_str()));
    let email = search.email.as_deref();
    let email = email.map(|email| email_hash(seal, merchant_id, email));
    conditions.compare("c.email_hash =", email);
    let phone = search.phone.as_deref();
    let phone = phone.map(|phone| phone_hash(seal, merchant_id, phone));
    conditions.compare("c.phone_hash =", phone);
    let offset = conditions.parameter(search.offset);
    // The limit is written into the text: PostgreSQL takes an unknown limit for a tenth of all rows.
    let sql = format!(
        "select c.customer_id as id, c.version as version, c.record as record, c.personal as personal, \
         c.default_payment_method_id as default_payment_method_id \
         from (select c.merchant_id, c.customer_id from customers c where {} \
         order by c.created_at, c.customer_id limit {} offset {offset}) as page cross join customers c \
         where c.merchant_id = page.merchant_id and c.customer_id = page.customer_id \
         order by c.created_at, c.customer_id",
        conditions.text, search.limit
    );
    (sql, conditions.parameters)
}

impl SqlStore {
    /// Writes one statement in its own transaction; returns whether it changed its row.
    pub(super) async fn changes_one(
        &self,
        sql: &'static str,
        parameters: Vec<Value>,
    ) -> Result<bool, StoreFailure> {
        let write = Write::new(sql, parameters).any_rows();
        let rows = record::write_any(&self.engine, vec![write]).await?;
        Ok(rows.first() == Some(&1))
    }
}

impl Change for Stored<CustomerChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            CustomerChange::Insert(customer) => {
                writes.push(insert(customer, with.sealing)?.or_duplicate(duplicate::CUSTOMER));
            }
            CustomerChange::InsertIfNew(customer) => {
                writes.push(insert(customer, with.sealing)?.any_rows());
            }
            CustomerChange::Update(customer) => writes.push(update(customer, with.sealing)?),
            CustomerChange::Redact(customer) => {
                writes.push(Write::new(REDACT, update_values(customer, with.sealing)?));
                let parameters = values![
                    customer.merchant_id.as_str(),
                    customer.customer_id.as_str(),
                    customer.modified_at.as_micros()
                ];
                writes.push(Write::new(QUEUE_REDACTION, parameters).on(REDACTIONS));
                let (merchant_id, customer_id) = (&customer.merchant_id, &customer.customer_id);
                let at = with.at;
                writes.extend(delete_saved_method::delete_of_customer(
                    merchant_id,
                    customer_id,
                    at,
                ));
                writes.extend(subject_keys::destroy(merchant_id, customer_id, at));
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        match &self.0 {
            CustomerChange::Insert(_)
            | CustomerChange::InsertIfNew(_)
            | CustomerChange::Update(_) => Invalidates::Nothing,
            CustomerChange::Redact(_) => Invalidates::CustomerKeys,
        }
    }

    /// The subject is that of [`subject_of`].
    fn sealed_for(&self) -> SealedFor<'_> {
        let customer = changed(&self.0);
        match customer.status {
            CustomerStatus::Active => {
                SealedFor::Customer(&customer.merchant_id, &customer.customer_id)
            }
            CustomerStatus::Redacted => SealedFor::Merchant(&customer.merchant_id),
        }
    }

    fn audited(&self) -> Option<Named> {
        let customer_id = &changed(&self.0).customer_id;
        Some(Named::new("customer", customer_id.as_str()))
    }
}

fn changed(change: &CustomerChange) -> &Customer {
    match change {
        CustomerChange::Insert(customer)
        | CustomerChange::InsertIfNew(customer)
        | CustomerChange::Update(customer)
        | CustomerChange::Redact(customer) => customer,
    }
}

fn insert(customer: &Customer, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let mut parameters = customer_values(customer, keys)?;
    parameters.push(Value::from(customer.created_at.as_micros()));
    Ok(Write::new(INSERT, parameters).on(TABLE))
}

fn update(customer: &Customer, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    Ok(Write::new(UPDATE, update_values(customer, keys)?).on(TABLE))
}

fn update_values(customer: &Customer, keys: &dyn Sealing) -> Result<Vec<Value>, StoreFailure> {
    let mut parameters = customer_values(customer, keys)?;
    parameters.push(Value::from(customer.version));
    Ok(parameters)
}

fn customer_values(customer: &Customer, keys: &dyn Sealing) -> Result<Vec<Value>, StoreFailure> {
    let merchant_id = &customer.merchant_id;
    let seal = keys.of_installation();
    // A redacted value is no search key.
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
        keys.seal_for(&subject_of(customer), &place_of(customer), &personal),
        customer.modified_at.as_micros()
    ])
}

fn customer(row: &Row, keys: &OpenKeys<'_>) -> Result<Customer, StoreFailure> {
    let mut customer: Customer = record::read(row, "record")?;
    customer.version = version(row)?;
    let method = row.opt_str("default_payment_method_id").map_err(failure)?;
    let method = method.map(PaymentMethodId::parse).transpose();
    customer.default_payment_method_id = record::id(method)?;
    let personal = keys.open(row, PERSONAL, &place_of(&customer))?;
    customer.personal = record::parse(personal.expose())?;
    Ok(customer)
}

/// Returns the subject whose key seals a customer: the customer. A redaction destroys that key and makes the sealed data
/// unreadable.
pub(super) fn subject_of(customer: &Customer) -> Subject {
    match customer.status {
        CustomerStatus::Active => Subject::customer(&customer.merchant_id, &customer.customer_id),
        CustomerStatus::Redacted => Subject::merchant(&customer.merchant_id),
    }
}

/// Returns the subject whose key seals a row.
pub(super) fn subject_of_row(row: &Row) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let customer_id = CustomerId::parse(row.str("customer_id").map_err(failure)?);
    let merchant_id = record::id(merchant_id)?;
    Ok(match status_of(row)? {
        CustomerStatus::Active => Subject::customer(&merchant_id, &record::id(customer_id)?),
        CustomerStatus::Redacted => Subject::merchant(&merchant_id),
    })
}

fn status_of(row: &Row) -> Result<CustomerStatus, StoreFailure> {
    let word = row.str("status").map_err(failure)?;
    word.parse().map_err(|unknown| {
        StoreFailure::Broken(format!("customers.status does not read: {unknown}"))
    })
}

fn place_of(customer: &Customer) -> String {
    place(TABLE, &customer.merchant_id, &customer.customer_id)
}

/// Hashes of different merchants differ for the same address.
fn email_hash(seal: &dyn Seal, merchant_id: &MerchantId, email: &str) -> String {
    seal.fingerprint(&format!("customer_email:{merchant_id}"), email)
}

fn phone_hash(seal: &dyn Seal, merchant_id: &MerchantId, phone: &str) -> String {
    seal.fingerprint(&format!("customer_phone:{merchant_id}"), phone)
}
