//! Scripted Hub sessions with the real program, for every rule that clients depend on.
//!
//! A session is a file in `tests/data/hub` with one step per line:
//!
//! - `# text`: a comment.
//! - `$ arguments`: the arguments of the program.
//! - `> line`: a line to send; consecutive lines are sent in one write. `\xNN` and `\r` stand for
//!   bytes.
//! - `< line`: the next line of the program; `*` stands for any text. `info` lines are skipped
//!   unless one is expected, but each must be well-formed.
//! - `. seconds`: no line except `info` arrives for a time.
//! - `close`: the end of the program's input.
//! - `exit seconds line`: the program ends by itself within a time, with exit code 0; it may still
//!   print the line, if there is one.
//!
//! In the end the program must exit when its input ends, without any other output, including on
//! standard error.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::engine::client::{Client, PATIENCE};

/// The maximum number of `info` lines in a session.
const FLOOD: usize = 200;

struct Script {
    client: Client,
    infos: usize,
}

/// Plays the session of a file.
fn play(name: &str) {
    let path = Path::new("tests/data/hub").join(name).with_extension("txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut script = Script { client: Client::start(&arguments(&text)), infos: 0 };
    let mut unsent = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name}, line {}: {line}", index + 1);
        let (step, rest) = line.split_once(' ').unwrap_or((line, ""));
        if step != ">" && !unsent.is_empty() {
            script.client.send(&unsent);
            unsent.clear();
        }
        match step {
            ">" => unsent.extend(bytes(rest)),
            "<" => script.expect(rest, &place),
            "." => script.silence(seconds(rest), &place),
            "close" => script.client.close(),
            "exit" => {
                let (limit, last) = rest.split_once(' ').unwrap_or((rest, "info"));
                script.end(seconds(limit), last, &place);
            }
            "" | "#" | "$" => {}
            _ => panic!("unknown step, {place}"),
        }
    }
    assert!(unsent.is_empty(), "{name}: the last line is never answered");
    if !text.lines().any(|line| line.starts_with("exit")) {
        script.client.close();
        script.end(PATIENCE, "info", name);
    }
}

fn arguments(text: &str) -> Vec<&str> {
    let first = text.lines().find_map(|line| line.strip_prefix("$"));
    first.unwrap_or_default().split_whitespace().collect()
}

fn seconds(text: &str) -> Duration {
    Duration::from_secs_f64(text.parse().unwrap())
}

/// The bytes of a line to send, with its terminator.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split('\\');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        if let Some(rest) = part.strip_prefix('r') {
            bytes.push(b'\r');
            bytes.extend(rest.bytes());
        } else {
            bytes.push(u8::from_str_radix(&part[1..3], 16).unwrap());
            bytes.extend(part[3..].bytes());
        }
    }
    bytes.push(b'\n');
    bytes
}

impl Script {
    fn expect(&mut self, pattern: &str, place: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.client.line(left);
            let line = line.unwrap_or_else(|| panic!("no answer, {place}"));
            self.check(&line);
            if matches(pattern, &line) {
                return;
            }
            let is_skipped = line.starts_with("info ");
            assert!(is_skipped, "got {line:?}, {place}");
        }
    }

    fn silence(&mut self, duration: Duration, place: &str) {
        let deadline = Instant::now() + duration;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(line) = self.client.line(left) else {
                return;
            };
            self.check(&line);
            assert!(line.starts_with("info "), "got {line:?}, {place}");
        }
    }

    fn end(&mut self, patience: Duration, last: &str, place: &str) {
        let (code, errors) =
            self.client.end(patience).unwrap_or_else(|| panic!("does not end, {place}"));
        assert_eq!(code, 0, "exit code, {place}");
        assert_eq!(errors, "", "standard error, {place}");
        while let Some(line) = self.client.line(PATIENCE) {
            self.check(&line);
            let is_expected = line.starts_with("info ") || matches(last, &line);
            assert!(is_expected, "more output: {line:?}, {place}");
        }
    }

    /// Checks what holds for every line of the program.
    fn check(&mut self, line: &str) {
        let is_clean = !line.is_empty() && line.trim() == line && !line.contains("  ");
        assert!(is_clean, "{line:?}");
        if let Some(fields) = line.strip_prefix("info ") {
            check_info(fields);
            self.infos += 1;
            assert!(self.infos < FLOOD, "a flood of info lines");
        }
    }
}

/// Checks the fields of an `info` line: order, numbers and quotes (rules 5 and 6).
fn check_info(fields: &str) {
    let fields = match fields.rsplit_once(" multipv=") {
        Some((usual, rank)) => {
            assert!(rank.parse::<u32>().is_ok_and(|rank| rank > 0), "{fields}");
            usual
        }
        None => fields,
    };
    let (numbers, pv) = match fields.split_once(" pv=") {
        Some((numbers, pv)) => (numbers, Some(pv)),
        None => (fields, None),
    };
    let numbers: Vec<(&str, &str)> =
        numbers.split(' ').map(|field| field.split_once('=').expect(fields)).collect();
    let names: Vec<_> = numbers.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["depth", "mean-depth", "score", "nodes", "time", "nps"], "{fields}");
    for (name, number) in numbers {
        let is_plain = number.chars().all(|c| c.is_ascii_digit() || "-.".contains(c));
        assert!(is_plain && number.parse::<f64>().is_ok(), "{fields}");
        let is_whole = number.parse::<u64>().is_ok();
        assert!(is_whole || !matches!(name, "depth" | "nodes"), "{fields}");
        let decimals = number.split_once('.').map_or(0, |(_, text)| text.len());
        assert!(decimals == 2 || name != "score", "{fields}");
    }
    if let Some(pv) = pv {
        let is_quoted = pv.starts_with('"') && pv.ends_with('"');
        assert_eq!(is_quoted, pv.contains(' '), "{fields}");
        assert!(pv.len() > 2 && !pv.contains('='), "{fields}");
    }
}

/// Whether a line matches a pattern, in which `*` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&end| rest.is_char_boundary(end))
                .any(|end| matches(after, &rest[end..]))
        }),
    }
}

macro_rules! sessions {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                play(stringify!($name));
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

sessions! {
    rule_01_first_line_hub
    rule_01_first_argument_hub
    rule_02_sent_ahead
    rule_02_hub_and_init_again
    rule_03_one_done
    rule_04_captures
    rule_05_info
    rule_06_scores
    rule_07_finished_games
    rule_08_bad_positions
    rule_09_unknown_things
    rule_10_levels
    rule_11_parameters
    rule_12_missing_files
    rule_13_flushed_and_quiet
    rule_14_quit
    rule_14_end_of_input
    rule_15_solved_positions
    levels
    rule_16_any_folder
    multipv
    ponder
    turkish
    variants
}

#[test]
fn every_file_is_played() {
    let mut files: Vec<_> = std::fs::read_dir("tests/data/hub")
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned())
        .collect();
    let mut names = NAMES.to_vec();
    files.sort();
    names.sort_unstable();
    assert_eq!(files, names);
}

/// Rule 14 exactly: at most 100 ms from the end of the input to the end of the program. The best of
/// several tries counts, as the machine may be busy with other tests.
#[test]
fn rule_14_end_of_input_within_100_ms() {
    let _clock = crate::clock();
    let times = (0..10).map(|_| {
        let mut client = Client::start(&[]);
        client.send(b"hub\ninit\npos start\ngo analyze\n");
        client.line_of("info");
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        client.close();
        client.end(PATIENCE).expect("ends");
        start.elapsed()
    });
    let limit = Duration::from_millis(100);
    assert!(times.into_iter().any(|time| time < limit));
}

#[test]
fn wildcards_match() {
    assert!(matches("done move=*", "done move=32-28"));
    assert!(matches("a*c*e", "abcde"));
    assert!(!matches("done", "done move=32-28"));
    assert!(!matches("a*c", "ab"));
}
