//! Committing a step: the object, what is stored beside it, its events, and what the request's idempotency key needs.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::{App, Origin};
use super::aggregate::{Aggregate, Due, Lowered};
use crate::ports::{Change, CommitError};

/// A stored step: the object as it is stored, and the calls that are now due.
pub(crate) struct Stored<A: Aggregate> {
    pub object: A,
    pub calls: Vec<Due<A::Call>>,
}

/// Where a commit stands within its request.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    /// The commit that claims the request's idempotency key.
    pub is_first: bool,
    /// Calls of earlier steps are still to be made, so that this is not the last commit.
    pub more_is_due: bool,
}

impl Stage {
    pub(crate) const FIRST: Stage = Stage {
        is_first: true,
        more_is_due: false,
    };
}

impl App {
    /// Commits a step over the object that it was decided on, or the step that creates the object.
    pub(crate) async fn commit_step<A: Aggregate>(
        &self,
        origin: &Origin,
        before: Option<A>,
        step: A::Step,
        inputs: &mut A::Inputs,
        stage: Stage,
    ) -> Result<Stored<A>, CommitError> {
        let Lowered {
            after,
            mut changes,
            announcements,
            calls,
        } = A::lower(before.as_ref(), step, inputs);
        let version = before
            .as_ref()
            .map_or(0, |before| before.identity().version);
        self.record_events(&after, version + 1, announcements, &mut changes)
            .await?;
        let is_last = calls.is_empty() && !stage.more_is_due;
        self.keep_answer(origin, &after, stage.is_first, is_last, &mut changes);
        let is_changed = before.as_ref() != Some(&after);
        let merchant_id = after.identity().merchant_id.clone();
        let after = Arc::new(after);
        if is_changed {
            let change = A::change(before.map(Arc::new), Arc::clone(&after));
            changes.insert(0, change);
        }
        if !changes.is_empty() {
            let change_set = self.change_set(origin, Some(&merchant_id), changes);
            if let Err(error) = self.commit(change_set).await {
                if stage.is_first {
                    self.note_uncommitted(origin, &error, &calls);
                }
                return Err(error);
            }
        }
        let mut object = Arc::unwrap_or_clone(after);
        object.set_version(version + i64::from(is_changed));
        Ok(Stored { object, calls })
    }

    /// Adds what the request's idempotency key needs: the claim to the first commit, the answer to the last.
    fn keep_answer<A: Aggregate>(
        &self,
        origin: &Origin,
        object: &A,
        is_first: bool,
        is_last: bool,
        changes: &mut Vec<Change>,
    ) {
        let Some(claim) = &origin.claim else {
            return;
        };
        if is_first {
            changes.push(self.claim_change(claim, object.identity().object_id));
        }
        if is_last && !claim.is_overtaken.load(Ordering::Acquire) {
            let answer = object.answer(self, |made| (claim.render)(made));
            changes.push(self.answer_change(claim, answer));
        }
    }
}
