//! The files of keys that a sandbox makes for itself.

/// File of the admin key within the data directory.
pub const ADMIN_KEY_FILE: &str = "admin.key";
/// File of the master key within the data directory.
pub const MASTER_KEY_FILE: &str = "master.key";
