//! Declarations of front-end options. Command line, specification, traces and error messages derive from
//! them.

/// An option of a front end.
#[derive(Clone, Copy)]
pub struct OptionSpec {
    /// The long name, without dashes; the key in a [`Spec`](crate::Spec).
    pub name: &'static str,
    /// The short name, if there is one.
    pub short: Option<char>,
    /// The form of its value.
    pub takes: Takes,
    /// One line for `--help`.
    pub help: &'static str,
    /// Checks a value; the error says what is wrong with it.
    pub check: fn(&str) -> Result<(), String>,
}

/// The form of the value of an [`OptionSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No value. If the option is given, its value is `yes`.
    Nothing,
    /// One value, with the name that help shows for it.
    One(&'static str),
    /// One value for each time that the option is given.
    Many(&'static str),
    /// As [`Takes::Many`], with several values separated by commas.
    List(&'static str),
    /// The path of a file or directory. It says where the model is found, and is not part of the model's
    /// identity.
    Place(&'static str),
    /// As [`Takes::Place`], for each time that the option is given.
    Places(&'static str),
    /// As [`Takes::Place`], with several paths in one value, separated as in `PATH`.
    SearchPath(&'static str),
}

impl Takes {
    /// Whether the values are paths of files, which are not part of a specification.
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

/// Accepts every value.
///
/// # Errors
/// Never fails; the type is that of [`OptionSpec::check`].
pub fn anything(_value: &str) -> Result<(), String> {
    Ok(())
}

/// The values given for options, in the order of the command line.
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

    /// Whether an option without a value was given.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// All options with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
