//! Sessions for hosts with one thread, such as a worker of a web page: a search runs in slices, and
//! between them the host passes on what the client has sent.

use std::io::{self, Write};
use std::time::Duration;

use crate::erased::ResumeState;
use crate::instant::Instant;
use crate::protocol::hub::commands::HubCommand;
use crate::protocol::hub::event::SearchAnswer;
use crate::protocol::hub::params::Tunables;
use crate::protocol::hub::parse::HubLine;
use crate::protocol::hub::reader::LONGEST_LINE;
use crate::protocol::hub::searcher::{SearchJob, Searcher};
use crate::search::{Info, must_wait};

use super::{HubSession, until};

/// A session whose searches run in slices.
pub struct SlicedSession<W>(HubSession<W, SlicedSearcher>);

impl<W: Write> SlicedSession<W> {
    /// A session that writes its lines to `output`.
    pub fn new(tuning: Tunables, output: W) -> Self {
        // Lines reach the client one by one: none has to be kept apart.
        SlicedSession(HubSession::new(tuning, output, SlicedSearcher::default(), |_| {}))
    }

    /// Takes a line from the client; one that is too long is ignored. Returns `false` once the client
    /// has said `quit`.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn receive(&mut self, line: &str) -> io::Result<bool> {
        let line = if line.len() as u64 > LONGEST_LINE { "" } else { line };
        match HubCommand::parse(&HubLine::parse(line)) {
            Some(HubCommand::Quit) => {
                self.leave()?;
                return Ok(false);
            }
            Some(command) => self.0.receive(command)?,
            None => log::debug!("ignored: {line}"),
        }
        Ok(true)
    }

    /// Searches for the time of a slice, if there is a search. Returns the time until this must be
    /// called again, unless a line comes before that: zero while a search runs; `None` if there is
    /// nothing to do before the next line.
    ///
    /// Each slice begins at the root again, with the transposition table and the histories of the ones
    /// before. A slice must be long enough to get further than they did: milliseconds are, while slices
    /// of a few hundred nodes do not finish a deep search.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn resume(&mut self, slice: Duration) -> io::Result<Option<Duration>> {
        let Some(mut search) = self.0.searcher.0.take() else {
            return Ok(None);
        };
        for info in search.go_on(slice) {
            self.0.report(info)?;
        }
        if search.may_answer() {
            let answer = search.answer.unwrap_or_default();
            self.0.finish(Ok((search.job.engine, answer)))?;
            self.0.work_off()?;
        } else {
            self.0.searcher.0 = Some(search);
            self.0.release()?;
        }
        Ok(self.due())
    }

    /// Ends the session: a running search is stopped and answered, what waits for it is dropped.
    fn leave(&mut self) -> io::Result<()> {
        self.0.waiting.clear();
        if let Some(search) = &self.0.search {
            search.control.stop();
        }
        self.resume(Duration::ZERO)?;
        Ok(())
    }

    /// When [`SlicedSession::resume`] must be called again.
    fn due(&self) -> Option<Duration> {
        let search = self.0.searcher.0.as_ref()?;
        match search.answer {
            None => Some(Duration::ZERO),
            Some(_) if search.may_answer() => Some(Duration::ZERO),
            Some(_) => self.0.search.as_ref()?.due().map(until),
        }
    }
}

/// The search that is running, if any.
#[derive(Default)]
struct SlicedSearcher(Option<SlicedSearch>);

/// A search in slices.
struct SlicedSearch {
    job: SearchJob,
    resume: ResumeState,
    /// The answer once it has been found, which may have to wait.
    answer: Option<SearchAnswer>,
}

impl Searcher for SlicedSearcher {
    fn begin(&mut self, job: SearchJob) -> io::Result<()> {
        let answer = job.is_over().then(SearchAnswer::default);
        self.0 = Some(SlicedSearch { job, resume: ResumeState::default(), answer });
        Ok(())
    }
}

impl SlicedSearch {
    /// One slice, unless the answer has been found. Returns the information.
    fn go_on(&mut self, slice: Duration) -> Vec<Info> {
        let mut infos = Vec::new();
        if self.answer.is_none() {
            let SearchJob { engine, limits, control } = &mut self.job;
            let pause = Instant::now().checked_add(slice);
            let sink = &mut |info: &Info| infos.push(info.clone());
            let best = engine.go_on(*limits, pause, &mut self.resume, control, sink);
            self.answer = best.map(SearchAnswer::from);
        }
        infos
    }

    /// Whether there is an answer that does not have to wait.
    fn may_answer(&self) -> bool {
        let SearchJob { engine, limits, control } = &self.job;
        let is_kept = || must_wait(&engine.level_limits(*limits), control, false);
        self.answer.as_ref().is_some_and(|answer| answer.mv.is_none() || !is_kept())
    }
}
