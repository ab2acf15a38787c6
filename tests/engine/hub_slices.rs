//! Hub sessions whose searches run in slices, for hosts with one thread.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use manoury::protocol::hub::{SlicedSession, Tunables};

/// The time of a slice in most tests: so short that a search takes many.
const SLICE: Duration = Duration::from_millis(1);

/// Output of a session that the client has not read yet.
#[derive(Clone, Default)]
struct Output(Rc<RefCell<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Client {
    session: SlicedSession<Output>,
    output: Output,
}

impl Client {
    /// A client of a session with a small table and without a book.
    fn start() -> Client {
        let output = Output::default();
        let session = SlicedSession::new(Tunables::Hidden, output.clone());
        let mut client = Client { session, output };
        client.send("set-param name=tt-size value=18");
        client.send("set-param name=book value=false");
        client
    }

    fn send(&mut self, line: &str) {
        assert!(self.session.receive(line).unwrap(), "{line}");
    }

    /// The lines written since this was last called.
    fn heard(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.output.0.borrow_mut());
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    /// Slices until there is nothing to do before the next line: their number and what was heard.
    fn work(&mut self) -> (usize, Vec<String>) {
        let mut slices = 0;
        while self.session.resume(SLICE).unwrap().is_some() {
            slices += 1;
        }
        (slices, self.heard())
    }
}

/// The value of an argument of the last `info` line.
fn last_info(lines: &[String], name: &str) -> f64 {
    let info = lines.iter().rfind(|line| line.starts_with("info ")).unwrap();
    let value = info.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    value.unwrap().parse().unwrap()
}

fn is_done(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("done"))
}

#[test]
fn a_slice_resumes_the_search() {
    let nodes = |slice: Duration| {
        let mut client = Client::start();
        client.send("level depth=16");
        client.send("go think");
        let (began, mut slices) = (Instant::now(), 1);
        while client.session.resume(slice).unwrap().is_some() {
            slices += 1;
        }
        let lines = client.heard();
        assert_eq!(lines.last().unwrap().split(' ').next(), Some("done"), "{lines:?}");
        assert_eq!(last_info(&lines, "depth"), 16.0, "{lines:?}");
        (slices, last_info(&lines, "nodes"), began.elapsed())
    };
    let measure = || {
        let (one, whole, time) = nodes(Duration::MAX);
        assert_eq!(one, 1);
        // A share of that time, 1 ms on an idle machine: a slice of fixed length would search fewer
        // nodes the busier the machine is.
        let (slices, sliced, _) = nodes(time / 70);
        assert!(slices > 5, "{slices}");
        (sliced, whole)
    };
    // Each slice repeats some nodes, so a machine that becomes slower between the two searches, and
    // only then, makes more of them: the pair of searches that it disturbed least counts.
    let pairs = (0..5).map(|_| measure());
    let (sliced, whole) =
        pairs.min_by(|one, other| (one.0 / one.1).total_cmp(&(other.0 / other.1))).unwrap();
    assert!(sliced > whole / 3.0 && sliced < whole * 3.0, "{sliced} nodes, {whole} in one slice");
}

#[test]
fn answers_lines_between_slices() {
    let mut client = Client::start();
    client.send("go analyze");
    for _ in 0..20 {
        assert_eq!(client.session.resume(SLICE).unwrap(), Some(Duration::ZERO));
    }
    assert!(!is_done(&client.heard()));
    client.send("ping");
    assert_eq!(client.heard(), ["pong"]);
    client.send("stop");
    let (slices, lines) = client.work();
    assert!(slices <= 1 && is_done(&lines), "{slices} slices: {lines:?}");
}

#[test]
fn commands_wait_for_the_end_of_the_search() {
    let mut client = Client::start();
    for line in
        ["level depth=9", "go think", "pos start moves=\"32-28\"", "level depth=9", "go think"]
    {
        client.send(line);
    }
    let (_, lines) = client.work();
    let done: Vec<_> = lines.iter().filter(|line| line.starts_with("done move=")).collect();
    assert_eq!(done.len(), 2, "{lines:?}");
    let from = |line: &str| line["done move=".len()..].split('-').next().unwrap().parse::<u32>();
    assert!(from(done[0]).unwrap() > 30 && from(done[1]).unwrap() <= 20, "{done:?}");
}

#[test]
fn a_move_time_ends_the_search() {
    let mut client = Client::start();
    client.send("level move-time=0.1");
    client.send("go think");
    let began = Instant::now();
    let (slices, lines) = client.work();
    assert!(is_done(&lines) && slices > 5, "{slices} slices");
    // A little of the time is left for the way of the answer.
    assert!(began.elapsed() >= Duration::from_millis(80), "{:?}", began.elapsed());
    assert!(last_info(&lines, "time") <= 0.1, "{lines:?}");
}

#[test]
fn a_level_needs_no_limit() {
    let mut client = Client::start();
    client.send("set-param name=level value=3");
    client.send("go think");
    let (_, lines) = client.work();
    assert!(is_done(&lines), "{lines:?}");
}

/// One king each on the long diagonal: the bitbases know the game to its end.
const KNOWN: &str = "pos pos=WeeeeeeeeeeeeeeeeeeeeeeeeeeWeeeeeeeeeeeeeeeeeeBeeee";

#[test]
fn an_answer_is_kept_until_it_is_wanted() {
    for (level, start, signal) in
        [("level infinite", "go analyze", "stop"), ("level depth=5", "go ponder", "ponder-hit")]
    {
        let mut client = Client::start();
        client.send(KNOWN);
        client.send(level);
        client.send(start);
        let (_, lines) = client.work();
        assert!(!is_done(&lines), "{start}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("info ")), "{start}: {lines:?}");
        client.send(signal);
        assert!(client.session.resume(SLICE).unwrap().is_none());
        assert!(is_done(&client.heard()), "{start}");
    }
}

#[test]
fn slices_report_several_lines() {
    let mut client = Client::start();
    client.send("set-param name=multipv value=3");
    client.send("level depth=13");
    client.send("go analyze");
    let (slices, lines) = client.work();
    assert!(slices > 2, "{slices}");
    for rank in 1..=3 {
        let wanted = format!(" multipv={rank} ");
        let has_rank = |line: &&String| line.contains(&wanted) || line.contains(wanted.trim_end());
        let last = lines.iter().rfind(has_rank).unwrap_or_else(|| panic!("no {rank}: {lines:?}"));
        assert!(last.contains("depth=13 "), "{last}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut client = Client::start();
    client.send("pos pos=WeeeeeeeeeeeeeeeeeeeeeeeeeeBeeeeeeeeeeeeeeeeeeeeeee");
    client.send("go think");
    let (slices, lines) = client.work();
    assert_eq!((slices, lines), (0, vec!["done".to_owned()]));
}

#[test]
fn quit_ends_the_session() {
    let mut client = Client::start();
    client.send("hub");
    assert_eq!(client.heard().last().unwrap(), "wait");
    assert!(!client.session.receive("quit").unwrap());
}

#[test]
fn quit_ends_a_search_too() {
    let mut client = Client::start();
    client.send("go analyze");
    client.session.resume(SLICE).unwrap();
    client.send("go analyze");
    assert!(!client.session.receive("quit").unwrap());
    let done: Vec<_> = client.heard().into_iter().filter(|line| line.starts_with("done")).collect();
    assert_eq!(done.len(), 1, "{done:?}");
    assert_eq!(client.session.resume(SLICE).unwrap(), None, "nothing goes on");
}
