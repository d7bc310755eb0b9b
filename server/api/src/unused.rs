//! Members that clients of other systems send and that this service doesn't use yet. The document marks them.

use serde_json::Value;

use crate::ApiError;
use crate::violation::{Step, full_path};

/// The marked members of one request.
#[derive(Debug, Default)]
pub struct Unused {
    /// The members with `x-multirail-not-built`: removed where the value doesn't ask for the capability, else refused.
    not_built: Vec<(String, Vec<Value>)>,
}

impl Unused {
    /// Returns the marked members of a schema.
    pub fn from_schema(schema: &Value) -> Self {
        let mut unused = Self::default();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(unwanted) = member["x-multirail-not-built"].as_array() {
                unused.not_built.push((name.clone(), unwanted.clone()));
            }
        }
        unused
    }

    /// Removes marked members.
    ///
    /// # Errors
    /// 400 `IR_20` where one asks for a capability that isn't built.
    pub fn take_out(&self, value: &mut Value) -> Result<(), ApiError> {
        let Some(members) = value.as_object_mut() else {
            return Ok(());
        };
        for (name, unwanted) in &self.not_built {
            if let Some(given) = members.shift_remove(name)
                && !unwanted.contains(&given)
            {
                let name = full_path(&[Step::Member(name.clone())]);
                return Err(ApiError::not_built(&name, unwanted));
            }
        }
        Ok(())
    }
}
