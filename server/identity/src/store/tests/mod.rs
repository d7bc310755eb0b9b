//! Users over a real database of either kind, written to and read back.

mod identities;
mod records;
mod sealing_anew;
mod sign_ins;
mod test_users;
