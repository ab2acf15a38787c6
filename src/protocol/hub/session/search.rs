//! Starting the searches of a session, reporting their progress and answering them.

use std::io::{self, Write};
use std::time::Duration;

use crate::instant::Instant;
use crate::protocol::hub::commands::LevelLimits;
use crate::protocol::hub::replies;
use crate::protocol::hub::threads::{SearchAnswer, SearchEnd, SearchJob, Searcher};
use crate::protocol::hub::throttle::Throttle;
use crate::search::{Clock, Control, Info, Limits, Mode};

use super::{GAP, HubSession};

/// The minimum depth that lidraughts' analysis board shows.
const MIN_SHOWN_DEPTH: u32 = 6;

/// A search in progress.
pub(super) struct RunningSearch {
    pub(super) control: Control,
    mode: Mode,
    throttle: Throttle,
    start: Instant,
    /// The clock of the game, unless the search began before the engine's turn.
    clock: Option<Clock>,
    /// The time at which to stop the search; `None` if there is no deadline, or if the search has
    /// been stopped.
    deadline: Option<Instant>,
}

impl RunningSearch {
    fn new(limits: &Limits, max_time: Option<Duration>) -> Self {
        let (start, mode) = (Instant::now(), limits.mode);
        RunningSearch {
            control: Control::new(),
            mode,
            throttle: Throttle::new(start),
            start,
            clock: limits.clock.filter(|_| mode == Mode::Think),
            deadline: max_time.and_then(|time| start.checked_add(time)),
        }
    }

    /// The time since the start, but at most the hard limit of the search.
    fn planned_time(&self) -> Duration {
        self.control.hard_limit().unwrap_or(Duration::MAX).min(self.start.elapsed())
    }

    /// The time at which withheld info is due or the search must be stopped; `None` for neither.
    pub(super) fn due(&self) -> Option<Instant> {
        self.throttle.due().into_iter().chain(self.deadline).min()
    }
}

impl<W: Write, S: Searcher> HubSession<W, S> {
    /// Starts a search.
    pub(super) fn go(&mut self, mode: Mode) -> io::Result<()> {
        self.engine()?;
        let Some(engine) = self.engine.take() else {
            return Ok(());
        };
        let mut limits = self.level.limits(mode);
        limits.clock = limits.clock.map(|clock| self.overhead.before_move(clock));
        let search = RunningSearch::new(&limits, self.max_search_time);
        let job = SearchJob { engine, limits, control: search.control.clone() };
        self.searcher.start(job)?;
        self.search = Some(search);
        Ok(())
    }

    /// Handles info from the search, which may be sent now, later or not at all.
    pub(super) fn report(&mut self, info: Info) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        let mode = search.mode;
        let admitted = search.throttle.admit(info, Instant::now());
        self.send_infos(mode, admitted)
    }

    /// Sends the withheld info that is due.
    pub(super) fn send_due_info(&mut self) -> io::Result<()> {
        let now = Instant::now();
        while let Some(search) = &mut self.search
            && let Some(info) = search.throttle.release(now)
        {
            let mode = search.mode;
            self.send_infos(mode, [info])?;
        }
        Ok(())
    }

    /// Stops the search if its deadline has passed.
    pub(super) fn stop_overdue_search(&mut self) {
        if let Some(search) = &mut self.search
            && search.deadline.is_some_and(|deadline| deadline <= Instant::now())
        {
            search.deadline = None;
            search.control.stop();
        }
    }

    /// Sends info lines. In an analysis, a proven line whose depth is too low for clients to show
    /// is sent again with a higher depth, since no deeper line will follow.
    fn send_infos(&mut self, mode: Mode, infos: impl IntoIterator<Item = Info>) -> io::Result<()> {
        let has_ranks = self.applied.multipv > 1;
        for info in infos {
            self.write(&replies::info(&info, has_ranks))?;
            let is_proven = info.score.plies_to_end().is_some_and(|plies| plies <= info.depth);
            if mode == Mode::Analyze && is_proven && info.depth < MIN_SHOWN_DEPTH {
                let deeper = Info { depth: MIN_SHOWN_DEPTH, ..info };
                self.write(&replies::info(&deeper, has_ranks))?;
            }
        }
        Ok(())
    }

    /// Answers a search that has finished.
    pub(super) fn finish(&mut self, result: SearchEnd) -> io::Result<()> {
        let answer = match result {
            Ok((engine, answer)) => {
                self.engine = Some(engine);
                answer
            }
            Err(message) => self.recover(&message)?,
        };
        self.level = LevelLimits::default();
        let done = replies::done(&answer);
        if let Some(search) = self.search.take() {
            if let Some(clock) = search.clock {
                self.overhead.after_move(clock, search.planned_time());
            }
            let RunningSearch { throttle, mode, .. } = search;
            let is_unused = throttle.is_unused();
            let withheld = throttle.withheld();
            // Clients that analyze expect a score, however short the search was.
            let last = answer.info.filter(|_| is_unused && withheld.is_empty());
            self.send_infos(mode, withheld.into_iter().chain(last))?;
        }
        self.write_after_gap(&done, GAP)
    }

    /// Creates a new engine after a panic in the search. The answer is any legal move.
    fn recover(&mut self, message: &str) -> io::Result<SearchAnswer> {
        log::error!("search failed: {message}");
        self.write(&replies::error(format_args!("search failed: {message}")))?;
        let moves = self.engine()?.game().position().legal_moves();
        Ok(SearchAnswer { mv: moves.first().copied(), ..SearchAnswer::default() })
    }
}
