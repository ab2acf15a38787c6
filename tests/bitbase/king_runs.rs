//! Frisian endings: what bitbases, which are made without the limit on consecutive moves of a king,
//! tell about games with it, and published statements.

use manoury::bitbase::{Content, Slice, Value, Verdict};
use manoury::board::Side;
use manoury::erased::{Bitbases, Game, Position};
use manoury::notation::fen;
use manoury::position::KingRun;
use manoury::rules::Variant;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const GAME: Variant = Variant::Frisian;

fn embedded() -> Bitbases {
    Bitbases::embedded(GAME)
}

/// Random positions of a slice, without captures, with random possible counters.
fn positions(bitbases: &Bitbases, slice: Slice, count: usize) -> Vec<Position> {
    let random = &mut SmallRng::seed_from_u64(27);
    let file = bitbases.file(slice, Content::Values).unwrap();
    let any = (0..count).map(|_| {
        let position = bitbases.position(file, random.random_range(0..file.positions()));
        let mut run = |side: Side| {
            let mut kings = position.kings(side).numbers();
            kings
                .next()
                .map_or(KingRun::default(), |king| KingRun::new(king, random.random_range(0..=3)))
        };
        let runs = [run(Side::White), run(Side::Black)];
        position.with_king_runs(runs)
    });
    any.filter(|position| !position.has_capture()).collect()
}

/// Whether the verdict follows from those of the moves, of which a won side needs only one.
fn follows(position: &Position, verdict: Verdict, bitbases: &Bitbases) -> bool {
    let moves = position.legal_moves();
    let after = moves.iter().map(|&mv| bitbases.probe(&position.after(mv)));
    let after: Vec<_> = after.map(|verdict| verdict.map(Verdict::before)).collect();
    match verdict.value {
        Value::Win => after.iter().flatten().max() == Some(&verdict),
        // A side that may not move its king can be lost sooner.
        Value::Loss => after.iter().all(|after| after.is_some_and(|after| after <= verdict)),
        Value::Draw => after.into_iter().collect::<Option<Vec<_>>>().is_some_and(|after| {
            after.iter().all(|after| after.value <= Value::Draw) && after.contains(&verdict)
        }),
    }
}

#[test]
fn values_hold_with_the_limit_or_are_unknown() {
    let bitbases = embedded();
    let (mut sure, mut unsure) = (0, 0);
    for slice in (2..=3).flat_map(Slice::all) {
        for position in positions(&bitbases, slice, 400) {
            match bitbases.probe(&position) {
                Some(verdict) => {
                    let text = fen::format(&position);
                    assert!(follows(&position, verdict, &bitbases), "{text}: {verdict}");
                    let rated = bitbases.rated_moves(&position).unwrap();
                    let best = rated.first().map(|(_, best)| *best);
                    assert!(best.is_none_or(|best| best <= verdict), "{text}: {best:?}");
                    let line = bitbases.line(&position);
                    assert_eq!(line.is_some(), verdict.plies.is_some(), "{text}");
                    sure += 1;
                }
                None => unsure += 1,
            }
        }
    }
    assert!(sure > 2000 && unsure > 500, "{sure} {unsure}");
}

/// All positions of a slice without a capture whose values are sure, with their verdicts.
fn quiet(slice: &str) -> Vec<(Position, Verdict)> {
    let bitbases = embedded();
    let file = bitbases.file(slice.parse().unwrap(), Content::Values).unwrap();
    let all = (0..file.positions()).map(|number| bitbases.position(file, number));
    let quiet = all.filter(|position| !position.has_capture());
    quiet.filter_map(|position| Some((position, bitbases.probe(&position)?))).collect()
}

/// laatste.info, *Frisian draughts endgame*: two kings trap one, and seven moves each are rarely too
/// few.
#[test]
fn two_kings_win_against_one_nearly_always_in_time() {
    let bitbases = embedded();
    let (mut in_time, mut late, mut draws) = (0, 0, 0);
    for (position, verdict) in quiet("0021") {
        match (verdict.value, verdict.plies) {
            (Value::Win, Some(..=14)) => {
                let game = Game::from_position(position);
                assert_eq!(bitbases.wins_within_move_limits(&game), Some(true), "{verdict}");
                in_time += 1;
            }
            (Value::Win, _) => late += 1,
            (Value::Draw, _) => draws += 1,
            (Value::Loss, _) => panic!("{}", fen::format(&position)),
        }
    }
    assert_eq!((in_time, late, draws), (31_858, 1_108, 514));
}

/// The same thread: without the limits, an ending long thought drawn is won by 28-22, in a line of
/// 39 plies.
#[test]
fn a_famous_ending_is_won_without_the_limits() {
    let position = fen::parse(GAME, "W:W28,K46:BK43").unwrap();
    let mut bitbases = embedded();
    assert_eq!(bitbases.probe(&position), None);
    bitbases.ignore_king_move_limit();
    let verdict = Verdict { value: Value::Win, plies: Some(39) };
    assert_eq!(bitbases.probe(&position), Some(verdict));
    let (best, _) = bitbases.rated_moves(&position).unwrap()[0];
    assert_eq!((best.from, best.to), (28, 22));
}

/// Where a king and a man are lost, the king may not move either.
#[test]
fn a_line_ends_where_the_limit_shortens_a_loss() {
    let bitbases = embedded();
    let mut shorter = 0;
    for (position, verdict) in quiet("1011") {
        let king = position.kings(Side::White).numbers().next().unwrap();
        let barred = position.with_king_runs([KingRun::new(king, 3), KingRun::default()]);
        let line = bitbases.line(&barred).unwrap();
        let end = line.iter().fold(barred, |position, &mv| position.after(mv));
        assert_eq!(end.outcome().unwrap().winner, Some(Side::Black), "{}", fen::format(&barred));
        shorter += usize::from(line.len() < usize::from(verdict.plies.unwrap()));
    }
    assert!(shorter > 0);
}
