//! Statements: one SQL text for both engines, with its parameters.
//!
//! Placeholders are `$1`, `$2`, ... in any order, each as often as needed.

use std::borrow::Cow;

use super::value::Value;

/// One statement of a batch that changes rows.
///
/// The text may not contain `returning`. Most statements state how many rows they must change; that
/// number is how a version check (`... where version = $3`) or a uniqueness check
/// (`... on conflict (id) do nothing`) reports back.
#[derive(Clone, Debug)]
pub struct Write {
    /// The SQL text. It is static so that prepared statements can be cached.
    pub sql: &'static str,
    /// Values of `$1`, `$2`, ...
    pub parameters: Vec<Value>,
    /// How many rows must change.
    pub expect: Expect,
    /// The answer of the whole batch if another number of rows changes.
    pub on_miss: Miss,
    /// See [`Write::on`].
    pub table: Option<&'static str>,
    /// See [`Write::referring_to`].
    pub refers_to: Option<&'static str>,
    /// See [`Write::certain`].
    pub is_certain: bool,
    /// See [`Write::erasing`].
    pub erases: bool,
}

impl Write {
    /// Returns a statement that must change exactly one row; otherwise the batch is a [`Miss::Conflict`].
    pub fn new(sql: &'static str, parameters: Vec<Value>) -> Self {
        Self {
            sql,
            parameters,
            expect: Expect::Rows(1),
            on_miss: Miss::Conflict,
            table: None,
            refers_to: None,
            is_certain: false,
            erases: false,
        }
    }

    /// Declares that the statement writes this table only, depends on no other statement of its batch, and that no earlier
    /// one depends on it. A debug build stops if that is wrong (`independence`).
    ///
    /// PostgreSQL then runs it together with others in one round trip, before the statements without this declaration. Two
    /// statements of a batch on the same table still run one after the other. A statement that must change one row has to
    /// select it by a key: several rows are an error then, not a miss.
    pub fn on(mut self, table: &'static str) -> Self {
        self.table = Some(table);
        self
    }

    /// Declares that a foreign key may refer to a row that an earlier statement on this table stores. The two run in one
    /// round trip, at whose end the key is checked, or one after the other. Reads of that table in this statement have to
    /// exclude that row, by `<>` with its key.
    pub fn referring_to(mut self, table: &'static str) -> Self {
        self.refers_to = Some(table);
        self
    }

    /// Declares that the statement is an `insert ... values` that stores its one row or fails. On PostgreSQL the joined
    /// statement is then this insert, which checks its other parts as it returns; a query that does it costs more.
    pub fn certain(mut self) -> Self {
        self.is_certain = true;
        self
    }

    /// Declares that the overwritten data must not stay anywhere in the files. SQLite's write-ahead log is emptied soon
    /// after; on PostgreSQL its vacuum removes the data.
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

    /// Returns [`Miss::Duplicate`] of `what` for another number of rows.
    pub fn or_duplicate(mut self, what: &'static str) -> Self {
        self.on_miss = Miss::Duplicate(what);
        self
    }

    /// Returns [`Miss::Gone`] of `what` for another number of rows.
    pub fn or_gone(mut self, what: &'static str) -> Self {
        self.on_miss = Miss::Gone(what);
        self
    }
}

/// The number of rows that a statement must change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expect {
    /// Any number, none included.
    Any,
    /// Exactly this many.
    Rows(u64),
}

impl Expect {
    /// Returns whether `changed` rows are the expected number.
    pub fn met_by(self, changed: u64) -> bool {
        match self {
            Expect::Any => true,
            Expect::Rows(rows) => rows == changed,
        }
    }
}

/// Why a batch was not stored, as its statements declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// A row was not at the version that was read: load and decide again.
    Conflict,
    /// A value that has to be unique exists already; the text names it.
    Duplicate(&'static str),
    /// An object that the statement needs is missing, or unsuitable; the text names it.
    Gone(&'static str),
}

/// A query.
#[derive(Clone, Debug)]
pub struct Read {
    /// The SQL text. An owned text is for filters that are built at run time: only from fixed pieces, never from a caller's
    /// input.
    pub sql: Cow<'static, str>,
    /// Values of `$1`, `$2`, ...
    pub parameters: Vec<Value>,
    /// Whether it may read many rows. SQLite, which reads inside our process, then uses a thread that may block.
    pub is_long: bool,
}

impl Read {
    /// Returns a query with its parameters.
    pub fn new(sql: impl Into<Cow<'static, str>>, parameters: Vec<Value>) -> Self {
        Self {
            sql: sql.into(),
            parameters,
            is_long: false,
        }
    }

    /// Declares that it may read many rows.
    pub fn long(mut self) -> Self {
        self.is_long = true;
        self
    }
}
