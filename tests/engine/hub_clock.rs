//! The time that the real program takes to answer, with and without pondering.

use std::thread;
use std::time::{Duration, Instant};

use crate::engine::client::Client;

/// The tolerated delay, for busy machines.
const TOLERANCE: Duration = Duration::from_millis(500);

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A client whose program is ready.
fn client() -> Client {
    let mut client = Client::start(&["hub"]);
    client.send(b"set-param name=tt-size value=16\nset-param name=book value=false\ninit\n");
    client.line_of("ready");
    client
}

/// Sends a command. Returns the time until the answer.
fn answer_time(client: &mut Client, command: &str) -> Duration {
    let began = Instant::now();
    client.send(format!("{command}\n").as_bytes());
    let done = client.line_of("done");
    assert!(done.starts_with("done move="), "{done}");
    began.elapsed()
}

/// A client whose program has pondered for a time with the limits of `level`; only `info` lines may
/// have come meanwhile.
fn pondering(level: &str, time: Duration) -> Client {
    let mut client = client();
    client.send(format!("pos start\n{level}\ngo ponder\n").as_bytes());
    let deadline = Instant::now() + time;
    while let Some(line) = client.line(deadline.saturating_duration_since(Instant::now())) {
        assert!(line.starts_with("info "), "{line}");
    }
    client
}

/// Ponders as [`pondering`]. Returns the time from the ponder-hit to the answer.
fn after_pondering(level: &str, time: Duration) -> Duration {
    answer_time(&mut pondering(level, time), "ponder-hit")
}

#[test]
fn a_long_ponder_is_answered_at_once() {
    // Without pondering it would take about a second. It may also ponder for longer, so that only
    // the answer needs the clock.
    let mut client = pondering("level time=40", ms(5_000));
    let _clock = crate::clock();
    let took = answer_time(&mut client, "ponder-hit");
    assert!(took < TOLERANCE, "{took:?}");
}

#[test]
fn a_short_ponder_is_followed_by_a_search() {
    let _clock = crate::clock();
    let took = after_pondering("level time=60", ms(50));
    assert!(took > ms(100) && took < ms(6_000) + TOLERANCE, "{took:?}");
}

#[test]
fn a_move_time_begins_with_the_ponder_hit() {
    let _clock = crate::clock();
    let took = after_pondering("level move-time=0.3", ms(600));
    assert!(took > ms(250) && took < ms(300) + TOLERANCE, "{took:?}");
}

#[test]
fn a_finished_ponder_search_waits_and_answers_at_once() {
    let _clock = crate::clock();
    let took = after_pondering("level depth=2", ms(300));
    assert!(took < TOLERANCE, "{took:?}");
}

#[test]
fn a_stop_ends_pondering_at_once() {
    let _clock = crate::clock();
    let mut client = client();
    client.send(b"pos start\nlevel time=600\ngo ponder\n");
    thread::sleep(ms(300));
    let took = answer_time(&mut client, "stop");
    assert!(took < TOLERANCE, "{took:?}");
}

#[test]
fn a_move_time_is_used_and_kept() {
    let _clock = crate::clock();
    let mut client = client();
    let took = answer_time(&mut client, "pos start\nlevel move-time=0.4\ngo think");
    assert!(took > ms(380) && took < ms(400) + TOLERANCE, "{took:?}");
}

#[test]
fn answers_at_once_on_a_nearly_empty_clock() {
    let _clock = crate::clock();
    let mut client = client();
    for level in ["time=0", "time=-0.1 inc=0.01", "time=0.001", "time=0.1", "moves=3 time=0.1"] {
        let took = answer_time(&mut client, &format!("pos start\nlevel {level}\ngo think"));
        assert!(took < TOLERANCE, "{took:?}");
    }
}

#[test]
fn moves_adapt_to_a_clock_that_runs_ahead() {
    /// What every move takes on the clock beyond the time until the answer.
    const AHEAD: Duration = ms(50);
    const MOVES: u32 = 40;
    let _clock = crate::clock();
    let mut client = client();
    let mut left = ms(4_000);
    for mv in 0..MOVES {
        let level = format!("level moves={} time={:.3}", MOVES - mv, left.as_secs_f64());
        let took = answer_time(&mut client, &format!("pos start\n{level}\ngo think"));
        left = left.checked_sub(took + AHEAD).unwrap_or_else(|| panic!("out of time at {mv}"));
    }
    assert!(left < ms(1_000), "{left:?}");
}
