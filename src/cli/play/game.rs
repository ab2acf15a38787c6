//! A game between a person and the engine.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::arena::time_control::EngineClock;
use crate::board::{Move, Side};
use crate::cli::Error;
use crate::cli::output::colour;
use crate::engine::{BITBASE_DOWNLOAD_PIECES, Engine, Level, Strength, bitbase_result};
use crate::erased::{Game, Position};
use crate::game::Outcome;
use crate::notation::fen;
use crate::notation::pdn::{self, GameRecord, ResultText};
use crate::report::language::Language;
use crate::score::Score;
use crate::search::{Clock, Info, Limits, Mode};
use crate::storage;

use super::console::{Console, ConsoleInput, HELP, UserCommand};
use super::screen::Screen;

/// The search time for a hint, and for a move at full strength without a clock.
const SECOND: Duration = Duration::from_secs(1);

/// The number of plies after which the engine accepts a draw unless it is ahead by more than
/// [`LEVEL_SCORE`].
const LATE_PLY: usize = 40;
/// The maximum lead at which the engine accepts a draw late in the game, in hundredths of a man.
const LEVEL_SCORE: i16 = 10;
/// The deficit above which the engine accepts a draw at any time, in hundredths of a man.
const BEHIND_SCORE: i16 = 50;

/// The player and the strength of the engine.
pub struct Players {
    /// The side of the person.
    pub person: Side,
    /// The name of the person.
    pub name: String,
    /// The strength of the engine.
    pub strength: Strength,
}

/// A game between a person and the engine.
pub struct TerminalGame {
    players: Players,
    game: Game,
    engine: Engine,
    /// The clocks by side, if the game has them.
    clocks: Option<[EngineClock; 2]>,
    console: Console,
    screen: Screen,
    /// Whether the board has changed since it was shown.
    needs_redraw: bool,
    /// The files that this game was saved to.
    saved: Vec<PathBuf>,
    end: Option<GameEnd>,
}

impl TerminalGame {
    /// Creates a game. Each side gets a copy of `clock`.
    pub fn new(
        start: Position,
        players: Players,
        engine: Engine,
        clock: Option<EngineClock>,
        console: Console,
        screen: Screen,
    ) -> TerminalGame {
        TerminalGame {
            players,
            game: Game::from_position(start),
            engine,
            clocks: clock.map(|clock| [clock; 2]),
            console,
            screen,
            needs_redraw: true,
            saved: Vec::new(),
            end: None,
        }
    }

    /// Plays the game to its end.
    ///
    /// # Errors
    ///
    /// Standard input or output fails.
    pub fn run(&mut self) -> Result<(), Error> {
        let colour = colour(self.players.person);
        self.screen.add(&format!("You play {colour}. `help` lists the commands."));
        if let Some(description) = self.players.strength.level().and_then(description) {
            self.screen.add(&format!("{}: {description}", self.engine_name()));
        }
        while self.end.is_none() {
            if let Some(outcome) = self.game.outcome() {
                self.end = Some(GameEnd::Rules(outcome));
            } else if self.game.position().side() == self.players.person {
                self.ask()?;
            } else {
                self.engine_move();
            }
        }
        Ok(())
    }

    /// Shows how the game ended, prints the game as PDN, and appends it to `file` if given.
    ///
    /// # Errors
    ///
    /// The output or the file cannot be written.
    pub fn conclude(mut self, file: Option<&Path>) -> Result<(), Error> {
        let ending = self.ending().to_string();
        self.screen.add(&ending);
        self.show()?;
        let text = pdn::write_game(&self.record());
        writeln!(io::stdout(), "\n{text}")?;
        if let Some(path) = file {
            let append = || {
                let mut file = OpenOptions::new().create(true).append(true).open(path)?;
                file.write_all((text + "\n").as_bytes())
            };
            append().map_err(storage::with_path(path))?;
        }
        Ok(())
    }

    fn ending(&self) -> GameEnd {
        self.end.unwrap_or(GameEnd::Stopped)
    }

    fn show(&mut self) -> io::Result<()> {
        let clocks = self.clocks.filter(|[clock, _]| clock.limits().clock.is_some());
        let left = |clock: EngineClock| clock.limits().clock.map_or(SECOND, |left| left.remaining);
        self.screen.show(&self.game, clocks.map(|clocks| clocks.map(left)))?;
        self.needs_redraw = false;
        Ok(())
    }

    /// Prints a line below the board.
    fn print(&self, text: &str) -> io::Result<()> {
        writeln!(io::stdout(), "{text}")
    }

    /// Reads and executes one command.
    fn ask(&mut self) -> Result<(), Error> {
        if self.needs_redraw {
            self.show()?;
        }
        let began = Instant::now();
        match self.console.ask("your move: ")? {
            ConsoleInput::End | ConsoleInput::Interrupt => self.end = Some(GameEnd::Stopped),
            ConsoleInput::Line(line) => self.execute(UserCommand::parse(&line), began)?,
        }
        Ok(())
    }

    fn execute(&mut self, request: UserCommand, began: Instant) -> Result<(), Error> {
        match request {
            UserCommand::Empty => {}
            UserCommand::Move(text) => {
                if let Some(mv) = self.resolve_move(&text)? {
                    self.play(mv, began.elapsed());
                }
            }
            UserCommand::Moves => self.print(&move_list(self.game.position()))?,
            UserCommand::Hint => self.hint()?,
            UserCommand::Score => self.score()?,
            UserCommand::TakeBack => self.take_back()?,
            UserCommand::Flip => {
                self.screen.flip();
                self.needs_redraw = true;
            }
            UserCommand::Fen => self.print(&fen::format(self.game.position()))?,
            UserCommand::Save(path) => self.save(path)?,
            UserCommand::Draw => self.consider_draw()?,
            UserCommand::Resign => self.end = Some(GameEnd::Resigned(self.players.person)),
            UserCommand::Help => self.print(HELP.trim_end())?,
            UserCommand::Quit => self.end = Some(GameEnd::Stopped),
        }
        Ok(())
    }

    /// Parses a move; `None` if the text is not a legal move. If a capture is ambiguous, asks which
    /// one is meant.
    fn resolve_move(&mut self, text: &str) -> Result<Option<Move>, Error> {
        let moves = match pdn::candidate_moves(self.game.position(), text) {
            Ok(moves) => moves,
            Err(error) => {
                self.print(&format!(
                    "{error}. `moves` lists the legal moves, `help` all commands."
                ))?;
                return Ok(None);
            }
        };
        if let [mv] = moves[..] {
            return Ok(Some(mv));
        }
        let position = self.game.position();
        for (number, &mv) in (1..).zip(&moves) {
            self.print(&format!("{number}: {}", pdn::format_move(position, mv)))?;
        }
        let ConsoleInput::Line(line) = self.console.ask("which one? ")? else {
            return Ok(None);
        };
        let number = line.trim().parse::<usize>().ok();
        let chosen = number.and_then(|number| moves.get(number.checked_sub(1)?)).copied();
        let spelled = || pdn::parse_move(self.game.position(), &line).ok();
        let chosen = chosen.or_else(spelled);
        if chosen.is_none() {
            self.print(&format!("expected a number from 1 to {}", moves.len()))?;
        }
        Ok(chosen)
    }

    /// Plays a move that the side to move chose in the time `took`. If that side has run out of
    /// time, ends the game instead.
    fn play(&mut self, mv: Move, took: Duration) {
        let side = self.game.position().side();
        if let Some(clocks) = &mut self.clocks {
            let clock = &mut clocks[side.index()];
            let left = clock.limits().clock.map(|left| left.remaining + left.increment);
            clock.spend(took);
            if left.is_some_and(|left| took > left) {
                self.end = Some(GameEnd::Time(side));
                return;
            }
        }
        self.game.play(mv);
        self.needs_redraw = true;
    }

    /// Searches for the engine's move and plays it.
    fn engine_move(&mut self) {
        let began = Instant::now();
        self.engine.set_game(self.game.clone());
        let (limits, control) = (self.limits(), self.console.control());
        let best = self.engine.go(limits, &control, &mut |_| {});
        if let Some(mv) = best.mv {
            let text = pdn::format_move(self.game.position(), mv);
            let message = format!("{}: {text}", self.engine_name());
            self.screen.add(&message);
            self.play(mv, began.elapsed());
        }
    }

    /// The search limits for the engine's move.
    fn limits(&self) -> Limits {
        let Some(clocks) = &self.clocks else {
            let move_time = Some(SECOND).filter(|_| self.players.strength == Strength::FULL);
            return Limits { move_time, ..Limits::default() };
        };
        let limits = clocks[self.players.person.opponent().index()].limits();
        let clock = limits.clock.map(|clock| Clock {
            remaining: clock.remaining + clock.increment,
            increment: clock.increment,
            moves: clock.moves,
            ..Clock::default()
        });
        Limits { move_time: limits.move_time, clock, ..Limits::default() }
    }

    /// The engine's analysis of the position, at full strength.
    fn analyze(&mut self) -> Info {
        self.engine.set_game(self.game.clone());
        let limits = Limits { move_time: Some(SECOND), mode: Mode::Analyze, ..Limits::default() };
        self.engine.go(limits, &self.console.control(), &mut |_| {}).info
    }

    fn hint(&mut self) -> Result<(), Error> {
        let info = self.analyze();
        Ok(self.print(&pdn::format_line(self.game.position(), &info.pv))?)
    }

    fn score(&mut self) -> Result<(), Error> {
        let Info { score, depth, .. } = self.analyze();
        let lead = lead(score, self.game.position().side());
        Ok(self.print(&format!("{lead} (depth {depth})"))?)
    }

    fn take_back(&mut self) -> Result<(), Error> {
        if self.game.plies() < 2 {
            return Ok(self.print("no move to take back")?);
        }
        self.game.undo();
        self.game.undo();
        self.needs_redraw = true;
        Ok(())
    }

    fn consider_draw(&mut self) -> Result<(), Error> {
        // The score is for the side to move, which is the player.
        let lead = -self.analyze().score.0;
        let is_late = self.game.plies() >= LATE_PLY;
        let agrees =
            lead < -BEHIND_SCORE || (lead <= LEVEL_SCORE && is_late) || self.is_drawn(lead);
        match agrees {
            true => self.end = Some(GameEnd::Agreed),
            false => self.print("the engine declines the draw")?,
        }
        Ok(())
    }

    /// Whether the bitbases contain the position as a draw, or lead the search to a draw from it.
    fn is_drawn(&self, lead: i16) -> bool {
        let pieces = self.game.position().occupied().len();
        match bitbase_result(&self.game, self.engine.bitbases()) {
            Some((winner, _)) => winner.is_none(),
            None => lead == Score::DRAW.0 && pieces <= BITBASE_DOWNLOAD_PIECES,
        }
    }

    /// Writes the game so far to a file. Never overwrites an existing file unless this game was
    /// saved to it before.
    fn save(&mut self, path: PathBuf) -> Result<(), Error> {
        if path.as_os_str().is_empty() {
            return Ok(self.print("save needs the name of a new file, such as save game.pdn")?);
        }
        let name = path.display();
        if path.exists() && !self.saved.contains(&path) {
            return Ok(self.print(&format!("{name} already exists; choose another name"))?);
        }
        let text = pdn::write_game(&self.record());
        match storage::write_atomically(&path, |file| file.write_all(text.as_bytes())) {
            Ok(_) => {
                self.print(&format!("saved to {name}"))?;
                self.saved.push(path);
            }
            Err(error) => self.print(&format!("{name}: {error}"))?,
        }
        Ok(())
    }

    fn engine_name(&self) -> String {
        match self.players.strength {
            Strength::FULL => "Manoury".to_owned(),
            strength => format!("Manoury {strength}"),
        }
    }

    /// The game so far as a PDN record.
    fn record(&self) -> GameRecord {
        let mut record = GameRecord::from_game(&self.game);
        let name = |side| match side == self.players.person {
            true => self.players.name.clone(),
            false => self.engine_name(),
        };
        for (tag, value) in [
            ("Event", "Game at the terminal"),
            ("Date", &pdn::today()),
            ("White", &name(Side::White)),
            ("Black", &name(Side::Black)),
        ] {
            record.tags.set(tag, value);
        }
        record.set_result(self.ending().points());
        record
    }
}

/// Describes in a sentence what the engine overlooks at a level.
fn description(level: Level) -> Option<String> {
    Language::English.text(&format!("level_{}", level.number()))
}

/// The legal moves, in a notation that the player can type.
fn move_list(position: &Position) -> String {
    let moves = position.sorted_moves();
    let words: Vec<_> = moves.iter().map(|&mv| pdn::format_move(position, mv)).collect();
    words.join(" ")
}

/// Describes a score for `side` in words.
fn lead(score: Score, side: Side) -> String {
    let ahead = if score > Score::DRAW { side } else { side.opponent() };
    let (ahead, behind) = (colour(ahead), colour(ahead.opponent()));
    match score.plies_to_end() {
        Some(1) => format!("{ahead} wins in 1 ply"),
        Some(plies) => format!("{ahead} wins in {plies} plies"),
        None if score.is_decisive() => format!("{ahead} wins"),
        None if score.0.abs() < 5 => "neither side is ahead".to_owned(),
        None => format!("{ahead} is {:.2} men ahead of {behind}", f64::from(score.0.abs()) / 100.0),
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The game ended by the rules.
    Rules(Outcome),
    /// A side has run out of time.
    Time(Side),
    /// A side has resigned.
    Resigned(Side),
    /// Both sides have agreed on a draw.
    Agreed,
    /// The game was stopped before there was a result.
    Stopped,
}

impl GameEnd {
    /// The result in points of international draughts; `*` if there is none.
    pub fn points(self) -> &'static str {
        let winner = match self {
            GameEnd::Stopped => return "*",
            GameEnd::Agreed => None,
            GameEnd::Rules(outcome) => outcome.winner,
            GameEnd::Time(loser) | GameEnd::Resigned(loser) => Some(loser.opponent()),
        };
        ResultText::of(winner)
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points() {
            ResultText::WHITE => f.write_str("White wins: ")?,
            ResultText::BLACK => f.write_str("Black wins: ")?,
            ResultText::DRAW => f.write_str("Draw: ")?,
            _ => {}
        }
        match self {
            GameEnd::Rules(outcome) => write!(f, "{}", outcome.reason),
            GameEnd::Time(loser) => write!(f, "{} runs out of time", colour(*loser)),
            GameEnd::Resigned(loser) => write!(f, "{} resigns", colour(*loser)),
            GameEnd::Agreed => f.write_str("agreed"),
            GameEnd::Stopped => f.write_str("Stopped without a result"),
        }
    }
}
