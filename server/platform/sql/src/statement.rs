//! What is asked of a database: one SQL text for both engines, with its parameters.
//!
//! Placeholders are `$1`, `$2`, ... in any order and as often as wanted.

use std::borrow::Cow;

use super::value::Value;

/// One statement of a batch that changes rows.
///
/// The text may not contain `returning`. Most statements state how many rows they must change; that
/// number is how a version check (`... where version = $3`) or a uniqueness check
/// (`... on conflict (id) do nothing`) reports back.
#[derive(Clone, Debug)]
pub struct Write {
    /// The SQL text. It is static so that prepared statements can be kept.
    pub sql: &'static str,
    /// Values of `$1`, `$2`, ...
    pub parameters: Vec<Value>,
    /// How many rows must change.
    pub expect: Expect,
    /// What the whole batch answers if another number of rows changes.
    pub on_miss: Miss,
    /// See [`Write::on`].
    pub table: Option<&'static str>,
    /// See [`Write::beside`].
    pub beside: Option<&'static str>,
    /// See [`Write::certain`].
    pub is_certain: bool,
    /// See [`Write::erasing`].
    pub erases: bool,
}

impl Write {
    /// A statement that must change exactly one row; otherwise the batch is a [`Miss::Conflict`].
    pub fn new(sql: &'static str, parameters: Vec<Value>) -> Self {
        Self {
            sql,
            parameters,
            expect: Expect::Rows(1),
            on_miss: Miss::Conflict,
            table: None,
            beside: None,
            is_certain: false,
            erases: false,
        }
    }

    /// Says that the statement writes this table only and depends on no other statement of its batch, nor does one before
    /// it depend on it; a debug build stops where that isn't so (`independence`). PostgreSQL then takes it together with
    /// others in one round trip, before the statements that don't say so. Two of a batch on the same table are taken one
    /// after the other nevertheless. Where one row is expected it has to go by a key: several are an error then, not a miss.
    pub fn on(mut self, table: &'static str) -> Self {
        self.table = Some(table);
        self
    }

    /// Says that a foreign key leads to what an earlier statement on this table may have stored. They are taken in one
    /// round trip together, which is checked as a whole, or one after the other. What this one reads of that table has to
    /// leave out that row, by `<>` with its key.
    pub fn beside(mut self, table: &'static str) -> Self {
        self.beside = Some(table);
        self
    }

    /// Says that it is an `insert ... values` that stores its one row or fails. On PostgreSQL the joined statement then is
    /// this insert, which checks its other parts as it returns; a query that does it costs more.
    pub fn certain(mut self) -> Self {
        self.is_certain = true;
        self
    }

    /// Says that what it writes over is not to stay anywhere in the files. On SQLite the write-ahead log is emptied soon
    /// after; on PostgreSQL that is for its vacuum.
    pub fn erasing(mut self) -> Self {
        self.erases = true;
        self
    }

    /// Lets the statement change any number of rows.
    pub fn any_rows(mut self) -> Self {
        self.expect = Expect::Any;
        self
    }

    /// Requires exactly `rows` changed rows.
    pub fn rows(mut self, rows: u64) -> Self {
        self.expect = Expect::Rows(rows);
        self
    }

    /// Answers a missed expectation with [`Miss::Duplicate`] of `what`.
    pub fn or_duplicate(mut self, what: &'static str) -> Self {
        self.on_miss = Miss::Duplicate(what);
        self
    }

    /// Answers a missed expectation with [`Miss::Gone`] of `what`.
    pub fn or_gone(mut self, what: &'static str) -> Self {
        self.on_miss = Miss::Gone(what);
        self
    }
}

/// How many rows a statement must change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expect {
    /// Any number, none included.
    Any,
    /// Exactly this many.
    Rows(u64),
}

impl Expect {
    /// Whether `changed` rows are what was expected.
    pub fn met_by(self, changed: u64) -> bool {
        match self {
            Expect::Any => true,
            Expect::Rows(rows) => rows == changed,
        }
    }
}

/// Why a batch left no trace, as its statements were given it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// A row was not at the version that was read: load and decide again.
    Conflict,
    /// Something that has to be unique exists already; the text names it.
    Duplicate(&'static str),
    /// Something that the statement needs is not there, or not for it; the text names it.
    Gone(&'static str),
}

/// A query.
#[derive(Clone, Debug)]
pub struct Read {
    /// The SQL text. An owned one is for filters that are put together at run time: only out of our
    /// own words, never out of anything that a caller sent.
    pub sql: Cow<'static, str>,
    /// Values of `$1`, `$2`, ...
    pub parameters: Vec<Value>,
    /// Whether it may go through many rows. SQLite, which reads in our own process, then takes a
    /// thread that may block.
    pub is_long: bool,
}

impl Read {
    /// A query with its parameters.
    pub fn new(sql: impl Into<Cow<'static, str>>, parameters: Vec<Value>) -> Self {
        Self {
            sql: sql.into(),
            parameters,
            is_long: false,
        }
    }

    /// Says that it may go through many rows.
    pub fn long(mut self) -> Self {
        self.is_long = true;
        self
    }
}
