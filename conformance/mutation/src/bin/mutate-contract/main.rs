//! Measures how many changes of the contract the tests would notice. It changes the document in one place after the other
//! and checks whether recorded exchanges, their coverage, or the generator's lint notice. It gives a few mutants also to
//! the compiler (`--compile`) and to the verifier with a running server (`--live`), and prints the findings of each judge.
//!
//! Record first: `MULTIRAIL_TEST_EXCHANGES=$PWD/target/exchanges cargo test --workspace --test it`.

mod arguments;
mod trials;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use multirail_codegen::output;
use multirail_codegen::sources::Sources;
use multirail_mutation::{
    Explained, Judge, KIT, Mutant, Places, Score, Seen, Verdict, mutants, sample,
};
use multirail_verifier::command;
use multirail_verifier::document::document;
use multirail_verifier::exchange;
use serde_json::Value;

use arguments::Arguments;
use trials::{Known, trials};

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let program = words.next();
    if std::env::args_os().nth(1).is_some_and(|word| word == KIT) {
        return kit(program.into_iter().chain(words.skip(1)));
    }
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs this program as the verifier's command, for one mutant.
fn kit(words: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments = command::Arguments::parse_from(words);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    runtime.block_on(command::run(&arguments))
}

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let folder = &arguments.exchanges;
    let exchanges =
        exchange::load(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if exchanges.is_empty() {
        return Err(format!("{}: there are no exchanges", folder.display()));
    }
    let workspace = output::workspace();
    let main = workspace.join(output::MAIN);
    let sources = Sources::read(&main, &workspace).map_err(|error| error.to_string())?;
    let seen = Seen::read(document(), &exchanges);
    println!(
        "{} exchanges of {} operations",
        seen.exchanges,
        seen.operations.len()
    );
    drop(exchanges);

    let mut all = mutants(document());
    let (places, explained) = (Places::new(document()), Explained::read());
    if arguments.strict {
        all.retain(|mutant| mutant.kind.is_strict() && places.is_specified(&mutant.place));
    }
    let roots: BTreeSet<String> = all
        .iter()
        .filter_map(|mutant| mutant.root.clone())
        .collect();
    let judge = Judge::new(document(), &seen, &sources, &roots);
    let count = all.len();
    let chosen = sample(all, arguments.seed, arguments.sample.unwrap_or(count));
    println!(
        "{} mutants of {count}{}",
        chosen.len(),
        if chosen.len() < count {
            format!(", drawn with seed {}", arguments.seed)
        } else {
            String::new()
        }
    );
    let verdicts = judged(&judge, &chosen, arguments.threads);

    let mut score = Score::default();
    for (mutant, verdict) in chosen.iter().zip(&verdicts) {
        score.count(
            mutant,
            verdict,
            &places,
            &explained,
            sources.at(&mutant.place),
        );
    }
    println!("\n{}", score.survivors(false));
    if arguments.all {
        println!("explained\n\n{}", score.survivors(true));
        println!("permitted and never seen");
        judge.gaps().for_each(|gap| println!("  {gap}"));
    }
    println!("{}", score.table());
    let mut code = ExitCode::SUCCESS;
    let mut fail = |why: String| {
        eprintln!("{why}");
        code = ExitCode::FAILURE;
    };
    if arguments.compile + arguments.live > 0 {
        let known = Known {
            mutants: &chosen,
            verdicts: &verdicts,
            judge: &judge,
            sources: &sources,
            places: &places,
            explained: &explained,
        };
        let trials = trials(arguments, &known)?;
        println!("{}\n{}", trials.passed(arguments.all), trials.table());
        for one in trials.refuted() {
            fail(format!(
                "the list explains it, and a server shows it: {one}"
            ));
        }
    }
    for contradiction in &seen.contradictions {
        fail(format!("the document is contradicted: {contradiction}"));
    }
    let forbidden = score.forbidden();
    if forbidden > arguments.still {
        fail(format!(
            "{forbidden} survivors, marked !, where the specification allows none"
        ));
    }
    if score.percent() < arguments.least {
        fail(format!(
            "the score {:.1} % is below {} %",
            score.percent(),
            arguments.least
        ));
    }
    if arguments.sample.is_none() && !arguments.strict {
        for place in explained.unused() {
            fail(format!(
                "nothing survives any longer at {place}: its explanation can go"
            ));
        }
    }
    Ok(code)
}

/// Returns the verdict on each, in order.
fn judged(judge: &Judge<'_>, chosen: &[Mutant], threads: Option<usize>) -> Vec<Verdict> {
    let threads = threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    let work = |first: usize| {
        let mut own: Value = document().clone();
        let mine = chosen.iter().enumerate().skip(first).step_by(threads);
        mine.map(|(index, mutant)| (index, judge.judge(mutant, &mut own)))
            .collect::<Vec<_>>()
    };
    let mut verdicts = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || work(first)))
            .collect();
        let ended = started
            .into_iter()
            .flat_map(|one| one.join().expect("a thread ends"));
        ended.collect::<Vec<_>>()
    });
    verdicts.sort_by_key(|(index, _)| *index);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}
