//! The console: its files, its place at the server, and the sessions of the users who work in it.

mod served;
