//! The possible effects of a member.

use serde_json::{Value, json};

/// A request that creates or changes a payment.
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

/// A member's effect, and where it shows.
#[derive(Clone, Debug)]
pub enum Fate {
    /// The processor receives it: its record has this value at this place.
    Sent(&'static str, Value),
    /// The payment changes: it has this value at this place.
    Changes(&'static str, Value),
    /// The server checks it: a wrong value is refused.
    Judged(u16, &'static str),
    /// The payment is confirmed.
    Confirms,
    /// The payment gets a page with this text.
    Links(&'static str),
    /// The client secret lives this many seconds.
    Lasts(i64),
    /// A capture without an amount takes this amount.
    CapturesLater(i64),
    /// The merchant's own note: answered unchanged.
    Note,
    /// The member is refused. The value `no` asks for nothing and is accepted.
    Refused {
        status: u16,
        code: &'static str,
        no: Value,
    },
    /// No effect, as the document says.
    NoEffect,
}

/// A member with a value, the members that it needs, and its effect.
#[derive(Clone, Debug)]
pub struct Case {
    pub member: &'static str,
    pub given: Value,
    pub others: Value,
    pub on: &'static [On],
    pub fate: Fate,
    /// The name in a refusal, if it differs from the member.
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
            others: json!({}),
            on: EVERYWHERE,
            fate,
            named_as: None,
        }
    }

    pub fn along_with(self, others: Value) -> Self {
        Case { others, ..self }
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

/// Builds a case whose value reaches the processor unchanged at this place.
pub fn sent(member: &'static str, given: Value, at: &'static str) -> Case {
    Case::new(member, given.clone(), Fate::Sent(at, given))
}

pub fn note(member: &'static str, given: Value) -> Case {
    Case::new(member, given, Fate::Note)
}

/// Builds a case that is refused with `IR_20`; `no` asks for nothing.
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
