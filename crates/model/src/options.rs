//! Options that a front end declares once: command line, specification, traces and refusals derive from the
//! declaration.

/// An option of a front end.
#[derive(Clone, Copy)]
pub struct OptionSpec {
    /// The long name, without dashes; the key in a [`Spec`](crate::Spec).
    pub name: &'static str,
    /// The short name, if there is one.
    pub short: Option<char>,
    /// What it takes.
    pub takes: Takes,
    /// One line for `--help`.
    pub help: &'static str,
    /// What is wrong with a value.
    pub check: fn(&str) -> Result<(), String>,
}

/// What an [`OptionSpec`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it is there, with the value `yes`, or not.
    Nothing,
    /// A value, under the name that help shows.
    One(&'static str),
    /// A value each time that it is given.
    Many(&'static str),
    /// As [`Takes::Many`], with several values separated by commas.
    List(&'static str),
    /// The place of a file or directory. It says where the model is found, and is no part of what the model
    /// is.
    Place(&'static str),
    /// As [`Takes::Place`], each time that it is given.
    Places(&'static str),
    /// As [`Takes::Place`]: several places in one value, separated as in `PATH`.
    SearchPath(&'static str),
}

impl Takes {
    /// Whether the values are places of files, not parts of a specification.
    #[must_use]
    pub fn is_place(self) -> bool {
        matches!(self, Self::Place(_) | Self::Places(_) | Self::SearchPath(_))
    }

    /// Whether the option may be given several times.
    #[must_use]
    pub fn repeats(self) -> bool {
        matches!(self, Self::Many(_) | Self::List(_) | Self::Places(_))
    }
}

/// Every value is fine.
///
/// # Errors
/// None; the type is that of [`OptionSpec::check`].
pub fn anything(_value: &str) -> Result<(), String> {
    Ok(())
}

/// Values that were given for options, in the order of the command line.
///
/// ```
/// use allways_model::options::Settings;
///
/// let mut settings = Settings::default();
/// settings.add("define", "N=3");
/// settings.add("races", "yes");
/// assert_eq!(settings.value("define"), Some("N=3"));
/// assert!(settings.is_on("races") && !settings.is_on("random"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// Adds a value.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The values of an option, in order.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// The last value of an option.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// Whether an option that takes nothing is there.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
