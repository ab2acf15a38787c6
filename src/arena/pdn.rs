//! Converts finished games to PDN.

use thiserror::Error;

use crate::board::Side;
use crate::notation::pdn::{self, AnnotatedMove, GameRecord, ResultText};
use crate::notation::{fen, hub};
use crate::rules::Variant;

use super::plan::MatchPlan;
use super::played::{PlayedGame, PlayedMove};

/// Options for writing games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnStyle {
    /// The value of the tag `Event`.
    pub event: String,
    /// Whether each move has a comment with its score, depth and time.
    pub has_comments: bool,
    /// The program that played the match, for the tag `Referee`; empty if unknown.
    pub referee: String,
}

/// A player, as named in the tags of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PdnPlayer {
    /// The name of the player.
    pub name: String,
    /// The limits of the player, for the tags `TimeControlWhite` and `TimeControlBlack`.
    pub time_control: String,
    /// The parameters of the player, such as `threads=1, book=false`; empty if none are set.
    pub settings: String,
}

impl PdnPlayer {
    /// The players of a match, by engine index.
    pub fn all(plan: &MatchPlan) -> Vec<PdnPlayer> {
        let engines = plan.engines.iter().map(|engine| PdnPlayer {
            name: engine.name.clone(),
            time_control: engine.time_control.to_string(),
            settings: engine.spec.settings(),
        });
        engines.collect()
    }
}

/// Why a logged game is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct InvalidLog(String);

/// Formats a game as PDN, followed by an empty line. `players` contains the players of the match,
/// by engine index.
///
/// # Errors
///
/// The start position or a move is not legal in this variant.
pub fn format(
    variant: Variant,
    played: &PlayedGame,
    players: &[PdnPlayer],
    style: &PdnStyle,
) -> Result<String, InvalidLog> {
    record(variant, played, players, style).map(|record| pdn::write_game(&record) + "\n")
}

/// Converts a game to the record that [`format()`] writes.
///
/// # Errors
///
/// The start position or a move is not legal in this variant.
pub fn record(
    variant: Variant,
    played: &PlayedGame,
    players: &[PdnPlayer],
    style: &PdnStyle,
) -> Result<GameRecord, InvalidLog> {
    let start = fen::parse(variant, &played.fen)
        .map_err(|error| InvalidLog(format!("{}: {error}", played.fen)))?;
    let mut record = GameRecord::new(start);
    set_tags(&mut record, played, players, style);
    let mut position = start;
    for logged in &played.moves {
        let mv = hub::parse_move(&position, &logged.mv)
            .map_err(|error| InvalidLog(error.to_string()))?;
        position = position.after(mv);
        let mut annotated = AnnotatedMove::new(mv);
        annotated.comments.extend(comment(logged).filter(|_| style.has_comments));
        record.line.moves.push(annotated);
    }
    let result = ResultText::parse(played.points());
    record.terminator = result.unwrap_or_else(ResultText::unknown);
    Ok(record)
}

fn set_tags(record: &mut GameRecord, played: &PlayedGame, players: &[PdnPlayer], style: &PdnStyle) {
    let PlayedGame { slot, date, opening, .. } = played;
    let player = |side| players.get(slot.engine(side));
    let name = |side| player(side).map_or("?", |player| &player.name);
    let time = |side| player(side).map_or("?", |player| &player.time_control);
    let tags = [
        ("Event", style.event.clone()),
        ("Date", date.get(..10).unwrap_or_default().replace('-', ".")),
        ("Round", played.number()),
        ("White", name(Side::White).to_owned()),
        ("Black", name(Side::Black).to_owned()),
        ("Result", played.points().to_owned()),
        ("TimeControlWhite", time(Side::White).to_owned()),
        ("TimeControlBlack", time(Side::Black).to_owned()),
        ("Opening", opening.clone()),
        ("Termination", played.ending()),
    ];
    for (name, value) in tags {
        record.tags.set(name, &value);
    }
    let settings = |side| player(side).map_or("", |player| &player.settings);
    let [white, black] = &played.identities;
    let known = [
        ("WhiteVersion", &white[..]),
        ("BlackVersion", black),
        ("WhiteSettings", settings(Side::White)),
        ("BlackSettings", settings(Side::Black)),
        ("Machine", &played.machine),
        ("Referee", &style.referee),
    ];
    for (name, value) in known.into_iter().filter(|(_, value)| !value.is_empty()) {
        record.tags.set(name, value);
    }
}

/// The comment on a move, with score, depth and time: `+0.12/15 0.503s`.
fn comment(played: &PlayedMove) -> Option<String> {
    let score = played.score.map(|score| format!("{score:+.2}"));
    let depth = played.depth.map(|depth| format!("/{depth}"));
    let time = played.time.map(|time| format!(" {time:.3}s"));
    let text = [score, depth, time].into_iter().flatten().collect::<String>();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::played::{GameSlot, Termination};
    use super::*;

    fn played() -> PlayedGame {
        let searched = PlayedMove {
            mv: "19x28x23".to_owned(),
            time: Some(0.5031),
            depth: Some(15),
            score: Some(0.121),
            ..PlayedMove::default()
        };
        let opening = ["32-28", "19-23", "28x19x23"].map(str::to_owned);
        let mut moves: Vec<_> = opening.into_iter().map(PlayedMove::of_opening).collect();
        moves.push(PlayedMove { mv: "14x23x19".to_owned(), ..searched });
        PlayedGame {
            slot: GameSlot { pair: 4, game: 1, white: 1, black: 0 },
            round: None,
            identities: ["Two 1.0".to_owned(), String::new()],
            machine: "a machine".to_owned(),
            date: "2026-11-21T06:33:05Z".to_owned(),
            opening: "3-ply 17".to_owned(),
            fen: "W:W31-50:B1-20".to_owned(),
            opening_plies: 3,
            winner: Some(Side::Black),
            reason: Termination::Crash,
            detail: "signal 11".to_owned(),
            seconds: 1.0,
            moves,
        }
    }

    fn text(played: &PlayedGame) -> Result<String, InvalidLog> {
        let player = |name: &str| PdnPlayer {
            name: name.to_owned(),
            time_control: "60+0.5".to_owned(),
            settings: "threads=1".to_owned(),
        };
        let style =
            PdnStyle { event: "Test".to_owned(), has_comments: true, referee: "Us 1".to_owned() };
        format(Variant::International, played, &[player("One"), player("Two")], &style)
    }

    #[test]
    fn reads_a_game_back() {
        let text = text(&played()).unwrap();
        let records = pdn::read(Variant::International, text.as_bytes());
        let record = records[0].as_ref().unwrap();
        for (name, value) in [
            ("Event", "Test"),
            ("Date", "2026.11.21"),
            ("Round", "5.2"),
            ("White", "Two"),
            ("Black", "One"),
            ("Result", "0-2"),
            ("TimeControlBlack", "60+0.5"),
            ("Opening", "3-ply 17"),
            ("Termination", "crash: signal 11"),
            ("WhiteVersion", "Two 1.0"),
            ("BlackSettings", "threads=1"),
            ("Machine", "a machine"),
            ("Referee", "Us 1"),
        ] {
            assert_eq!(record.tags.get(name), Some(value), "{text}");
        }
        assert_eq!(record.tags.get("BlackVersion"), None, "unknown");
        assert_eq!(record.line.moves.len(), 4);
        assert_eq!(record.line.moves[3].comments, ["+0.12/15 0.503s"]);
        assert_eq!(record.line.moves[2].comments, [""; 0]);
    }

    #[test]
    fn a_tournament_has_rounds() {
        let text = text(&PlayedGame { round: Some("2.1.3".to_owned()), ..played() }).unwrap();
        assert!(text.contains("[Round \"2.1.3\"]"), "{text}");
    }

    #[test]
    fn rejects_invalid_games() {
        let mut illegal = played();
        illegal.moves[1].mv = "19-24x".to_owned();
        assert!(text(&illegal).is_err());
        let mut nowhere = played();
        nowhere.fen = "nowhere".to_owned();
        assert!(text(&nowhere).is_err());
    }
}
