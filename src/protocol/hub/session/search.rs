//! The searches of a session: how they start, what they report, how they end.

use std::io::{self, Write};
use std::time::Instant;

use crate::protocol::hub::event::{SearchAnswer, SearchResult};
use crate::protocol::hub::level::Level;
use crate::protocol::hub::replies;
use crate::protocol::hub::searcher::{SearchJob, SearchThread};
use crate::protocol::hub::throttle::Throttle;
use crate::search::{Control, Info, Mode};

use super::HubSession;

/// A search in progress.
pub(super) struct RunningSearch {
    pub(super) control: Control,
    throttle: Throttle,
}

impl RunningSearch {
    fn new() -> Self {
        RunningSearch { control: Control::new(), throttle: Throttle::new(Instant::now()) }
    }

    /// When withheld information is next due; `None` if nothing is withheld.
    pub(super) fn due(&self) -> Option<Instant> {
        self.throttle.due()
    }
}

impl<W: Write> HubSession<W> {
    /// Starts a search.
    pub(super) fn go(&mut self, mode: Mode) -> io::Result<()> {
        self.engine()?;
        let Some(engine) = self.engine.take() else {
            return Ok(());
        };
        let search = RunningSearch::new();
        let limits = self.level.limits(mode);
        let job = SearchJob { engine, limits, control: search.control.clone() };
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => SearchThread::start(self.go, self.sender.clone())?,
        };
        self.searcher.insert(searcher).begin(job);
        self.search = Some(search);
        Ok(())
    }

    /// Accepts information, which may be sent later or not at all.
    pub(super) fn report(&mut self, info: Info) -> io::Result<()> {
        let search = self.search.as_mut();
        let admitted = search.and_then(|search| search.throttle.admit(info, Instant::now()));
        self.inform(admitted)
    }

    /// Sends the withheld information that is due.
    pub(super) fn release(&mut self) -> io::Result<()> {
        let now = Instant::now();
        while let Some(search) = &mut self.search
            && let Some(info) = search.throttle.release(now)
        {
            self.inform([info])?;
        }
        Ok(())
    }

    fn inform(&mut self, infos: impl IntoIterator<Item = Info>) -> io::Result<()> {
        let has_ranks = self.applied.options().multipv > 1;
        for info in infos {
            self.write(&replies::info(&info, has_ranks))?;
        }
        Ok(())
    }

    /// Answers a search that has finished.
    pub(super) fn finish(&mut self, result: SearchResult) -> io::Result<()> {
        let answer = match result {
            Ok((engine, answer)) => {
                self.engine = Some(engine);
                answer
            }
            Err(message) => self.recover(&message)?,
        };
        self.level = Level::default();
        let done = replies::done(&answer);
        if let Some(RunningSearch { throttle, .. }) = self.search.take() {
            let is_unused = throttle.is_unused();
            let withheld = throttle.withheld();
            // Clients that analyze expect a score, however short the search was.
            let last = answer.info.filter(|_| is_unused && withheld.is_empty());
            self.inform(withheld.into_iter().chain(last))?;
        }
        self.write(&done)
    }

    /// The answer after a panic in the search: any legal move, from a new engine.
    fn recover(&mut self, message: &str) -> io::Result<SearchAnswer> {
        log::error!("the search has failed: {message}");
        self.write(&replies::error(format_args!("the search has failed: {message}")))?;
        let moves = self.engine()?.game().position().legal_moves();
        Ok(SearchAnswer { mv: moves.first().copied(), ..SearchAnswer::default() })
    }
}
