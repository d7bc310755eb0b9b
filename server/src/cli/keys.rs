//! `multirail keys generate`: the two keys that a server outside of the sandbox needs.

use std::io::Write;
use std::path::Path;

use multirail_kernel::random::Random;
use multirail_seal::MasterKey;

use super::{Failure, failed};
use crate::config::Setting;
use crate::sandbox_keys::{generate_admin_api_key, write_fresh_keys};

pub(super) fn generate(
    into: Option<&Path>,
    random: &dyn Random,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let admin_variable = Setting::AdminApiKey.variable();
    let master_variable = Setting::MasterKey.variable();
    match into {
        None => {
            let admin = generate_admin_api_key(random);
            writeln!(out, "{admin_variable}={}", admin.expose())?;
            let master = MasterKey::generate(random).to_hex();
            writeln!(out, "{master_variable}={}", master.as_str())?;
        }
        Some(folder) => {
            // The command that uses the lines may run in another folder.
            let folder = std::path::absolute(folder)?;
            let (admin, master) = write_fresh_keys(&folder, random).map_err(failed)?;
            writeln!(out, "{admin_variable}_FILE={}", admin.display())?;
            writeln!(out, "{master_variable}_FILE={}", master.display())?;
        }
    }
    Ok(out.flush()?)
}
