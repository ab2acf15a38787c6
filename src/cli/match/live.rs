//! The page of a match: boards of the games in progress, tables, and every finished game.
//!
//! Viewers request the state once a second. It is built at most five times a second regardless of
//! their number, so that they hardly slow the match. A response shows the current positions, not
//! every move since the last one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::arena::openings::{Opening, OpeningSource};
use crate::arena::pdn::{PdnPlayer, PdnStyle};
use crate::arena::plan::MatchPlan;
use crate::arena::played::{GameSlot, PlayedGame};
use crate::arena::referee::{Conditions, GameUpdate};
use crate::arena::runner::{MatchObserver, MatchProgress};
use crate::arena::spec::{EngineSpec, Participant};
use crate::arena::stats::RatingScale;
use crate::arena::summary::{SprtSummary, Summary};
use crate::arena::tally::MatchTally;
use crate::arena::time_control::{TimeControl, TimeSettings};
use crate::cli::Error;
use crate::cli::output::print_stderr;
use crate::report::board;
use crate::report::page::{PageBoard, PageGame, PagePart};
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{self, LogFollower, LogLabels, LogSettings};
use crate::serve::{self, NOT_FOUND, Request, Response, Server, Site, check_request};
use crate::storage;

use super::report::{reviewed, style};
use super::watched::{FinishedGames, RunningGame, TestCurve};
use super::{Arguments, tables};

/// The default address.
pub const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8556);

/// The maximum age of the cached state.
const STATE_TIME: Duration = Duration::from_millis(200);
/// Minimum time between two updates of the tables.
const TABLE_TIME: Duration = Duration::from_millis(500);
/// The time for which the page is served after the match, so that viewers see the final state.
const FAREWELL: Duration = Duration::from_millis(1500);
/// The time for which a viewer counts as present after its last request.
const VIEWER_TIME: Duration = Duration::from_secs(5);
/// Interval at which a log is read again.
const LOG_TIME: Duration = Duration::from_millis(500);
/// Maximum number of finished games in a response.
const MAX_ROWS: usize = 500;
/// The page of a match and its data.
pub struct LiveMatch {
    variant: Variant,
    players: Vec<PdnPlayer>,
    style: PdnStyle,
    state: Mutex<LiveState>,
    /// The cached state as JSON, and the time when it was built.
    shared: Mutex<Option<(Instant, Arc<str>)>>,
}

struct LiveState {
    running: BTreeMap<GameSlot, RunningGame>,
    finished: FinishedGames,
    /// The number of games of the match; `None` if it is unknown because the match is read from a
    /// log.
    planned: Option<u64>,
    tables: Vec<PagePart>,
    tables_time: Option<Instant>,
    test: Option<TestCurve>,
    is_over: bool,
    last_viewer: Option<Instant>,
}

impl LiveMatch {
    /// Creates the page of a match that has not started.
    ///
    /// # Errors
    ///
    /// The temporary file cannot be created.
    pub fn new(plan: &MatchPlan, event: &str) -> io::Result<LiveMatch> {
        Ok(LiveMatch {
            variant: plan.variant,
            players: PdnPlayer::all(plan),
            style: PdnStyle { has_comments: true, ..style(event) },
            state: Mutex::new(LiveState {
                running: BTreeMap::new(),
                finished: FinishedGames::new()?,
                planned: Some(plan.planned_games(&MatchTally::new(plan.engines.len()))),
                tables: Vec::new(),
                tables_time: None,
                test: None,
                is_over: false,
                last_viewer: None,
            }),
            shared: Mutex::new(None),
        })
    }

    /// Adds a finished game, which `progress` already includes.
    ///
    /// # Errors
    ///
    /// The temporary file cannot be written.
    pub fn finish(
        &self,
        plan: &MatchPlan,
        played: &PlayedGame,
        progress: &MatchProgress,
    ) -> io::Result<()> {
        let row = self.row(played);
        let mut state = self.state();
        state.running.remove(&played.slot);
        state.finished.add(played, row)?;
        if let Some(test) = SprtSummary::new(plan, progress) {
            TestCurve::add(&mut state.test, &test, progress.tally.games);
        }
        if state.tables_time.is_none_or(|time| time.elapsed() >= TABLE_TIME) {
            state.show_tables(plan, progress);
        }
        Ok(())
    }

    /// Marks the match as over. If there are viewers, waits for [`FAREWELL`] so that they can
    /// request the final state.
    pub fn end(&self, plan: &MatchPlan, progress: &MatchProgress) {
        let has_viewers = {
            let mut state = self.state();
            state.running.clear();
            state.is_over = true;
            state.show_tables(plan, progress);
            state.last_viewer.is_some_and(|time| time.elapsed() < VIEWER_TIME)
        };
        if has_viewers {
            thread::sleep(FAREWELL);
        }
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn names(&self, slot: GameSlot) -> [&str; 2] {
        [slot.white, slot.black].map(|engine| &self.players[engine].name[..])
    }

    /// The row of a finished game in the list, as JSON.
    fn row(&self, played: &PlayedGame) -> String {
        let GameSlot { pair, game, .. } = played.slot;
        let row = json!({
            "pair": pair, "game": game, "names": self.names(played.slot), "result": played.points(),
            "ending": played.ending(), "plies": played.moves.len(), "opening": played.opening,
            "round": played.round,
        });
        row.to_string()
    }

    /// The state as JSON, from the cache if it is recent.
    fn shared_state(&self) -> Arc<str> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((time, text)) = &*shared
            && time.elapsed() < STATE_TIME
        {
            return Arc::clone(text);
        }
        let text: Arc<str> = self.state_text().into();
        *shared = Some((Instant::now(), Arc::clone(&text)));
        text
    }

    fn state_text(&self) -> String {
        let mut state = self.state();
        state.last_viewer = Some(Instant::now());
        let running: Vec<_> =
            state.running.iter().map(|(&slot, game)| game.shown(slot, self.names(slot))).collect();
        let count = state.finished.rows().len() as u64;
        let state = json!({
            "running": running, "tables": &state.tables, "test": &state.test,
            "planned": state.planned.map(|planned| planned.max(count)), "count": count, "is_over": state.is_over,
        });
        state.to_string()
    }

    /// The state and the finished games from the index `first`, as JSON.
    fn answer_state(&self, first: &str) -> Option<String> {
        let first: usize = first.parse().ok()?;
        let shared = self.shared_state();
        let state = self.state();
        let rows = state.finished.rows().get(first..).unwrap_or_default();
        let rows = rows[..rows.len().min(MAX_ROWS)].join(",");
        Some(format!("{{\"state\":{shared},\"rows\":[{rows}]}}"))
    }

    /// The game at `place` (`PAIR/GAME`), as JSON for the viewer.
    fn answer_game(&self, place: &str) -> Option<String> {
        let (pair, game) = place.split_once('/')?;
        let place = [pair.parse().ok()?, game.parse().ok()?];
        let mut state = self.state();
        let running = state.running.iter().find(|(slot, _)| [slot.pair, slot.game] == place);
        let (played, is_over) = match running {
            Some((&slot, game)) => (game.played(slot), false),
            None => (state.finished.game(place)?, true),
        };
        drop(state);
        let (record, review) = reviewed(self.variant, &played, &self.players, &self.style).ok()?;
        let mut game = PageGame::new(&record, &review, false);
        if !is_over {
            game.set_unfinished();
        }
        serde_json::to_string(&game).ok()
    }

    /// The data that the page loads once, as JSON.
    fn setup(&self) -> String {
        let setup = json!({
            "title": self.style.event, "board": PageBoard::new(self.variant),
            "variant": self.variant.name(), "pieces": board::piece_drawings(),
        });
        setup.to_string()
    }

    fn respond(&self, request: &Request) -> Response {
        let path = request.path.trim_start_matches('/');
        let json = match path {
            "" => return Response::page(include_str!("../../report/page/live.html").to_owned()),
            "live.js" => {
                return Response::text_file("live.js", include_str!("../../report/page/live.js"));
            }
            "live.css" => {
                return Response::text_file("live.css", include_str!("../../report/page/live.css"));
            }
            "setup" => Some(self.setup()),
            _ if path.starts_with("language/") => return serve::file(path),
            _ => match path.split_once('/') {
                Some(("page", file)) => return serve::file(file),
                Some(("state", first)) => self.answer_state(first),
                Some(("game", place)) => self.answer_game(place),
                _ => None,
            },
        };
        json.map_or_else(|| Response::error(NOT_FOUND, "not found"), Response::json)
    }
}

impl MatchObserver for LiveMatch {
    fn update(&self, slot: GameSlot, opening: &Opening, update: &GameUpdate<'_>) {
        let mut state = self.state();
        let game = state.running.entry(slot).or_insert_with(|| RunningGame::new(opening));
        game.update(update);
    }
}

impl Site for LiveMatch {
    fn answer(&self, stream: &mut TcpStream, request: Request) -> io::Result<()> {
        let response = match check_request(&request, &[]) {
            Ok(()) => self.respond(&request),
            Err(response) => response,
        };
        response.write_for(&request, stream)
    }
}

impl LiveState {
    fn show_tables(&mut self, plan: &MatchPlan, progress: &MatchProgress) {
        let summary = Summary::interim(plan, progress);
        self.planned = self.planned.map(|_| summary.planned_games);
        self.tables = tables::live(plan, &summary);
        self.tables_time = Some(Instant::now());
    }
}

/// Serves the page of a match from a separate thread and prints its address.
///
/// # Errors
///
/// The address is in use or does not belong to this machine. If the port of the default address is in
/// use, a free one is chosen.
pub fn serve(site: &Arc<LiveMatch>, address: SocketAddr) -> Result<(), Error> {
    let site: Arc<dyn Site> = Arc::<LiveMatch>::clone(site);
    let server = match Server::bind(address, Arc::clone(&site)) {
        Err(error) if address == ADDRESS && error.kind() == io::ErrorKind::AddrInUse => {
            Server::bind(SocketAddr::new(address.ip(), 0), site)
        }
        server => server,
    };
    let server =
        server.map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
    print_stderr(format_args!("watch the match at {}", server.address()?));
    thread::Builder::new().name("live page".to_owned()).spawn(move || server.run())?;
    Ok(())
}

/// Serves the page of a match from its log, until Ctrl-C. Games that are added to the log are added
/// to the page. `labels` are the terms used in messages about the log.
///
/// # Errors
///
/// The log cannot be read, or does not belong to a match.
pub fn show(path: &Path, labels: LogLabels, arguments: &Arguments) -> Result<(), Error> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let no_log = || Error::Input(format!("{}: not the log of a match", path.display()));
    File::open(path).map_err(storage::with_path(path))?;
    let settings = log::settings(path).ok_or_else(no_log)?;
    let mut plan = plan_of(&settings).ok_or_else(no_log)?;
    let names: Vec<_> = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    plan.rating_scale = arguments.ratings.scale(&names)?;
    plan.sprt = arguments.sprt.test()?;
    let live = Arc::new(LiveMatch::new(&plan, arguments.event())?);
    if !plan.format.is_tournament() {
        live.state().planned = None;
    }
    let mut progress = MatchProgress::new(&plan);
    let mut follower = LogFollower::new(path.to_owned(), labels);
    let mut is_served = false;
    while !interrupt.is_set() {
        let games = progress.tally.games;
        follower.read(&settings, &mut |line| {
            let played = plan.logged_game(line)?;
            progress.add(&played);
            live.finish(&plan, &played, &progress).map_err(|error| error.to_string())
        })?;
        if games != progress.tally.games || !is_served {
            live.state().show_tables(&plan, &progress);
        }
        if !std::mem::replace(&mut is_served, true) {
            serve(&live, arguments.live.unwrap_or(ADDRESS))?;
        }
        thread::sleep(LOG_TIME);
    }
    Ok(())
}

/// The plan of the match with these log settings, with only the fields that the page needs; `None`
/// if the log does not belong to a match.
fn plan_of(settings: &LogSettings) -> Option<MatchPlan> {
    let specs = settings.get("engines")?.as_array()?.iter();
    let specs: Option<Vec<EngineSpec>> = specs.map(|text| text.as_str()?.parse().ok()).collect();
    let limits: Vec<TimeControl> = serde_json::from_value(settings.get("limits")?.clone()).ok()?;
    // A placeholder, replaced below by the limits in the log.
    let any = TimeSettings { depth: Some(1), ..TimeSettings::default() };
    let mut engines = Participant::all(specs?, any).ok()?;
    for (engine, limits) in engines.iter_mut().zip(limits) {
        engine.time_control = limits;
    }
    let (format, rounds) = super::format::of_log(settings)?;
    Some(MatchPlan {
        variant: settings.get("variant")?.as_str()?.parse().ok()?,
        engines,
        format,
        rounds,
        pairs: None,
        concurrency: 1,
        openings: OpeningSource::Start,
        random_plies: 0,
        seed: 0,
        conditions: Conditions {
            margin: Duration::try_from_secs_f64(settings.get("margin")?.as_f64()?).ok()?,
            patience: Duration::ZERO,
            adjudication: Default::default(),
            bitbases: None,
        },
        sprt: None,
        rating_scale: RatingScale::Average(0.0),
        cores: Vec::new(),
        transcript: None,
    })
}
