//! The abilities of a run, and the needs of its chapters.

/// Facts about the server and the keys.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    pub simulator: bool,
    pub own_account: bool,
    pub publishable_key: bool,
    pub sign_up: bool,
    /// Whether the clock can be moved.
    pub clock: bool,
}

/// A precondition of a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The simulated processor, with its cards, pages and notices.
    Simulator,
    /// A merchant account opened for this run, because the chapter counts objects or changes settings.
    OwnAccount,
    /// The merchant's publishable key.
    PublishableKey,
    /// The operator's key.
    Operator,
    /// Sign-up that is open to anybody.
    SignUp,
    /// A clock that can be moved, as in sandboxes.
    Clock,
}
