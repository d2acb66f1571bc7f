//! The command line as a contract: the README and the transcripts in `tests/cmd`, word for word.

mod support;

#[test]
fn transcripts_are_what_the_program_prints() {
    // The transcripts run in the root of the package, where certificates/ is.
    trycmd::TestCases::new()
        .case("README.md")
        .case("docs/*.md")
        .case("tests/cmd/*.trycmd");
}

#[test]
fn every_subcommand_has_a_page_of_help_with_examples() {
    for command in [
        "solve-endgame",
        "verify",
        "refine",
        "bounds",
        "abstract",
        "probe",
        "crosscheck",
        "mine",
        "export",
        "info",
        "pruning",
        "mate",
        "uci",
        "mate-bench",
        "exchange",
        "state",
        "rules",
        "completions",
        "man",
    ] {
        let output = support::dchess()
            .args([command, "--help"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && text.contains("Example"),
            "{command}: {text}"
        );
        let page = support::dchess().args(["man", command]).output().unwrap();
        let text = String::from_utf8(page.stdout).unwrap();
        assert!(
            page.status.success() && text.contains(".SH NAME"),
            "{command}: {text}"
        );
    }
}

#[test]
fn every_shell_has_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = support::dchess()
            .args(["completions", shell])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && text.contains("solve-endgame"),
            "{shell}"
        );
    }
}
