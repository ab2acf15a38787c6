//! The loop of a session: lines in, lines out, one search at a time.
//!
//! Three threads, one channel: the reader sends lines, the search sends reports and its result, and
//! the session, which alone writes, takes them as they come. While a search runs, the player is with
//! it, and commands that are not about that search wait.
//!
//! The channel is that of the standard library, as its receivers sleep at once. Those of
//! crossbeam-channel first give way to other threads some times, which on a busy machine delays the
//! answer by as many time slices.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use crate::engine::Options;
use crate::rules::Variant;
use crate::search::{Control, Mode};

use super::commands::{Command, PosText};
use super::format::LineBuilder;
use super::level::Level;
use super::params::{Params, Tuning};
use super::parse::Line;
use super::player::{self, Answer, Player, Report};
use super::reader;
use super::replies;
use super::searcher::{Job, SearchResult, Searcher};
use super::throttle::Throttle;

/// Speaks Hub until `quit` or the end of the input, which end it at once, also in mid-search.
///
/// A reader thread goes on holding `input` until its next line or its end.
///
/// # Errors
///
/// The output cannot be written, or the system gives no thread. A reader that went away (a broken
/// pipe) is no error: the session is over.
pub fn run(
    tuning: Tuning,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    run_with(player::build, tuning, input, output)
}

fn run_with(
    build: BuildPlayer,
    tuning: Tuning,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    reader::spawn(input, sender.clone())?;
    match Session::new(build, tuning, output, sender).run(&events) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// What the session hears.
pub enum Event {
    /// The client has sent a line.
    Line(String),
    /// The client has gone.
    End,
    /// The search has news.
    Report(Report),
    /// The search is over.
    Finished(SearchResult),
}

type BuildPlayer = fn(Variant, Options) -> Box<dyn Player>;

/// How long a search may take to give its last answer after `quit`, and after the end of the input.
const QUIT_GRACE: Duration = Duration::from_millis(500);
const END_GRACE: Duration = Duration::from_millis(50);

struct Session<W> {
    build: BuildPlayer,
    output: W,
    /// For the search to report with.
    sender: Sender<Event>,
    params: Params,
    /// The parameters that the player was made with.
    applied: Params,
    /// `None` while it searches, and before it is needed.
    player: Option<Box<dyn Player>>,
    /// `None` before the first search.
    searcher: Option<Searcher>,
    search: Option<Search>,
    level: Level,
    /// The last position that the client has sent, and the last one without fault.
    sent: PosText,
    accepted: PosText,
    /// Commands that came during a search.
    waiting: VecDeque<Command>,
}

/// A search that is running.
struct Search {
    control: Control,
    throttle: Throttle,
}

impl<W: Write> Session<W> {
    fn new(build: BuildPlayer, tuning: Tuning, output: W, sender: Sender<Event>) -> Self {
        Session {
            build,
            output,
            sender,
            params: Params::new(tuning),
            applied: Params::new(tuning),
            player: None,
            searcher: None,
            search: None,
            level: Level::default(),
            sent: PosText::start(),
            accepted: PosText::start(),
            waiting: VecDeque::new(),
        }
    }

    fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            let Some(event) = self.next_event(events) else {
                self.release()?;
                continue;
            };
            match event {
                Event::Line(text) => match Command::parse(&Line::parse(&text)) {
                    Some(Command::Quit) => return self.leave(events, QUIT_GRACE),
                    Some(command) => self.receive(command)?,
                    None => log::debug!("ignored: {text}"),
                },
                Event::End => return self.leave(events, END_GRACE),
                Event::Report(report) => self.report(report)?,
                Event::Finished(result) => {
                    self.finish(result)?;
                    self.work_off()?;
                }
            }
        }
    }

    /// The next event; `None` if a report that was kept back is due before. The channel stays open:
    /// the session itself holds a sender.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        match self.search.as_ref().and_then(|search| search.throttle.due()) {
            Some(due) => events.recv_timeout(until(due)).ok(),
            None => events.recv().ok(),
        }
    }

    /// Ends the session; a search that ends in time still gets its answer out.
    fn leave(mut self, events: &Receiver<Event>, grace: Duration) -> io::Result<()> {
        let deadline = Instant::now() + grace;
        if let Some(search) = &self.search {
            search.control.stop();
        }
        while self.search.is_some() {
            match events.recv_timeout(until(deadline)) {
                Ok(Event::Report(report)) => self.report(report)?,
                Ok(Event::Finished(result)) => self.finish(result)?,
                Ok(Event::Line(_) | Event::End) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Takes a command. A ping is answered at once, everything else in order.
    fn receive(&mut self, command: Command) -> io::Result<()> {
        if command == Command::Ping {
            return self.write(&LineBuilder::new("pong"));
        }
        self.waiting.push_back(command);
        self.work_off()
    }

    /// Carries out the commands that wait, up to the next search.
    fn work_off(&mut self) -> io::Result<()> {
        while self.search.is_none()
            && let Some(command) = self.waiting.pop_front()
        {
            self.execute(command)?;
        }
        self.pass_on_signals();
        Ok(())
    }

    /// Looks through the commands that wait for those that concern the running search: a ponder-hit
    /// before the next search, and a stop anywhere, as it means every search before it.
    fn pass_on_signals(&self) {
        let Some(search) = &self.search else {
            return;
        };
        let mut about_this =
            self.waiting.iter().take_while(|command| !matches!(command, Command::Go(_)));
        if about_this.any(|command| *command == Command::PonderHit) {
            search.control.ponder_hit();
        }
        if self.waiting.contains(&Command::Stop) {
            search.control.stop();
        }
    }

    /// Carries out a command while no search runs.
    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Hub => self.introduce()?,
            Command::Init => {
                self.player()?;
                self.write(&LineBuilder::new("ready"))?;
            }
            Command::SetParam { name, value } => {
                if let Err(fault) = self.params.set(&name, &value) {
                    self.write(&replies::error(fault))?;
                }
            }
            Command::Pos(text) => self.set_position(text)?,
            Command::Level(level) => self.level = self.level.and(level),
            Command::Go(mode) => self.go(mode)?,
            Command::NewGame => self.player()?.new_game(),
            // Without a search a stop or ponder-hit means nothing; the others never wait.
            Command::Stop | Command::PonderHit | Command::Ping | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.write(&replies::id())?;
        for declaration in self.params.declarations() {
            self.write(&declaration)?;
        }
        self.write(&LineBuilder::new("wait"))
    }

    fn set_position(&mut self, text: PosText) -> io::Result<()> {
        self.sent = text.clone();
        match self.player()?.set_position(&text) {
            Ok(()) => self.accepted = text,
            Err(message) => self.write(&replies::error(message))?,
        }
        Ok(())
    }

    /// The player as the parameters want it. Changes are put off until here, so that setting many
    /// parameters costs no more than setting one.
    fn player(&mut self) -> io::Result<&mut dyn Player> {
        let mut player = match self.player.take() {
            Some(player) if self.applied.variant() == self.params.variant() => player,
            _ => self.new_player(),
        };
        if self.applied.options() != self.params.options() {
            player.set_options(self.params.options());
        }
        self.applied = self.params.clone();
        for fault in player.take_faults() {
            self.write(&replies::error(fault))?;
        }
        Ok(&mut **self.player.insert(player))
    }

    /// A new player for the variant. The position was perhaps sent before the variant was set, so it
    /// is read again; if it makes no sense by the new rules, the start position remains.
    fn new_player(&mut self) -> Box<dyn Player> {
        self.applied = self.params.clone();
        let mut player = (self.build)(self.params.variant(), self.params.options());
        let candidates = [self.sent.clone(), self.accepted.clone()];
        self.accepted = candidates
            .into_iter()
            .find(|text| player.set_position(text).is_ok())
            .unwrap_or_else(PosText::start);
        player
    }

    fn go(&mut self, mode: Mode) -> io::Result<()> {
        self.player()?;
        let Some(player) = self.player.take() else {
            return Ok(());
        };
        let search = Search { control: Control::new(), throttle: Throttle::new(Instant::now()) };
        let limits = self.level.limits(mode);
        let job = Job { player, limits, control: search.control.clone() };
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => Searcher::start(self.sender.clone())?,
        };
        self.searcher.insert(searcher).begin(job);
        self.search = Some(search);
        Ok(())
    }

    /// Takes a report, which may be sent later or not at all.
    fn report(&mut self, report: Report) -> io::Result<()> {
        let search = self.search.as_mut();
        let admitted = search.and_then(|search| search.throttle.admit(report, Instant::now()));
        self.inform(admitted)
    }

    /// Sends the reports that were kept back and are due.
    fn release(&mut self) -> io::Result<()> {
        let now = Instant::now();
        while let Some(search) = &mut self.search
            && let Some(report) = search.throttle.release(now)
        {
            self.inform([report])?;
        }
        Ok(())
    }

    fn inform(&mut self, reports: impl IntoIterator<Item = Report>) -> io::Result<()> {
        let has_ranks = self.applied.options().multipv > 1;
        for report in reports {
            self.write(&replies::info(&report, has_ranks))?;
        }
        Ok(())
    }

    fn finish(&mut self, result: SearchResult) -> io::Result<()> {
        let answer = match result {
            Ok((player, answer)) => {
                self.player = Some(player);
                answer
            }
            Err(message) => self.recover(&message)?,
        };
        self.level = Level::default();
        if let Some(search) = self.search.take() {
            let is_unused = search.throttle.is_unused();
            let withheld = search.throttle.withheld();
            // Clients that analyze wait for a score, however short the search was.
            let last = answer.report.clone().filter(|_| is_unused && withheld.is_empty());
            self.inform(withheld.into_iter().chain(last))?;
        }
        self.write(&replies::done(&answer))
    }

    /// An answer in place of a search that has failed, by a new player.
    fn recover(&mut self, message: &str) -> io::Result<Answer> {
        log::error!("the search has failed: {message}");
        self.write(&replies::error(format_args!("the search has failed: {message}")))?;
        Ok(Answer { mv: self.player()?.any_move(), ..Answer::default() })
    }

    fn write(&mut self, reply: &LineBuilder) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }
}

/// The time until then.
fn until(then: Instant) -> Duration {
    then.saturating_duration_since(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    /// A player whose every search panics.
    struct Faulty(Box<dyn Player>);

    impl Player for Faulty {
        fn set_options(&mut self, options: Options) {
            self.0.set_options(options);
        }

        fn take_faults(&mut self) -> Vec<String> {
            self.0.take_faults()
        }

        fn new_game(&mut self) {
            self.0.new_game();
        }

        fn set_position(&mut self, text: &PosText) -> Result<(), String> {
            self.0.set_position(text)
        }

        fn go(&mut self, _: Limits, _: &Control, _: &mut dyn FnMut(Report)) -> Answer {
            panic!("table = broken");
        }

        fn any_move(&self) -> Option<String> {
            self.0.any_move()
        }
    }

    #[test]
    fn a_search_that_panics_still_gives_a_legal_move() {
        let build: BuildPlayer =
            |variant, options| Box::new(Faulty(player::build(variant, options)));
        let input = "set-param name=tt-size value=16\n\
                     pos start moves=\"32-28 19-23\"\ngo think\ngo analyze\nquit\n";
        let mut output = Vec::new();
        run_with(build, Tuning::Fixed, input.as_bytes(), &mut output).unwrap();
        let failed =
            "error message=\"the search has failed: table : broken\"\ndone move=28x19x23\n";
        // The second search has perhaps not begun when `quit` comes.
        let output = String::from_utf8(output).unwrap();
        assert!(output.starts_with(failed), "{output}");
        assert_eq!(output.replace(failed, ""), "");
    }
}
