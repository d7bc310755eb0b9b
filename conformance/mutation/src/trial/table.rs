//! The table of the mutants that each judge noticed or passed.

use std::fmt::Write as _;

use super::{Finding, Trial};
use crate::change::Kind;

/// The findings about all drawn mutants.
#[derive(Clone, Debug, Default)]
pub struct Trials<'m> {
    pub all: Vec<Trial<'m>>,
}

/// The judges, in the order of the columns.
const JUDGES: [&str; 4] = ["lint", "exchanges", "compile", "live"];

impl Trial<'_> {
    /// Returns the findings in the order of [`JUDGES`]; `None` if the mutant wasn't drawn for one.
    fn noticed(&self) -> [Option<bool>; JUDGES.len()] {
        let of = |finding: &Option<Finding>| finding.as_ref().map(Finding::is_noticed);
        [
            Some(self.lint),
            Some(self.exchanges),
            of(&self.compile),
            of(&self.live),
        ]
    }

    fn is_let_through(&self) -> bool {
        !self.lint && !self.exchanges
    }

    fn line(&self, why: &str) -> String {
        let (file, line) = &self.at;
        // Only these judges notice it.
        let mark = if self.is_let_through() { "+" } else { " " };
        format!(
            "{mark} {file}:{line} {} #{}: {} ({})",
            self.mutant.kind.name(),
            self.mutant.place,
            self.mutant.what,
            why.lines().next().unwrap_or_default()
        )
    }
}

impl Trials<'_> {
    /// Returns, for each kind, how many of its mutants each judge noticed.
    pub fn table(&self) -> String {
        let mut text = "mutants that each judge noticed, of those that it judged\n".to_owned();
        let [a, b, c, d] = JUDGES;
        let _ = writeln!(text, "  {:21} {a:>12} {b:>12} {c:>12} {d:>12}", "");
        let mut row = |name: &str, wanted: &dyn Fn(&Trial<'_>) -> bool| {
            let of_it: Vec<_> = self.all.iter().filter(|one| wanted(one)).collect();
            if of_it.is_empty() {
                return;
            }
            let cells = (0..JUDGES.len()).map(|judge| {
                let asked = of_it.iter().filter_map(|one| one.noticed()[judge]);
                let (noticed, all) = asked.fold((0, 0), |(noticed, all), is| {
                    (noticed + usize::from(is), all + 1)
                });
                match all {
                    0 => "-".to_owned(),
                    all => format!("{noticed} of {all}"),
                }
            });
            let cells: String = cells.map(|cell| format!(" {cell:>12}")).collect();
            let _ = writeln!(text, "  {name:21}{cells}");
        };
        for kind in Kind::ALL {
            row(kind.name(), &|one| one.mutant.kind == kind);
        }
        row("all", &|_| true);
        row("lint, exchanges: no", &|one| one.is_let_through());
        row("of these, explained", &|one| one.is_explained);
        text
    }

    /// Returns the mutants that the compiler and the verifier passed, with reasons; with `noticed` also the evidence for
    /// the others.
    pub fn passed(&self, noticed: bool) -> String {
        type Pick = fn(&Trial<'_>) -> Option<Finding>;
        let judges: [(&str, Pick); 2] = [
            ("compile", |one| one.compile.clone()),
            ("live", |one| one.live.clone()),
        ];
        let mut text = String::new();
        for (judge, finding) in judges {
            for is_noticed in [true, false] {
                let found = self.all.iter().filter_map(|one| Some((one, finding(one)?)));
                let lines: Vec<_> = found
                    .filter(|(_, finding)| finding.is_noticed() == is_noticed)
                    .map(|(one, finding)| one.line(finding.why()))
                    .collect();
                let what = match is_noticed {
                    true => "notices",
                    false => "lets through",
                };
                if !lines.is_empty() && (noticed || !is_noticed) {
                    let _ = writeln!(text, "{judge} {what}\n{}\n", lines.join("\n"));
                }
            }
        }
        text
    }

    /// Returns explained mutants whose explanation a server's answers refute.
    pub fn refuted(&self) -> impl Iterator<Item = String> {
        let explained = self.all.iter().filter(|one| one.is_explained);
        explained.filter_map(|one| match &one.live {
            Some(Finding::Noticed(why)) => Some(one.line(why)),
            Some(Finding::Silent(_)) | None => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Mutant;

    #[test]
    fn each_judge_is_counted_by_those_that_it_was_asked_about() {
        let mutant = |kind| Mutant {
            kind,
            place: "/a".to_owned(),
            what: "it is gone".to_owned(),
            root: None,
            is_judged_by_rules: false,
            changes: Vec::new(),
        };
        let [word, limit] = [mutant(Kind::Word), mutant(Kind::Limit)];
        let noticed = || Some(Finding::Noticed("E0599".to_owned()));
        let silent = || Some(Finding::Silent("all pass".to_owned()));
        let trial = |mutant, lint, is_explained, compile, live| Trial {
            mutant,
            at: ("a.yaml".to_owned(), 7),
            lint,
            exchanges: false,
            is_explained,
            compile,
            live,
        };
        let trials = Trials {
            all: vec![
                trial(&word, false, true, noticed(), silent()),
                trial(&word, false, true, None, noticed()),
                trial(&limit, true, false, None, silent()),
            ],
        };
        insta::assert_snapshot!(trials.table() + &trials.passed(true), @r"
        mutants that each judge noticed, of those that it judged
                                        lint    exchanges      compile         live
          word                        0 of 2       0 of 2       1 of 1       1 of 2
          limit                       1 of 1       0 of 1            -       0 of 1
          all                         1 of 3       0 of 3       1 of 1       1 of 3
          lint, exchanges: no         0 of 2       0 of 2       1 of 1       1 of 2
          of these, explained         0 of 2       0 of 2       1 of 1       1 of 2
        compile notices
        + a.yaml:7 word #/a: it is gone (E0599)

        live notices
        + a.yaml:7 word #/a: it is gone (E0599)

        live lets through
        + a.yaml:7 word #/a: it is gone (all pass)
          a.yaml:7 limit #/a: it is gone (all pass)
        ");
        let refuted: Vec<String> = trials.refuted().collect();
        assert_eq!(refuted, ["+ a.yaml:7 word #/a: it is gone (E0599)"]);
    }
}
