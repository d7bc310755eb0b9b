//! Gives a few mutants to the compiler and the verifier.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use multirail_codegen::output;
use multirail_codegen::sources::Sources;
use multirail_mutation::{
    Compiler, Explained, Finding, Judge, Live, Mutant, Places, Trial, Trials, Verdict, spread,
};
use multirail_verifier::document::document;
use serde_json::Value;

use crate::arguments::Arguments;

/// The verdicts of the cheap judges on all mutants.
pub struct Known<'a> {
    pub mutants: &'a [Mutant],
    pub verdicts: &'a [Verdict],
    pub judge: &'a Judge<'a>,
    pub sources: &'a Sources,
    pub places: &'a Places,
    pub explained: &'a Explained,
}

/// Draws mutants for both judges and has them judged.
///
/// # Errors
/// Fails when a judge can't run.
pub fn trials<'a>(arguments: &Arguments, known: &Known<'a>) -> Result<Trials<'a>, String> {
    let mut own: Value = document().clone();
    let mut lint_notices = |index: usize| known.judge.lint_notices(&known.mutants[index], &mut own);
    let mut order = spread(known.mutants, arguments.seed);
    if arguments.survivors {
        order.retain(|index| known.survived(*index));
    }
    let live = known.for_the_kit(&order, arguments.live);
    // The generator refuses mutants that the lint notices.
    let is_generated = |index: &usize| !lint_notices(*index);
    let compile = order.iter().copied().filter(is_generated);
    let compile: BTreeSet<usize> = compile.take(arguments.compile).collect();
    let mut drawn: BTreeMap<usize, Trial<'a>> = live
        .union(&compile)
        .map(|index| (*index, known.trial(*index, lint_notices(*index))))
        .collect();
    if !compile.is_empty() {
        let compiler = compiler()?;
        for (number, index) in compile.iter().enumerate() {
            let one = drawn.get_mut(index).expect("it was drawn");
            let judge = |document: &Value| compiler.judge(document);
            let finding = asked_about(one.mutant, &mut own, judge, "compile", number + 1)?;
            one.compile = Some(finding);
        }
    }
    if !live.is_empty() {
        let all = known.operations(&live);
        let kit = timed("live, without any change", || Live::start(document(), &all))?;
        for (number, index) in live.iter().enumerate() {
            let one = drawn.get_mut(index).expect("it was drawn");
            let operations = known.places.operations(&one.mutant.place);
            let judge = |document: &Value| kit.judge(document, &operations);
            let finding = asked_about(one.mutant, &mut own, judge, "live", number + 1)?;
            one.live = Some(finding);
        }
    }
    Ok(Trials {
        all: drawn.into_values().collect(),
    })
}

impl<'a> Known<'a> {
    fn survived(&self, index: usize) -> bool {
        matches!(self.verdicts[index], Verdict::Survived(_))
    }

    fn is_explained(&self, index: usize) -> bool {
        self.survived(index) && self.explained.why(&self.mutants[index]).is_some()
    }

    /// Draws so many of these. Explained mutants come first, because a running server may show that an explanation is
    /// wrong; half of the places are for others.
    fn for_the_kit(&self, order: &[usize], count: usize) -> BTreeSet<usize> {
        let (explained, others): (Vec<usize>, Vec<usize>) =
            order.iter().partition(|index| self.is_explained(**index));
        let (first, rest) = explained.split_at(explained.len().min(count.div_ceil(2)));
        let drawn = first.iter().chain(&others).chain(rest);
        drawn.take(count).copied().collect()
    }

    /// Returns all operations of these mutants; none if a mutant belongs to no operation, for which the verifier tests
    /// every operation.
    fn operations(&self, mutants: &BTreeSet<usize>) -> Vec<&str> {
        let of = |index: &usize| self.places.operations(&self.mutants[*index].place);
        let each: Vec<Vec<&str>> = mutants.iter().map(of).collect();
        match each.iter().any(Vec::is_empty) {
            true => Vec::new(),
            false => {
                let together: BTreeSet<&str> = each.into_iter().flatten().collect();
                together.into_iter().collect()
            }
        }
    }

    fn trial(&self, index: usize, lint: bool) -> Trial<'a> {
        let mutant = &self.mutants[index];
        let (file, line) = self.sources.at(&mutant.place);
        Trial {
            mutant,
            at: (file.to_owned(), line),
            lint,
            exchanges: self.verdicts[index].is_of_exchanges(),
            is_explained: self.is_explained(index),
            compile: None,
            live: None,
        }
    }
}

/// Copies the workspace into the target folder of this program and compiles it.
fn compiler() -> Result<Compiler, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    // target/<profile>/<this program>
    let target = program.ancestors().nth(2).map(Path::to_path_buf);
    let target = target.unwrap_or_else(|| PathBuf::from("target"));
    timed("compile, without any change", || {
        Compiler::start(&output::workspace(), &target, document())
    })
}

fn asked_about(
    mutant: &Mutant,
    own: &mut Value,
    judge: impl FnOnce(&Value) -> Result<Finding, String>,
    name: &str,
    number: usize,
) -> Result<Finding, String> {
    let what = format!("{name} {number}: #{}: {}", mutant.place, mutant.what);
    timed(&what, || mutant.with(own, judge))
}

/// Prints how long some work took, as it may be long.
fn timed<T>(what: &str, done: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let started = Instant::now();
    let result = done();
    eprintln!("{what}: {:.1} s", started.elapsed().as_secs_f64());
    result
}
