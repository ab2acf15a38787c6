//! The clocks of games with several periods and a delay.

use std::time::Duration;

use manoury::arena::adjudication::Adjudication;
use manoury::arena::client::{EngineHandle, MatchContext};
use manoury::arena::openings::OpeningSource;
use manoury::arena::referee::{self, Conditions, GameUpdate};
use manoury::arena::spec::Participant;
use manoury::arena::time_control::{EngineClock, Period, Periods, TimeControl, TimeSettings};
use manoury::rules::Variant;
use manoury::runtime::interrupt::Interrupt;
use proptest::prelude::*;

use super::engine::{PATIENCE, Witness, faulty_engine};

/// A period with moves, and one without.
fn period() -> impl Strategy<Value = Period> {
    let numbers = (1u32..6, 1u32..100, 0u32..5);
    numbers.prop_map(|(moves, time, increment)| Period {
        time: time.into(),
        increment: increment.into(),
        moves: Some(moves),
    })
}

/// One to four periods, of which the last may have no moves.
fn periods() -> impl Strategy<Value = Vec<Period>> {
    (proptest::collection::vec(period(), 1..5), any::<bool>()).prop_map(|(mut periods, is_open)| {
        let last = periods.last_mut().unwrap();
        last.moves = last.moves.filter(|_| !is_open);
        periods
    })
}

fn in_text(periods: &[Period]) -> String {
    periods.iter().map(Period::to_string).collect::<Vec<_>>().join(":")
}

proptest! {
    /// Counts the time of a game from its start before each move, as a person with a notebook would.
    #[test]
    fn the_clock_adds_up(
        periods in periods(),
        delay in 0u32..4,
        shares in proptest::collection::vec(0u32..=100, 1..40),
    ) {
        let parsed: Periods = in_text(&periods).parse().unwrap();
        prop_assert_eq!(parsed.to_string(), in_text(&periods));
        let delay = f64::from(delay);
        let settings =
            TimeSettings { time: Some(parsed), delay: Some(delay), ..TimeSettings::default() };
        let mut clock = EngineClock::new(settings.resolve().unwrap());
        // For each move of a long game: its period, whose last is repeated, and its number there.
        let mut plan = (0..).flat_map(|index: usize| {
            let period = periods[index.min(periods.len() - 1)];
            (0..period.moves.unwrap_or(1000)).map(move |number| (period, number))
        });
        let (mut given, mut counted) = (0.0, 0.0);
        for share in shares {
            let (period, number) = plan.next().unwrap();
            given += if number == 0 { period.time } else { 0.0 };
            let limits = clock.limits();
            let shown = limits.clock.unwrap();
            let left = given - counted;
            prop_assert!((shown.remaining.as_secs_f64() - left).abs() < 1e-6, "{shown:?} {left}");
            prop_assert_eq!(shown.moves, period.moves.map(|moves| moves - number));
            prop_assert_eq!(shown.increment.as_secs_f64(), period.increment);
            let limit = limits.limit().unwrap().as_secs_f64();
            prop_assert!((limit - (left + period.increment + delay)).abs() < 1e-6);
            // Never more than the limit, of which nothing is left then.
            let time = limit * f64::from(share) / 100.0;
            clock.spend(Duration::from_secs_f64(time));
            given += period.increment;
            counted += (time - delay).max(0.0);
        }
    }
}

/// The test engine says in its line of play what it has been sent.
#[test]
fn engines_are_told_the_moves_left_in_the_period() {
    let witness = Witness::new();
    let engine = |name: &str, limits: &str| {
        let program = faulty_engine();
        let text = format!("'{}' fine {},name={name},{limits}", program.display(), witness.port());
        let participant = Participant::new(text.parse().unwrap(), TimeSettings::default()).unwrap();
        let interrupt = Interrupt::default();
        let variant = Variant::International;
        EngineHandle::new(&participant, MatchContext::new(variant, interrupt))
    };
    let mut white = engine("One", "tc.time=2/500:1/300:100+5,tc.delay=30");
    let mut black = engine("Two", "tc.nodes=9");
    let opening = OpeningSource::Start.openings(Variant::International).unwrap().remove(0);
    let length = Some(5);
    let conditions = Conditions {
        margin: PATIENCE,
        patience: PATIENCE,
        adjudication: Adjudication { length, ..Adjudication::default() },
        bitbases: None,
    };
    let mut told = Vec::new();
    let mut on_update = |update: &GameUpdate<'_>| {
        if update.moves.len() % 2 == 1 {
            told.push(update.pv.to_owned());
        }
    };
    referee::play([&mut white, &mut black], &opening, &conditions, &mut on_update).unwrap();
    // A move of this engine takes less than the delay, so that no time is used.
    let expected = [
        "level moves=2 time=500.000000 inc=30.000000",
        "level moves=1 time=500.000000 inc=30.000000",
        "level moves=1 time=800.000000 inc=30.000000",
        "level time=900.000000 inc=35.000000",
        "level time=905.000000 inc=35.000000",
    ];
    assert_eq!(told, expected);
    assert_eq!(white.time_control().to_string(), "2/500:1/300:100+5, delay 30");
    assert_eq!(black.time_control(), TimeControl { nodes: Some(9), ..TimeControl::default() });
}
