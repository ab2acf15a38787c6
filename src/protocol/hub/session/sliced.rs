//! Sessions for hosts with one thread, such as a web worker. A search runs in time slices, and
//! between two of them the host passes on lines from the client.

use std::io::{self, Write};
use std::time::Duration;

use crate::erased::ResumeState;
use crate::instant::Instant;
use crate::protocol::hub::params::{HubParams, Tunables};
use crate::protocol::hub::threads::{MAX_LINE, SearchAnswer, SearchJob, Searcher};
use crate::search::{Info, must_wait};

use super::{HubSession, until};

/// A session whose searches run in time slices.
pub struct SlicedSession<W>(HubSession<W, SlicedSearcher>);

impl<W: Write> SlicedSession<W> {
    /// A session that writes its lines to `output`.
    pub fn new(tunables: Tunables, output: W) -> Self {
        // The host passes lines on one at a time, so they need no gaps.
        SlicedSession(HubSession::new(
            HubParams::new(tunables),
            output,
            SlicedSearcher::default(),
            |_| {},
        ))
    }

    /// Handles a line from the client; a line that is too long is ignored. Returns `false` once the
    /// client has sent `quit`.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn receive(&mut self, line: &str) -> io::Result<bool> {
        let line = if line.len() as u64 > MAX_LINE { "" } else { line };
        let is_open = self.0.receive(line)?;
        if !is_open {
            self.quit()?;
        }
        Ok(is_open)
    }

    /// Runs the current search, if any, for one time slice. Returns the time after which the host
    /// must call this again unless a line arrives first: zero while a search runs, `None` if there
    /// is nothing to do before the next line.
    ///
    /// Each slice restarts at the root, with the transposition table and histories left by the
    /// previous slices. A slice must be long enough to get further than the previous one: a few
    /// milliseconds suffice, but slices of a few hundred nodes never finish a deep search.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn resume(&mut self, slice: Duration) -> io::Result<Option<Duration>> {
        let Some(mut search) = self.0.searcher.0.take() else {
            return Ok(None);
        };
        for info in search.resume(slice) {
            self.0.report(info)?;
        }
        if search.may_answer() {
            let answer = search.answer.unwrap_or_default();
            self.0.finish(Ok((search.job.engine, answer)))?;
            self.0.run_pending()?;
        } else {
            self.0.searcher.0 = Some(search);
            self.0.send_due_info()?;
        }
        Ok(self.due())
    }

    /// Ends the session: a running search is stopped and its result sent; pending commands are
    /// dropped.
    fn quit(&mut self) -> io::Result<()> {
        self.0.pending.clear();
        self.0.stop_search();
        self.resume(Duration::ZERO)?;
        Ok(())
    }

    /// The time until [`SlicedSession::resume`] must be called again.
    fn due(&self) -> Option<Duration> {
        let search = self.0.searcher.0.as_ref()?;
        match search.answer {
            Some(_) if !search.may_answer() => self.0.search.as_ref()?.due().map(until),
            _ => Some(Duration::ZERO),
        }
    }
}

/// The search that is running, if any.
#[derive(Default)]
struct SlicedSearcher(Option<SlicedSearch>);

/// A search that runs in time slices.
struct SlicedSearch {
    job: SearchJob,
    resume: ResumeState,
    /// The answer, once found; it may have to be withheld.
    answer: Option<SearchAnswer>,
}

impl Searcher for SlicedSearcher {
    fn start(&mut self, job: SearchJob) -> io::Result<()> {
        let answer = job.is_over().then(SearchAnswer::default);
        self.0 = Some(SlicedSearch { job, resume: ResumeState::default(), answer });
        Ok(())
    }
}

impl SlicedSearch {
    /// Runs one time slice, unless the answer has been found. Returns the info reported by the
    /// search.
    fn resume(&mut self, slice: Duration) -> Vec<Info> {
        let mut infos = Vec::new();
        if self.answer.is_none() {
            let SearchJob { engine, limits, control } = &mut self.job;
            let pause = Instant::now().checked_add(slice);
            let sink = &mut |info: &Info| infos.push(info.clone());
            let best = engine.go_slice(*limits, pause, &mut self.resume, control, sink);
            self.answer = best.map(SearchAnswer::from);
        }
        infos
    }

    /// Whether there is an answer that may be sent now.
    fn may_answer(&self) -> bool {
        let SearchJob { engine, limits, control } = &self.job;
        let must_wait = || must_wait(&engine.strength_limits(*limits), control, false);
        self.answer.as_ref().is_some_and(|answer| answer.mv.is_none() || !must_wait())
    }
}
