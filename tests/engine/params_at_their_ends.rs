//! Searches with each tunable number at both ends of its range.

use manoury::engine::{Engine, EngineOptions};
use manoury::rules::Variant;
use manoury::search::{Control, Limits, Params};

use crate::engine::searching::{go, options, position};

/// The most nodes of a search: enough for every kind of pruning and extension.
const NODES: u64 = 2_000;

/// Quiet and sharp positions, with many and with few pieces.
const POSITIONS: &[&str] = &[
    // The start.
    "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
     B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
    // A middle game with captures in most lines, the first of which must be made.
    "B:W27,28,32,33,37,38,39,42,43,48:B7,8,12,13,14,18,19,22,23,26",
    // A middle game with an offer that wins.
    "W:W27,28,29,33,37,40,43,47,49:B4,5,8,14,16,17,18,26",
    // Kings and men.
    "W:WK3,26,37,38:BK47,14,15,24",
    // Kings only.
    "W:WK6,K28,K48:BK5",
];

/// Searches all positions with some parameters. Each search is the first of a game, and everything
/// it reports is checked.
fn play(engine: &mut Engine, params: Params, what: &str) {
    engine.set_options(EngineOptions { tt_size: 16, params, ..options() });
    for fen in POSITIONS {
        engine.new_game();
        engine.set_position(position(Variant::International, fen));
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let (best, _) = go(engine, limits, &Control::new());
        assert!(best.mv.is_some(), "{what}: no move in {fen}");
        assert!(best.info.nodes <= NODES, "{what}: {} nodes in {fen}", best.info.nodes);
    }
}

#[test]
fn searches_are_sound_with_parameters_at_their_limits() {
    let mut engine =
        Engine::new(Variant::International, EngineOptions { tt_size: 16, ..options() });
    let (mut least, mut most) = (Params::default(), Params::default());
    for tunable in Params::TUNABLES {
        for value in [tunable.min, tunable.max] {
            let mut params = Params::default();
            assert!(params.set(tunable.name, value));
            play(&mut engine, params, &format!("{}={value}", tunable.name));
        }
        least.set(tunable.name, tunable.min);
        most.set(tunable.name, tunable.max);
    }
    play(&mut engine, least, "all at their least");
    play(&mut engine, most, "all at their most");
}
