//! Debits of bank accounts. The test accounts decide what becomes of them.

use multirail_kernel::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{AuthorizeBody, DebitBody, DebitScheme};
use rusqlite::Transaction;
use serde_json::{Map, Value, json};

use super::cards::Verdict;
use super::dispute_record::DisputeRecord;
use super::issuer::Reason;
use super::notices::Subject;
use super::record::AuthorizationRecord;
use super::{Failure, Processor, invalid};

/// The days between a debit's success and its return.
pub const RETURN_AFTER_DAYS: i64 = 3;

/// The member of the filed details with the debit.
const MEMBER: &str = "debit";

/// The behavior of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountDoes {
    /// Pays.
    Pay,
    /// Fails after the debit was submitted, for lack of funds.
    LackFunds,
    /// Refuses at once: the account is closed.
    BeClosed,
    /// Pays, and takes the money back after [`RETURN_AFTER_DAYS`].
    Return,
}

/// A test account.
#[derive(Clone, Copy, Debug)]
pub struct TestAccount {
    pub scheme: &'static str,
    pub number: &'static str,
    /// Routing number, sort code or BSB number; empty with `sepa`.
    pub bank_code: &'static str,
    pub does: AccountDoes,
}

const fn account(
    scheme: &'static str,
    bank_code: &'static str,
    number: &'static str,
    does: AccountDoes,
) -> TestAccount {
    TestAccount {
        scheme,
        number,
        bank_code,
        does,
    }
}

/// Every test account. `server/TEST_CARDS.md` lists them in this order.
#[rustfmt::skip]
pub const TEST_ACCOUNTS: [TestAccount; 16] = [
    account("sepa", "", "DE89370400440532013000", AccountDoes::Pay),
    account("sepa", "", "DE62370400440532013001", AccountDoes::LackFunds),
    account("sepa", "", "DE08370400440532013003", AccountDoes::BeClosed),
    account("sepa", "", "DE35370400440532013002", AccountDoes::Return),
    account("ach", "110000000", "000123456789", AccountDoes::Pay),
    account("ach", "110000000", "000222222227", AccountDoes::LackFunds),
    account("ach", "110000000", "000111111113", AccountDoes::BeClosed),
    account("ach", "110000000", "000333333335", AccountDoes::Return),
    account("bacs", "108800", "00012345", AccountDoes::Pay),
    account("bacs", "108800", "22222227", AccountDoes::LackFunds),
    account("bacs", "108800", "11111113", AccountDoes::BeClosed),
    account("bacs", "108800", "33333335", AccountDoes::Return),
    account("becs", "000000", "000123456", AccountDoes::Pay),
    account("becs", "000000", "222222227", AccountDoes::LackFunds),
    account("becs", "000000", "111111113", AccountDoes::BeClosed),
    account("becs", "000000", "333333335", AccountDoes::Return),
];

fn test_account(debit: &DebitBody) -> Option<&'static TestAccount> {
    let mut accounts = TEST_ACCOUNTS.iter();
    accounts.find(|account| {
        account.scheme == debit.scheme
            && account.number == debit.number.expose()
            && account.bank_code == debit.bank_code.as_deref().unwrap_or_default()
    })
}

/// Checks the request of a debit.
pub(super) fn check(body: &AuthorizeBody, debit: &DebitBody) -> Result<(), Failure> {
    let scheme = DebitScheme::parse(&debit.scheme).ok_or_else(|| invalid("debit.scheme"))?;
    let mut currencies = scheme.currencies.iter();
    if !currencies.any(|one| one.as_str() == body.currency) {
        return Err(invalid("currency"));
    }
    if body.amount == 0 {
        return Err(invalid("amount"));
    }
    // A debit reserves nothing.
    if !body.capture {
        return Err(invalid("capture"));
    }
    if debit.holder.is_empty() {
        return Err(invalid("debit.holder"));
    }
    let others = [
        ("card", body.card.is_some()),
        ("payer", body.payer.is_some()),
    ];
    let mut others = others.into_iter().filter(|(_, is_given)| *is_given);
    others
        .next()
        .map_or(Ok(()), |(member, _)| Err(invalid(member)))
}

/// Decides what the account does. Nobody has an account that isn't in the table.
pub(super) fn verdict(debit: &DebitBody) -> Verdict {
    match test_account(debit).map(|account| account.does) {
        Some(AccountDoes::Pay | AccountDoes::Return) => Verdict::Pend,
        Some(AccountDoes::LackFunds) => {
            Verdict::PendThenDecline(Reason::InsufficientFunds.to_error())
        }
        Some(AccountDoes::BeClosed) => Verdict::Decline(ErrorCode::AccountClosed.plain()),
        None => Verdict::Decline(ErrorCode::NoSuchAccount.plain()),
    }
}

/// Returns the reference of the payer's mandate. It is the same for each debit of a test account. It contains nothing of
/// other accounts, which are never debited: their numbers could be guessed from a stored hash.
pub(super) fn mandate_id(account: &str, debit: &DebitBody) -> String {
    let number = test_account(debit).map_or("", |known| known.number);
    let whole = format!("{account}/{}/{number}", debit.scheme);
    let hash = blake3::hash(whole.as_bytes()).to_hex();
    format!("mandate_{}", &hash[..16])
}

/// Adds what is filed of a debit to the details. The number isn't filed.
pub(super) fn file(details: &mut Map<String, Value>, account: &str, debit: &DebitBody) {
    let is_returned = test_account(debit).is_some_and(|one| one.does == AccountDoes::Return);
    let filed = json!({
        "scheme": debit.scheme,
        "holder": debit.holder,
        "mandate": mandate_id(account, debit),
        "is_returned": is_returned,
    });
    details.insert(MEMBER.to_owned(), filed);
}

impl AuthorizationRecord {
    /// Returns the scheme of a debit.
    pub(super) fn debit_scheme(&self) -> Option<DebitScheme> {
        let scheme = self.details.get(MEMBER)?.get("scheme")?;
        DebitScheme::parse(scheme.as_str()?)
    }

    /// Returns the reference of the mandate of a debit.
    pub(super) fn debit_mandate(&self) -> Option<String> {
        let mandate = self.details.get(MEMBER)?.get("mandate")?;
        mandate.as_str().map(str::to_owned)
    }

    fn is_returned(&self) -> bool {
        let debit = self.details.get(MEMBER);
        let planned = debit.and_then(|debit| debit.get("is_returned"));
        planned == Some(&Value::Bool(true))
    }
}

impl Processor {
    /// Plans the return of a debit that has just succeeded, if its account returns debits.
    pub(super) fn plan_return(
        &self,
        tx: &Transaction<'_>,
        record: &AuthorizationRecord,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        let at = now.plus_seconds(RETURN_AFTER_DAYS * 86_400);
        let Some(at) = at.filter(|_| record.is_returned()) else {
            return Ok(());
        };
        let planned = DisputeRecord::of_return(record, at);
        planned.save(tx)?;
        self.tell_at(tx, &record.account, Subject::Return, &planned.key, at)
    }

    /// Raises the returns of an account that are due. An account without notices learns of them
    /// only by this.
    pub(super) fn raise_due_returns(
        &self,
        tx: &Transaction<'_>,
        account: &str,
    ) -> rusqlite::Result<()> {
        let sql = "select authorization_key from disputes \
                   where account = ?1 and raised_at is null and later_from <= ?2";
        let due: Vec<String> = {
            let mut statement = tx.prepare_cached(sql)?;
            let now = self.now().as_micros();
            let rows = statement.query_map(rusqlite::params![account, now], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        due.iter().try_for_each(|key| self.raise_dispute(tx, key))
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::secret::SecretText;

    use super::*;

    fn sepa(number: &str) -> DebitBody {
        DebitBody {
            scheme: "sepa".to_owned(),
            number: SecretText::new(number),
            bank_code: None,
            holder: "Ada Okafor".to_owned(),
        }
    }

    #[test]
    fn only_the_mandate_of_a_test_account_depends_on_its_number() {
        let of = |number| mandate_id("fauxpay", &sepa(number));
        let [pays, returns] = [&TEST_ACCOUNTS[0], &TEST_ACCOUNTS[3]].map(|one| of(one.number));
        assert_eq!(pays, of(TEST_ACCOUNTS[0].number));
        assert_ne!(pays, returns);
        let strange = of("DE78370400440532013004");
        assert_eq!(strange, of("GB29NWBK60161331926819"));
        assert!(![pays, returns].contains(&strange), "{strange}");
    }
}
