//! The score, and the survivors.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::change::{Kind, Mutant};
use super::explained::Explained;
use super::places::Places;
use super::verdict::Verdict;

/// Counted mutants.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: usize,
    killed: usize,
    explained: usize,
}

impl Count {
    fn survived(self) -> usize {
        self.all - self.killed - self.explained
    }

    fn percent(self) -> f64 {
        100.0 * self.killed as f64 / self.all.max(1) as f64
    }
}

/// A mutant that nothing noticed.
#[derive(Clone, Debug)]
struct Survivor {
    kind: Kind,
    file: String,
    line: usize,
    place: String,
    what: String,
    why: String,
    operations: Vec<String>,
    is_specified: bool,
    is_explained: bool,
}

/// The results of all mutants.
#[derive(Clone, Debug, Default)]
pub struct Score {
    kinds: BTreeMap<Kind, Count>,
    specified: BTreeMap<Kind, Count>,
    killers: BTreeMap<&'static str, usize>,
    survivors: Vec<Survivor>,
}

impl Score {
    /// Counts one. `at` is its file and line.
    pub fn count(
        &mut self,
        mutant: &Mutant,
        verdict: &Verdict,
        places: &Places,
        explained: &Explained,
        at: (&str, usize),
    ) {
        *self.killers.entry(verdict.name()).or_default() += 1;
        let is_specified = places.is_specified(&mutant.place);
        let why = match verdict {
            Verdict::Survived(_) => explained.why(mutant),
            Verdict::Exchange | Verdict::Refusal | Verdict::Coverage | Verdict::Lint => None,
        };
        let mut tables = vec![self.kinds.entry(mutant.kind).or_default()];
        if is_specified {
            tables.push(self.specified.entry(mutant.kind).or_default());
        }
        for count in tables {
            count.all += 1;
            match (verdict, why) {
                (Verdict::Survived(_), None) => {}
                (Verdict::Survived(_), Some(_)) => count.explained += 1,
                (Verdict::Exchange | Verdict::Refusal | Verdict::Coverage | Verdict::Lint, _) => {
                    count.killed += 1
                }
            }
        }
        if let Verdict::Survived(reason) = verdict {
            self.survivors.push(Survivor {
                kind: mutant.kind,
                file: at.0.to_owned(),
                line: at.1,
                place: mutant.place.clone(),
                what: mutant.what.clone(),
                why: why.map_or_else(|| reason.clone(), |why| format!("{reason}; {why}")),
                operations: places
                    .operations(&mutant.place)
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
                is_specified,
                is_explained: why.is_some(),
            });
        }
    }

    /// Returns the noticed mutants, in percent.
    pub fn percent(&self) -> f64 {
        total(&self.kinds).percent()
    }

    /// Returns survivors without a reason where there may be none.
    pub fn forbidden(&self) -> usize {
        let strict = self
            .survivors
            .iter()
            .filter(|one| one.is_specified && one.kind.is_strict());
        strict.filter(|one| !one.is_explained).count()
    }

    /// Returns the tables.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (title, kinds) in [
            ("the whole document", &self.kinds),
            (
                "reached by the 14 operations of the specification",
                &self.specified,
            ),
        ] {
            let _ = writeln!(
                text,
                "{title}\n  {:14} {:>7} {:>8} {:>9} {:>9} {:>7}",
                "", "mutants", "noticed", "explained", "survived", "score"
            );
            let mut row = |name: &str, count: Count| {
                let _ = writeln!(
                    text,
                    "  {name:14} {:7} {:8} {:9} {:9} {:6.1}%",
                    count.all,
                    count.killed,
                    count.explained,
                    count.survived(),
                    count.percent()
                );
            };
            for kind in Kind::ALL {
                if let Some(count) = kinds.get(&kind) {
                    row(kind.name(), *count);
                }
            }
            row("all", total(kinds));
            text.push('\n');
        }
        let noticed: Vec<String> = self
            .killers
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let _ = writeln!(text, "by: {}", noticed.join(", "));
        text
    }

    /// Returns every survivor, by its operations: either the explained ones, or the others.
    pub fn survivors(&self, explained: bool) -> String {
        let mut groups: BTreeMap<String, Vec<&Survivor>> = BTreeMap::new();
        for one in self
            .survivors
            .iter()
            .filter(|one| one.is_explained == explained)
        {
            let shown: Vec<&str> = one.operations.iter().take(3).map(String::as_str).collect();
            let more = one.operations.len().saturating_sub(3);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            groups
                .entry(format!("{}{more}", shown.join(", ")))
                .or_default()
                .push(one);
        }
        let mut text = String::new();
        for (operations, survivors) in groups {
            let _ = writeln!(text, "{operations}");
            for one in survivors {
                let mark = if one.is_specified && one.kind.is_strict() {
                    "!"
                } else {
                    " "
                };
                let _ = writeln!(
                    text,
                    " {mark}{}:{} {} #{}: {} ({})",
                    one.file,
                    one.line,
                    one.kind.name(),
                    one.place,
                    one.what,
                    one.why
                );
            }
        }
        text
    }
}

fn total(kinds: &BTreeMap<Kind, Count>) -> Count {
    kinds.values().fold(Count::default(), |sum, one| Count {
        all: sum.all + one.all,
        killed: sum.killed + one.killed,
        explained: sum.explained + one.explained,
    })
}
