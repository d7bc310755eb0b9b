//! Draws the mutants that are judged, if not all are. The choice depends on the seed and on the mutants themselves, so that
//! a change of the document keeps most of it.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::change::{Kind, Mutant};

fn number(seed: u64, mutant: &Mutant) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, mutant.kind, &mutant.place, &mutant.what).hash(&mut hasher);
    hasher.finish()
}

/// Draws so many of them, of any kind; all of them in their own order if there are no more.
pub fn sample(mut all: Vec<Mutant>, seed: u64, count: usize) -> Vec<Mutant> {
    if count < all.len() {
        all.sort_by_cached_key(|mutant| number(seed, mutant));
        all.truncate(count);
    }
    all
}

/// Returns the mutants' indices, one of each kind in turn: even a short prefix has kinds with few mutants.
pub fn spread(mutants: &[Mutant], seed: u64) -> Vec<usize> {
    let mut kinds: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        kinds.entry(mutant.kind).or_default().push(index);
    }
    let mut turns: Vec<(usize, Kind, usize)> = Vec::new();
    for (kind, mut of_kind) in kinds {
        of_kind.sort_by_cached_key(|index| number(seed, &mutants[*index]));
        let in_turn = of_kind.into_iter().enumerate();
        turns.extend(in_turn.map(|(turn, index)| (turn, kind, index)));
    }
    turns.sort_unstable();
    turns.into_iter().map(|(_, _, index)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(words: usize) -> Vec<Mutant> {
        let one = |kind, number: usize| Mutant {
            kind,
            place: format!("/{number}"),
            what: String::new(),
            root: None,
            is_judged_by_rules: false,
            changes: Vec::new(),
        };
        let words = (0..words).map(|number| one(Kind::Word, number));
        words.chain([one(Kind::Operation, 0)]).collect()
    }

    #[test]
    fn kinds_take_turns_and_a_seed_draws_the_same_again() {
        let all = mutants(9);
        let drawn = spread(&all, 7);
        assert_eq!(drawn[0], 9, "the only operation comes first");
        assert_eq!(drawn.len(), 10);
        assert_eq!(drawn, spread(&all, 7));
        assert_ne!(drawn, spread(&all, 8));
    }

    #[test]
    fn one_mutant_more_takes_one_of_the_sample_at_most() {
        let places = |words| -> Vec<String> {
            let drawn = sample(mutants(words), 7, 5).into_iter();
            drawn.map(|mutant| mutant.place).collect()
        };
        let (before, after) = (places(20), places(21));
        assert_eq!(before.len(), 5);
        let gone = before.iter().filter(|place| !after.contains(place));
        assert!(gone.count() <= 1, "{before:?} {after:?}");
        assert_eq!(sample(mutants(3), 7, 5), mutants(3));
    }
}
