//! Checks as JUnit XML, the form in which build servers read the results of tests; documented in
//! `docs/junit.md`.
//!
//! A model is a suite and each property checked is a test case: passed if it holds, failed if it is violated,
//! and an error if the question stayed open, so that a build that looks at nothing else never takes an open
//! question for a proof.

use crate::check::Check;
use crate::paint::Paint;
use crate::text::CheckText;
use crate::verdict::Verdict;
use crate::xml::{escaped, escaped_lines};
use std::fmt::Write as _;

/// The file for the checks of a model. `suite` names what was checked, arguments and all; `skipped` are tests
/// that were not run, as `Class#method`.
#[must_use]
pub fn junit_xml(suite: &str, checks: &[Check], skipped: &[String]) -> String {
    let count = |wanted: fn(Verdict) -> bool| checks.iter().filter(|check| wanted(check.verdict)).count();
    let failures = count(|verdict| verdict == Verdict::Violated);
    let errors = count(is_open);
    let time: f64 = checks.iter().map(|check| check.figures.elapsed.as_secs_f64()).sum();
    let mut out = begin(suite, (checks.len() + skipped.len(), failures, errors, skipped.len()), time);
    for check in checks {
        write_case(&mut out, check);
    }
    for test in skipped {
        let (class, name) = test.split_once('#').unwrap_or((test, "test"));
        let (class, name) = (escaped(class), escaped(name));
        let _ = writeln!(
            out,
            "  <testcase name=\"{name}\" classname=\"{class}\" time=\"0.000000\"><skipped/></testcase>"
        );
    }
    out + "</testsuite>\n"
}

/// The file for a model of which nothing was checked, because of a problem of the kind `kind`.
#[must_use]
pub fn junit_problem(suite: &str, model: &str, kind: &str, message: &str) -> String {
    let mut out = begin(suite, (1, 0, 1, 0), 0.0);
    let (model, first) = (escaped(model), escaped(message.lines().next().unwrap_or_default()));
    let _ = write!(
        out,
        "  <testcase name=\"check\" classname=\"{model}\" time=\"0.000000\">\n    \
         <error type=\"{kind}\" message=\"{first}\">{}</error>\n  </testcase>\n",
        escaped_lines(message)
    );
    out + "</testsuite>\n"
}

/// Whether a verdict leaves the question open.
fn is_open(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Bounded | Verdict::Unsupported)
}

fn begin(suite: &str, (tests, failures, errors, skipped): (usize, usize, usize, usize), time: f64) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" \
         errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time:.6}\">\n",
        escaped(suite)
    )
}

fn write_case(out: &mut String, check: &Check) {
    let text = CheckText { check, full: true, paint: Paint::plain() };
    let said = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory takes everything");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let verdict = said(&|bytes| text.write_verdict(bytes));
    // A test method is a test case of its class.
    let (class, name) = check.model.split_once('#').unwrap_or((&check.model, &check.property));
    let _ = writeln!(
        out,
        "  <testcase name=\"{}\" classname=\"{}\" time=\"{:.6}\">",
        escaped(name),
        escaped(class),
        check.figures.elapsed.as_secs_f64()
    );
    let first = check.errors.first();
    match check.verdict {
        Verdict::Holds => {}
        Verdict::Violated => {
            let kind = first.map_or("violation", |error| &error.kind);
            let message = first.map_or(verdict.trim_end(), |error| &error.message);
            element(out, "failure", kind, message, &check.story);
        }
        Verdict::Bounded | Verdict::Unsupported => {
            element(out, "error", check.verdict.name(), verdict.trim_end(), &verdict);
        }
    }
    let mut log = said(&|bytes| text.write(bytes));
    for warning in &check.warnings {
        let _ = writeln!(log, "{warning}");
    }
    let _ = writeln!(out, "    <system-out>{}</system-out>\n  </testcase>", escaped_lines(&log));
}

fn element(out: &mut String, name: &str, kind: &str, message: &str, body: &str) {
    let message = message.replace('\n', "; ");
    let _ = writeln!(
        out,
        "    <{name} type=\"{}\" message=\"{}\">{}</{name}>",
        escaped(kind),
        escaped(&message),
        escaped_lines(body)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::sample;

    fn one(check: &Check) -> String {
        junit_xml(&check.model, std::slice::from_ref(check), &[])
    }

    #[test]
    fn a_proof_is_a_passed_test() {
        let xml = one(&sample(Verdict::Holds));
        assert!(xml.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"x.pml\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.500000\">\n  \
             <testcase name=\"safety\" classname=\"x.pml\" time=\"0.500000\">\n    <system-out>"
        ));
        assert!(xml.contains(
            "holds: x.pml: safety, no violation in any of its 1,000 states\nsomething odd\n</system-out>"
        ));
        assert!(xml.ends_with("  </testcase>\n</testsuite>\n"), "{xml}");
    }

    #[test]
    fn a_violation_is_a_failure_with_its_story() {
        let mut check = sample(Verdict::Violated);
        check.model = "a<b>&\"c\".pml".into();
        check.errors[0].message = "assertion violated: s == \"\u{1b}<é>\"".into();
        check.story = "  1  P  x < 1 && y > 2\u{0}\n  2  Q  ]]>\n".into();
        let xml = one(&check);
        assert!(xml.contains(
            "<testsuite name=\"a&lt;b&gt;&amp;&quot;c&quot;.pml\" tests=\"1\" failures=\"1\" errors=\"0\""
        ));
        let failure = "<failure type=\"assertion\" message=\"assertion violated: s == &quot;\u{fffd}&lt;é&gt;&quot;\">  \
                       1  P  x &lt; 1 &amp;&amp; y &gt; 2\u{fffd}\n  2  Q  ]]&gt;\n</failure>";
        assert!(xml.contains(failure), "{xml}");
    }

    #[test]
    fn an_open_question_is_an_error() {
        let bounded = one(&sample(Verdict::Bounded));
        assert!(bounded.contains("failures=\"0\" errors=\"1\""));
        assert!(bounded.contains(
            "<error type=\"bounded\" message=\"bounded: x.pml: safety, no violation found, but paths"
        ));
        let unsupported = one(&sample(Verdict::Unsupported));
        assert!(unsupported.contains(
            "<error type=\"unsupported\" message=\"unsupported: x.pml: safety, embedded C at x.pml:3\">"
        ));
    }

    #[test]
    fn properties_are_counted_one_by_one() {
        let checks = [Verdict::Holds, Verdict::Violated, Verdict::Bounded].map(sample);
        let xml = junit_xml("x.pml -D N=3", &checks, &[]);
        assert!(xml.contains(
            "name=\"x.pml -D N=3\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\" time=\"1.500000\""
        ));
        assert_eq!(xml.matches("<testcase ").count(), 3);
    }

    #[test]
    fn a_test_method_is_a_case_of_its_class() {
        let mut check = sample(Verdict::Holds);
        check.model = "shop.TillTest#adds".into();
        let xml = junit_xml("shop.TillTest", &[check], &["shop.TillTest#later".into()]);
        assert!(xml.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""), "{xml}");
        assert!(xml.contains("<testcase name=\"adds\" classname=\"shop.TillTest\" time="), "{xml}");
        let skipped =
            "<testcase name=\"later\" classname=\"shop.TillTest\" time=\"0.000000\"><skipped/></testcase>";
        assert!(xml.contains(skipped), "{xml}");
    }

    #[test]
    fn a_problem_is_an_error_without_a_check() {
        let xml = junit_problem("Main 3", "Main", "input", "no class <Main>\nin a & b");
        assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""));
        assert!(xml.contains("<error type=\"input\" message=\"no class &lt;Main&gt;\">no class &lt;Main&gt;\nin a &amp; b</error>"));
    }
}
