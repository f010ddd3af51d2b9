//! Puts the settings of a file where the command line says nothing: they become options, so that one definition reads
//! and checks both.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::keys::{Key, find_argument};
use super::{Config, Setting};

/// The command line with the settings that hold for its command. `matches` is what the command line alone says.
pub fn with_settings(
    config: &Config,
    definition: &Command,
    matches: &ArgMatches,
    given: &[OsString],
) -> Vec<OsString> {
    let mut line = given.to_vec();
    let Some((name, matches)) = matches.subcommand() else { return line };
    let Some(command) = definition.find_subcommand(name) else { return line };
    // What follows `--` belongs to another program.
    let end = line.iter().position(|argument| argument == "--").unwrap_or(line.len());
    let Some(position) = command_position(&line[..end], name) else { return line };
    let holds = |setting: &&Setting| {
        setting.key.commands.contains(&name) && !is_decided(setting.key, command, matches)
    };
    let settings: Vec<&Setting> = config.settings.iter().filter(holds).collect();
    let mut positional = Vec::new();
    let mut options = Vec::new();
    for setting in settings {
        let Some(argument) = find_argument(command, setting.key.argument) else { continue };
        match argument.get_long() {
            None => positional.extend(setting.values.iter().map(OsString::from)),
            Some(long) => options.extend(as_options(argument, long, &setting.values)),
        }
    }
    line.splice(end..end, positional);
    line.splice(position + 1..position + 1, options);
    line
}

fn as_options(argument: &Arg, long: &str, values: &[String]) -> Vec<OsString> {
    if values.is_empty() {
        return vec![format!("--{long}").into()];
    }
    match argument.get_value_delimiter() {
        Some(delimiter) => vec![format!("--{long}={}", values.join(&delimiter.to_string())).into()],
        None => values.iter().map(|value| format!("--{long}={value}").into()).collect(),
    }
}

/// Whether the command line says something about the key's option, or something that excludes it.
fn is_decided(key: &Key, command: &Command, matches: &ArgMatches) -> bool {
    let given = |argument: &str| {
        matches.try_contains_id(argument).is_ok()
            && matches.value_source(argument) == Some(ValueSource::CommandLine)
    };
    let Some(option) = find_argument(command, key.argument) else { return true };
    let excluded = command.get_arg_conflicts_with(option);
    let excluding = command.get_arguments().filter(|other| {
        command.get_arg_conflicts_with(other).iter().any(|excluded| excluded.get_id() == option.get_id())
    });
    given(key.argument) || excluded.into_iter().chain(excluding).any(|other| given(other.get_id().as_str()))
}

/// Where the name of the command is: the first argument that is it, and not the value of `--config`.
fn command_position(line: &[OsString], name: &str) -> Option<usize> {
    (1..line.len()).find(|&index| line[index] == name && line[index - 1] != "--config")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command as Chosen, Effort};
    use crate::config::keys::KEYS;
    use clap::{CommandFactory, FromArgMatches};
    use std::path::Path;

    fn merged(config: &str, line: &[&str]) -> Vec<String> {
        let config = super::super::read::parse(config, Path::new("selvedge.toml")).unwrap();
        let line: Vec<OsString> = line.iter().map(OsString::from).collect();
        let definition = Arguments::command();
        let matches = definition.clone().try_get_matches_from(&line).unwrap();
        let line = with_settings(&config, &definition, &matches, &line);
        line.into_iter().map(|argument| argument.into_string().unwrap()).collect()
    }

    #[test]
    fn the_command_line_comes_first() {
        let config = "inputs = [\"a.jar\"]\neffort = \"low\"\nlibrary = [\"p.C\", \"p.D\"]\nsources = [\"x\", \"y\"]\n";
        assert_eq!(
            merged(config, &["selvedge", "check"]),
            ["selvedge", "check", "--effort=low", "--library=p.C,p.D", "--sources=x", "--sources=y", "a.jar"]
        );
        assert_eq!(
            merged(config, &["selvedge", "check", "b.jar", "--effort", "high", "--main", "p.M"]),
            ["selvedge", "check", "--sources=x", "--sources=y", "b.jar", "--effort", "high", "--main", "p.M"]
        );
    }

    #[test]
    fn each_command_takes_what_is_for_it() {
        let config = "inputs = [\"a.jar\"]\nformat = \"html\"\n";
        assert_eq!(merged(config, &["selvedge", "inspect"]), ["selvedge", "inspect", "a.jar"]);
        assert_eq!(merged(config, &["selvedge", "explain", "C.f"]), ["selvedge", "explain", "C.f", "a.jar"]);
        assert_eq!(
            merged(config, &["selvedge", "explain", "C.f", "--report", "r.json"]),
            ["selvedge", "explain", "C.f", "--report", "r.json"]
        );
        assert_eq!(merged(config, &["selvedge", "man", "check"]), ["selvedge", "man", "check"]);
    }

    #[test]
    fn what_is_merged_can_be_read() {
        let mut config = String::new();
        for key in KEYS.iter().filter(|key| key.name != "main") {
            config += &format!("{} = {}\n", key.name, key.example);
        }
        let line = merged(&config, &["selvedge", "check"]);
        let matches = Arguments::command().try_get_matches_from(line).unwrap();
        let Chosen::Check(check) = Arguments::from_arg_matches(&matches).unwrap().command else { panic!() };
        assert!(check.detection.effort == Effort::High);
        assert_eq!(check.input.paths, [Path::new("build/libs/app.jar")]);
    }
}
