//! The load program: measures how fast a multirail server is, the cost, and the speed of the same disk and engine without
//! it.
//!
//! One connection is one [`customer`] who plays a [`scenario`] repeatedly. `drive` lets many of them play for a time and
//! reads the server's use of resources meanwhile. The [`yardstick`] is taken in the same run. Figures hold for one machine
//! only; ratios hold elsewhere too. No test asserts anything here: see `conformance/BENCHMARKS.md` for the results.

mod added;
mod arguments;
mod connection;
mod customer;
mod disputes;
mod drive;
mod endpoint;
mod figures;
mod fill;
mod lists;
mod merchant;
mod party;
mod process;
mod quantiles;
mod report;
mod requests;
mod saved_methods;
mod scenario;
mod server;
mod settle;
mod stand_in;
mod subscriptions;
mod webhooks;
mod yardstick;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;

use arguments::{Arguments, Engine};
use drive::{Drive, Outcome, drive};
use party::Party;
use quantiles::Quantiles;
use server::Server;
use settle::{FEW, Result, settle};
use yardstick::{BareLoop, disk, pgbench, postgres, sqlite};

/// The time of one yardstick.
const YARDSTICK: Duration = Duration::from_secs(5);

/// The server's own allocator. This program and its stand-in share the processors with the server, and use as little of
/// them as possible.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // One thread: the server needs the other processor more.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(async {
            match arguments.stand_in {
                Some(connector) => Ok(stand_in::serve(connector).await?),
                None => run(&arguments).await,
            }
        }),
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> Result<()> {
    let stand_in = stand_in::Process::start(arguments.connector)?.map(Arc::new);
    let trusted = stand_in.as_ref().map(|own| own.certificate.as_path());
    let server = Server::find(arguments, trusted)?;
    println!("load average at the start: {}", process::load_average());
    let bare = if arguments.no_yardstick {
        Vec::new()
    } else {
        yardsticks(arguments, &server).await?
    };
    if let [_, ..] = arguments.webhooks[..] {
        return measure_webhooks(arguments, &server).await;
    }
    if let Some(count) = arguments.disputes {
        return measure_disputes(arguments, &server, count).await;
    }
    if let Some(count) = arguments.saved_methods {
        return measure_saved_methods(arguments, &server, count).await;
    }
    if let Some(count) = arguments.subscriptions {
        return subscriptions::measure(arguments, &server, count).await;
    }
    let mut parties = vec![Party::open(&server, None, arguments.routing).await?];
    if stand_in.is_some() {
        parties.push(Party::open(&server, stand_in, false).await?);
    }
    for party in &mut parties {
        party.fills(&server, FEW).await?;
    }
    settle(&server).await?;
    measure(arguments, &server, &parties, &bare, "an empty database").await?;
    if arguments.fill > 0 {
        for party in &mut parties {
            party.fills(&server, arguments.fill).await?;
        }
        settle(&server).await?;
        let state = format!("a database with {} payments", arguments.fill);
        measure(arguments, &server, &parties, &bare, &state).await?;
    }
    println!("\nload average at the end: {}", process::load_average());
    Ok(())
}

async fn measure_webhooks(arguments: &Arguments, server: &Server) -> Result<()> {
    let mut outcomes = Vec::new();
    for &rate in &arguments.webhooks {
        let outcome = webhooks::measure(server, rate, arguments.duration).await?;
        eprintln!("webhooks at {rate} payments/s: {} arrived", outcome.arrived);
        outcomes.push(outcome);
    }
    println!(
        "webhooks to ten endpoints, one of them dead; milliseconds from the event's time to its arrival\n\n{}",
        webhooks::table(&outcomes)
    );
    println!("load average at the end: {}", process::load_average());
    Ok(())
}

async fn measure_disputes(arguments: &Arguments, server: &Server, count: u64) -> Result<()> {
    let filled = disputes::fill(server, count).await?;
    settle(server).await?;
    let mut outcomes = Vec::new();
    for &connections in &arguments.connections {
        for list in filled.lists(&server.address) {
            outcomes.push(list.measure(server, connections, arguments).await?);
        }
    }
    println!(
        "twenty of a merchant's {count} disputes; milliseconds\n\n{}",
        lists::table(&outcomes)
    );
    println!("load average at the end: {}", process::load_average());
    Ok(())
}

async fn measure_saved_methods(arguments: &Arguments, server: &Server, count: u64) -> Result<()> {
    let filled = saved_methods::fill(server, count).await?;
    settle(server).await?;
    let mut outcomes = Vec::new();
    for &connections in &arguments.connections {
        for list in filled.lists(&server.address) {
            outcomes.push(list.measure(server, connections, arguments).await?);
        }
    }
    println!(
        "the saved methods of one customer, of {count} in the database; milliseconds\n\n{}",
        lists::table(&outcomes)
    );
    println!("load average at the end: {}", process::load_average());
    Ok(())
}

async fn measure(
    arguments: &Arguments,
    server: &Server,
    parties: &[Party],
    bare: &[BareLoop],
    state: &str,
) -> Result<()> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for &scenario in &arguments.scenarios {
        for &connections in &arguments.connections {
            // One after the other at every number of connections, so that changes of the machine's speed affect all alike.
            for party in parties {
                let plan = Drive {
                    party,
                    scenario,
                    connections,
                    rate: arguments.rate,
                    warm_up: arguments.warm_up,
                    duration: arguments.duration,
                };
                let outcome = drive(server, &plan).await?;
                eprintln!(
                    "{} at {connections} connections: {:.0}/s",
                    outcome.title(),
                    outcome.rate()
                );
                outcomes.push(outcome);
            }
        }
    }
    let engine = match server.engine {
        Some(Engine::Sqlite) => "SQLite, ",
        Some(Engine::Postgres) => "PostgreSQL, ",
        None => "",
    };
    println!(
        "\n{engine}{state}; costs are those of one round, CPU in ms\n\n{}",
        report::throughput(&outcomes, bare)
    );
    if parties.len() > 1 {
        println!(
            "against the simulator, in milliseconds; the last three columns are a round's\n\n{}",
            added::table(&outcomes)
        );
    }
    println!("milliseconds\n\n{}", report::latency(&mut outcomes));
    print!("{}", report::errors(&outcomes));
    Ok(())
}

/// Measures the disk, the bare loop and pgbench. The engine of a server elsewhere is unknown: then only the disk.
async fn yardsticks(arguments: &Arguments, server: &Server) -> Result<Vec<BareLoop>> {
    let q = Quantiles::from_times(disk::measure(&server.directory)?);
    println!(
        "disk: 4 KiB appended and fdatasync, p50 {:.2} ms, p99 {:.2} ms\n",
        q.p50, q.p99
    );
    let Some(engine) = server.engine else {
        return Ok(Vec::new());
    };
    let mut counts = vec![1];
    counts.extend(arguments.connections.iter().filter(|&&count| count != 1));
    let mut loops = Vec::new();
    for &connections in &counts {
        loops.push(match (engine, &server.postgres) {
            (Engine::Postgres, Some(database)) => {
                postgres::measure(&database.url, connections, YARDSTICK).await?
            }
            (Engine::Sqlite | Engine::Postgres, _) => {
                sqlite::measure(&server.directory, connections, YARDSTICK)?
            }
        });
    }
    println!("{}", report::bare(&loops));
    if let Some(database) = &server.postgres {
        let binaries = database.cluster.as_ref().map(|cluster| cluster.binaries());
        match pgbench::find(binaries) {
            Some(program) => println!(
                "{}",
                report::pgbench(&benchmarks(&program, server, &database.url, &counts)?)
            ),
            None => println!("pgbench isn't installed\n"),
        }
    }
    Ok(loops)
}

fn benchmarks(
    program: &std::path::Path,
    server: &Server,
    url: &str,
    counts: &[usize],
) -> Result<Vec<(&'static str, pgbench::Rate)>> {
    pgbench::fill(program, url)?;
    let mut rates = Vec::new();
    for &connections in counts {
        rates.push((
            "TPC-B",
            pgbench::tpc_b(program, url, connections, YARDSTICK)?,
        ));
        rates.push((
            "one insert of 1 kB",
            pgbench::insert(program, url, &server.directory, connections, YARDSTICK)?,
        ));
    }
    Ok(rates)
}
