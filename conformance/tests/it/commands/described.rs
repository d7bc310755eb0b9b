//! Help and completions of the commands, as the real program prints them.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

/// The commands that are clients, as a developer types them.
const COMMANDS: [&str; 9] = [
    "login",
    "logout",
    "trigger",
    "demo seed",
    "fixtures",
    "listen",
    "webhooks listen",
    "logs tail",
    "mcp",
];

/// Returns what the program prints, without variables of this machine.
fn printed(line: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"))
        .args(line.split(' '))
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("a text")
}

/// Returns the long options that the help of a command shows, apart from --help, in alphabetical order.
fn options_of(command: &str) -> BTreeSet<String> {
    let help = printed(&format!("{command} --help"));
    let options = help.lines().filter_map(|line| {
        let option = line.trim_start().strip_prefix("--")?;
        option.split([' ', '[', '=']).next().map(str::to_owned)
    });
    options.collect()
}

#[test]
fn each_command_shows_the_options_that_it_uses() {
    let shown = COMMANDS.map(|command| {
        let options: Vec<String> = options_of(command).into_iter().collect();
        format!("{command}: {}", options.join(" "))
    });
    assert_snapshot!(shown.join("\n"), @r"
    login: api-key-stdin profile server
    logout: profile
    trigger: admin-key api-key profile profile-id server
    demo seed: admin-key api-key profile profile-id seed server
    fixtures: api-key profile server show-answers
    listen: api-key events forward-to port profile profile-id server show-body
    webhooks listen: fail-next hash-key port secret show-body
    logs tail: api-key json lines operation payment-id profile profile-id server since status-class
    mcp: admin-key api-key profile server show-secrets tags write
    ");
}

/// Completions are scripts of the shells. Each has the words that it completes somewhere.
#[test]
fn completions_of_each_shell_know_the_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&format!("completions {shell}"));
        let is_of_word = |one: char| one.is_alphanumeric() || one == '-' || one == '_';
        let words: BTreeSet<&str> = script
            .split(|one| !is_of_word(one))
            .map(|word| word.trim_start_matches('-'))
            .collect();
        for command in COMMANDS {
            for name in command.split(' ') {
                assert!(words.contains(name), "{shell}: {name}");
            }
            for option in options_of(command) {
                assert!(words.contains(&*option), "{shell}: {command} --{option}");
            }
        }
    }
}
