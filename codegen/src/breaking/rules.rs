//! The rules by which a change breaks clients. Ids and levels are those that oasdiff publishes
//! (oasdiff.com/docs/breaking-changes), as far as they apply to the dialect of our document. Our own rules have ids that
//! begin with `x-`.

use std::fmt;

use super::promises;

/// The severity of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The change breaks no client.
    Info,
    /// The change may break a client.
    Warning,
    /// The change breaks clients that follow the document.
    Error,
}

impl Level {
    /// Returns whether `oasdiff breaking` would report it.
    pub fn is_breaking(self) -> bool {
        match self {
            Level::Info => false,
            Level::Warning | Level::Error => true,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        })
    }
}

/// A rule of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    pub level: Level,
}

/// Returns the rule of this id; `None` if the list has none, and the change breaks nothing.
pub fn rule(id: &str) -> Option<Rule> {
    let find = |level, ids: &[&'static str]| {
        let found = ids.iter().find(|known| **known == id)?;
        Some(Rule { id: found, level })
    };
    [
        (Level::Error, ERRORS),
        (Level::Error, OWN_ERRORS),
        (Level::Warning, WARNINGS),
        (Level::Warning, OWN_WARNINGS),
        (Level::Info, INFOS),
        (Level::Info, OWN_INFOS),
    ]
    .into_iter()
    .find_map(|(level, ids)| find(level, ids))
}

const OWN_ERRORS: &[&str] = &[
    promises::ROLE_REMOVED,
    promises::CLIENT_MEMBER_REMOVED,
    promises::BODY_BYTES_DECREASED,
];

/// A client meets a code that it doesn't know, as with new words in answers.
const OWN_WARNINGS: &[&str] = &[promises::REFUSAL_ADDED];

const OWN_INFOS: &[&str] = &[
    promises::ROLE_ADDED,
    promises::CLIENT_MEMBER_ADDED,
    promises::REFUSAL_REMOVED,
    promises::BODY_BYTES_INCREASED,
];

const ERRORS: &[&str] = &[
    "api-removed-without-deprecation",
    "new-required-request-parameter",
    "new-required-request-property",
    "request-body-added-required",
    "request-body-became-required",
    "request-body-media-type-removed",
    "request-body-removed",
    "request-body-type-changed",
    "request-parameter-became-enum",
    "request-parameter-became-not-nullable",
    "request-parameter-became-required",
    "request-parameter-enum-value-removed",
    "request-parameter-max-decreased",
    "request-parameter-max-items-decreased",
    "request-parameter-max-length-decreased",
    "request-parameter-min-increased",
    "request-parameter-min-items-increased",
    "request-parameter-min-length-increased",
    "request-parameter-pattern-added",
    "request-parameter-type-changed",
    "request-property-became-enum",
    "request-property-became-not-nullable",
    "request-property-became-required",
    "request-property-enum-value-removed",
    "request-property-max-decreased",
    "request-property-max-length-decreased",
    "request-property-min-increased",
    "request-property-min-items-increased",
    "request-property-min-length-increased",
    "request-property-one-of-removed",
    "request-property-pattern-added",
    "request-property-type-changed",
    "required-response-header-removed",
    "response-body-became-nullable",
    "response-body-max-increased",
    "response-body-max-length-increased",
    "response-body-max-length-unset",
    "response-body-min-decreased",
    "response-body-min-items-decreased",
    "response-body-min-items-unset",
    "response-body-min-length-decreased",
    "response-body-one-of-added",
    "response-body-type-changed",
    "response-body-type-generalized",
    "response-header-became-optional",
    "response-media-type-removed",
    "response-property-became-nullable",
    "response-property-became-optional",
    "response-property-max-increased",
    "response-property-max-length-increased",
    "response-property-max-length-unset",
    "response-property-min-decreased",
    "response-property-min-items-decreased",
    "response-property-min-items-unset",
    "response-property-min-length-decreased",
    "response-property-one-of-added",
    "response-property-type-changed",
    "response-property-type-generalized",
    "response-required-property-removed",
    "response-success-status-removed",
    "webhook-removed",
];

const WARNINGS: &[&str] = &[
    "optional-response-header-removed",
    "request-parameter-max-length-set",
    "request-parameter-max-set",
    "request-parameter-min-items-set",
    "request-parameter-min-set",
    "request-parameter-pattern-changed",
    "request-parameter-removed",
    "request-property-max-length-set",
    "request-property-max-set",
    "request-property-min-items-set",
    "request-property-min-set",
    "request-property-pattern-changed",
    "request-property-removed",
    "response-optional-property-removed",
    "response-property-enum-value-added",
];

const INFOS: &[&str] = &[
    "api-operation-id-removed",
    "api-removed-with-deprecation",
    "api-security-added",
    "api-security-removed",
    "endpoint-added",
    "endpoint-deprecated",
    "endpoint-reactivated",
    "new-optional-request-parameter",
    "new-optional-request-property",
    "request-body-added-optional",
    "request-body-became-optional",
    "request-body-media-type-added",
    "request-body-type-generalized",
    "request-parameter-became-nullable",
    "request-parameter-became-optional",
    "request-parameter-deprecated",
    "request-parameter-enum-value-added",
    "request-parameter-max-increased",
    "request-parameter-max-items-increased",
    "request-parameter-max-length-increased",
    "request-parameter-min-decreased",
    "request-parameter-min-items-decreased",
    "request-parameter-min-length-decreased",
    "request-parameter-pattern-removed",
    "request-parameter-reactivated",
    "request-parameter-removed-with-deprecation",
    "request-parameter-type-generalized",
    "request-property-became-nullable",
    "request-property-became-optional",
    "request-property-deprecated",
    "request-property-enum-value-added",
    "request-property-max-increased",
    "request-property-max-length-increased",
    "request-property-min-decreased",
    "request-property-min-length-decreased",
    "request-property-one-of-added",
    "request-property-pattern-removed",
    "request-property-reactivated",
    "request-property-type-generalized",
    "response-body-became-not-nullable",
    "response-body-one-of-removed",
    "response-body-type-specialized",
    "response-header-added",
    "response-media-type-added",
    "response-optional-property-added",
    "response-property-became-not-nullable",
    "response-property-became-required",
    "response-property-deprecated",
    "response-property-enum-value-removed",
    "response-property-one-of-removed",
    "response-property-pattern-added",
    "response-property-pattern-changed",
    "response-property-pattern-removed",
    "response-property-reactivated",
    "response-property-type-specialized",
    "response-required-property-added",
    "response-success-status-added",
    "webhook-added",
];
