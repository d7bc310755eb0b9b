//! What is handed in from outside: time and chance.

pub mod clock;
pub mod random;
