//! What a run can do, and what its chapters need.

/// What was found out of the server and the keys.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    pub simulator: bool,
    pub own_account: bool,
    pub publishable_key: bool,
    pub sign_up: bool,
    /// Whether the clock can be moved.
    pub clock: bool,
}

/// What a chapter cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The simulated processor, with its cards, pages and notices.
    Simulator,
    /// A merchant account that was opened for this run: the chapter counts what is there, or changes settings.
    OwnAccount,
    /// The merchant's publishable key.
    PublishableKey,
    /// The operator's key.
    Operator,
    /// That anybody may sign up.
    SignUp,
    /// A clock that can be moved, as sandboxes have.
    Clock,
}
