//! The options of the front ends on the command line, as they declare them.

use crate::failure::Failure;
use crate::stdin;
use allways_model::options::{OptionSpec, Settings, Takes};
use allways_session::{Language, Request};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use std::path::Path;

/// How a model is read.
#[derive(Clone, Default)]
pub(crate) struct ModelArgs {
    /// The values of all options that front ends declare.
    pub(crate) settings: Settings,
    /// The model's language, if its name does not tell.
    pub(crate) language: Option<Language>,
    /// The arguments of a Java program.
    pub(crate) arguments: Vec<String>,
}

impl ModelArgs {
    /// The request to read a model so.
    ///
    /// # Errors
    /// If the model is on standard input, which cannot be read.
    pub(crate) fn request(&self, model: &Path) -> Result<Request, Failure> {
        let request = match stdin::is_meant(model) {
            true => Request::from_stdin(stdin::text()?),
            false => Request::new(model),
        };
        Ok(Request {
            language: self.language,
            settings: self.settings.clone(),
            arguments: self.arguments.clone(),
            ..request
        })
    }
}

const LANGUAGE: &str = "language";
const ARGUMENTS: &str = "arguments";

fn heading(language: Language) -> &'static str {
    match language {
        Language::Promela => "Model",
        Language::Java => "Java",
    }
}

/// An option as the command line has it.
fn arg(language: Language, option: &'static OptionSpec) -> Arg {
    // What the model's own language makes of it is checked when that is known.
    let parse = move |value: &str| {
        let same = |one: &&OptionSpec| one.name == option.name;
        let mut all = Language::ALL.into_iter().flat_map(Language::options).filter(same);
        match all.any(|one| (one.check)(value).is_ok()) {
            true => Ok(value.to_owned()),
            false => (option.check)(value).map(|()| value.to_owned()),
        }
    };
    let arg = Arg::new(option.name).help(option.help).help_heading(heading(language));
    let arg = match option.short {
        Some(short) => arg.short(short),
        None => arg.long(option.name),
    };
    let named = |arg: Arg, name| arg.value_name(name).value_parser(parse).allow_hyphen_values(true);
    match option.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::One(name) | Takes::Place(name) | Takes::SearchPath(name) => named(arg, name),
        Takes::Many(name) | Takes::Places(name) => named(arg, name).action(ArgAction::Append),
        Takes::List(name) => named(arg, name).action(ArgAction::Append).value_delimiter(','),
    }
}

/// The options of a language that no language before it has: what several have is one option, with the same
/// values.
fn own_options(language: Language) -> impl Iterator<Item = &'static OptionSpec> {
    language.options().iter().filter(move |option| is_first(language, option))
}

fn is_first(language: Language, option: &OptionSpec) -> bool {
    let before = Language::ALL.into_iter().take_while(|other| *other != language);
    !before.flat_map(Language::options).any(|other| other.name == option.name)
}

impl Args for ModelArgs {
    fn augment_args(mut command: Command) -> Command {
        for language in Language::ALL {
            for option in own_options(language) {
                command = command.arg(arg(language, option));
            }
            if language == Language::Promela {
                let names = PossibleValuesParser::new(Language::ALL.map(Language::name));
                let parse = |name: String| Language::ALL.into_iter().find(|one| one.name() == name);
                command = command.arg(
                    Arg::new(LANGUAGE)
                        .long(LANGUAGE)
                        .value_name("promela|java")
                        .hide_possible_values(true)
                        .value_parser(names.map(parse))
                        .help("The model's language, if its name does not tell")
                        .help_heading("Model"),
                );
            }
        }
        command.arg(
            Arg::new(ARGUMENTS)
                .last(true)
                .value_name("ARGS")
                .action(ArgAction::Append)
                .help("The arguments of a Java program"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ModelArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Settings::default();
        for option in Language::ALL.into_iter().flat_map(own_options) {
            if option.takes == Takes::Nothing {
                if matches.get_flag(option.name) {
                    settings.add(option.name, "yes");
                }
            } else {
                let values = matches.get_many::<String>(option.name).into_iter().flatten();
                values.for_each(|value| settings.add(option.name, value.as_str()));
            }
        }
        Ok(Self {
            settings,
            language: matches.get_one::<Option<Language>>(LANGUAGE).copied().flatten(),
            arguments: matches.get_many::<String>(ARGUMENTS).into_iter().flatten().cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
