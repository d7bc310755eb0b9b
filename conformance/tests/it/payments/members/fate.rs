//! What can become of a member.

use serde_json::{Value, json};

/// A request that makes or changes a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Create,
    Update,
    Confirm,
}

impl On {
    pub fn operation(self) -> &'static str {
        match self {
            On::Create => "payments_create",
            On::Update => "payments_update",
            On::Confirm => "payments_confirm",
        }
    }
}

/// What becomes of a member, and how that shows.
#[derive(Clone, Debug)]
pub enum Fate {
    /// The processor receives it: this stands at this place of what it filed.
    Told(&'static str, Value),
    /// The payment is another one: this stands at this place of it.
    Changes(&'static str, Value),
    /// It decides something here: a value that can't be is refused.
    Judged(u16, &'static str),
    /// The payment is confirmed.
    Confirms,
    /// The payment has a page that says this.
    Links(&'static str),
    /// The client secret lives so many seconds.
    Lasts(i64),
    /// A capture that names no amount takes this.
    CapturesLater(i64),
    /// The merchant's own: answered as it came.
    Note,
    /// It can't be done. `no` asks for nothing and is accepted.
    Refused {
        status: u16,
        code: &'static str,
        no: Value,
    },
    /// Nothing, and the document says so.
    NoEffect,
}

/// A member with a value, what has to stand beside it, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub member: &'static str,
    pub given: Value,
    pub beside: Value,
    pub on: &'static [On],
    pub fate: Fate,
    /// How a refusal names it, where that isn't the member.
    pub named_as: Option<&'static str>,
}

pub const EVERYWHERE: &[On] = &[On::Create, On::Update, On::Confirm];
pub const LATER: &[On] = &[On::Update, On::Confirm];
pub const CREATE: &[On] = &[On::Create];

impl Case {
    pub fn new(member: &'static str, given: Value, fate: Fate) -> Self {
        Case {
            member,
            given,
            beside: json!({}),
            on: EVERYWHERE,
            fate,
            named_as: None,
        }
    }

    pub fn beside(self, beside: Value) -> Self {
        Case { beside, ..self }
    }

    pub fn on(self, on: &'static [On]) -> Self {
        Case { on, ..self }
    }

    pub fn named_as(self, name: &'static str) -> Self {
        Case {
            named_as: Some(name),
            ..self
        }
    }
}

/// Told under this place as it was given.
pub fn told(member: &'static str, given: Value, at: &'static str) -> Case {
    Case::new(member, given.clone(), Fate::Told(at, given))
}

pub fn note(member: &'static str, given: Value) -> Case {
    Case::new(member, given, Fate::Note)
}

/// Refused with `IR_20`; `no` asks for nothing.
pub fn not_built(member: &'static str, given: Value, no: Value) -> Case {
    let fate = Fate::Refused {
        status: 400,
        code: "IR_20",
        no,
    };
    Case::new(member, given, fate)
}

pub fn no_effect(member: &'static str, given: Value) -> Case {
    Case::new(member, given, Fate::NoEffect)
}
