//! The state of satellites: subjects that the core doesn't know, with operations of their own.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

use multirail_api::ApiError;

/// The state of each satellite's operations, by its type. All operations share one context, which belongs to the core.
/// The program adds here the state that the core can't name.
#[derive(Default)]
pub struct Satellites(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl Satellites {
    /// Adds the state of one satellite.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.0.insert(TypeId::of::<T>(), Box::new(state));
        self
    }

    /// Returns the state of a satellite.
    ///
    /// # Errors
    /// 500 where the program has not added it.
    pub fn state<T: 'static>(&self) -> Result<&T, ApiError> {
        let found = self.0.get(&TypeId::of::<T>());
        let state = found.and_then(|state| state.downcast_ref());
        state.ok_or_else(|| ApiError::internal(format!("{} is not plugged in", type_name::<T>())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_satellite_finds_its_own_state() {
        let satellites = Satellites::default().with(7_u32).with("seven");
        assert_eq!(satellites.state::<u32>().ok(), Some(&7));
        assert_eq!(satellites.state::<&str>().ok(), Some(&"seven"));
        let missing = satellites.state::<u64>().unwrap_err();
        assert_eq!(missing.status.as_u16(), 500);
    }
}
