//! The consent that payments recorded, stored with the payer's personal data.

use std::collections::BTreeMap;

use async_trait::async_trait;
use multirail_app::customers::ports::ConsentStore;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::PaymentPersonal;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::consent::Consent;

use crate::engine::{Read, Row, Value};
use crate::payments::{PERSONAL, place};
use crate::platform::conditions::Conditions;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

#[async_trait]
impl ConsentStore for SqlStore {
    async fn consents(
        &self,
        merchant_id: &MerchantId,
        payments: &[PaymentId],
    ) -> Result<BTreeMap<PaymentId, Consent>, StoreFailure> {
        // An empty list asks for no payment, not for all of them.
        if payments.is_empty() {
            return Ok(BTreeMap::new());
        }
        let (sql, parameters) = of_payments(merchant_id, payments);
        let rows = self.engine.fetch(Read::new(sql, parameters)).await;
        let rows = rows.map_err(failure)?;
        let keys = self.keys.to_open_columns(&rows, &[PERSONAL]).await?;
        let mut found = BTreeMap::new();
        for row in &rows {
            let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
            let payment_id = record::id(payment_id)?;
            if let Some(consent) = consent(row, &keys, merchant_id, &payment_id)? {
                found.insert(payment_id, consent);
            }
        }
        Ok(found)
    }
}

/// Returns the personal data of these payments. Each is read by its key.
pub(crate) fn of_payments(
    merchant_id: &MerchantId,
    payments: &[PaymentId],
) -> (String, Vec<Value>) {
    let ids: Vec<&str> = payments.iter().map(PaymentId::as_str).collect();
    let mut conditions = Conditions::of_merchant("p.merchant_id", merchant_id);
    conditions.one_of("p.payment_id", &ids);
    let sql = format!(
        "select p.payment_id as payment_id, p.personal as personal from payments p where {}",
        conditions.text
    );
    (sql, conditions.parameters)
}

fn consent(
    row: &Row,
    keys: &OpenKeys<'_>,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Option<Consent>, StoreFailure> {
    let Some(sealed) = row.opt_bytes(PERSONAL).map_err(failure)? else {
        return Ok(None);
    };
    let personal = match keys.open_bytes(&place(merchant_id, payment_id), &sealed) {
        Ok(personal) => personal,
        Err(StoreFailure::Destroyed(_)) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let personal: PaymentPersonal = record::parse(personal.expose())?;
    Ok(personal.payer.consent.map(|consent| *consent))
}
