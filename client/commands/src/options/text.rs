//! Values of options and variables that are texts.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Reads a text. Another value is refused by the names of its option and variable. It isn't shown, because it may be a key.
#[derive(Clone)]
pub(super) struct Text;

impl TypedValueParser for Text {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        let text = value.to_str().map(str::to_owned);
        text.ok_or_else(|| not_text(&names(argument)).with_cmd(command))
    }
}

/// Returns the refusal of a value that is no text.
pub(super) fn not_text(names: &str) -> Error {
    Error::raw(
        ErrorKind::InvalidUtf8,
        format!("{names} is not valid UTF-8\n"),
    )
}

/// Names the option and the variable of an argument.
fn names(argument: Option<&Arg>) -> String {
    let option = argument.and_then(Arg::get_long);
    let option = option.map(|long| format!("--{long}"));
    let variable = argument.and_then(Arg::get_env);
    let variable = variable.map(|name| name.to_string_lossy().into_owned());
    let names: Vec<String> = option.into_iter().chain(variable).collect();
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use multirail_types::Secret;

    use super::*;

    #[test]
    fn a_value_that_is_no_text_is_named_and_not_shown() {
        let key = Arg::new("key").long("key").env("KEY_OF_NOBODY");
        let command = Command::new("x").arg(key.value_parser(Text.map(Secret::from)));
        let given = |value: &[u8]| {
            let arguments = ["x", "--key"].map(OsStr::new);
            let arguments = arguments.into_iter().chain([OsStr::from_bytes(value)]);
            command.clone().try_get_matches_from(arguments)
        };
        assert!(given(b"snd_1").is_ok());
        let refused = given(b"snd_\xff").expect_err("no text").to_string();
        assert_eq!(
            refused,
            "error: --key or KEY_OF_NOBODY is not valid UTF-8\n"
        );
    }
}
