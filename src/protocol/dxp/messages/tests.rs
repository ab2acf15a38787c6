use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Message {
    Message::parse(text.as_bytes()).unwrap()
}

#[test]
fn parses_and_formats_game_requests() {
    let text = "R01Tester                          Z005000A";
    let request = GameRequest {
        name: "Tester".to_owned(),
        follower: Side::Black,
        time: Duration::from_secs(300),
        moves: 0,
        position: None,
    };
    assert_eq!(parse(text), Message::Request(request.clone()));
    assert_eq!(Message::Request(request.clone()).format().unwrap(), text);
    let position = format!("W{}", "e".repeat(50));
    let request = GameRequest {
        follower: Side::White,
        time: Duration::from_secs(30),
        moves: 75,
        position: Some(position.clone()),
        ..request
    };
    let text = format!("R01Tester                          W0.5075B{position}");
    assert_eq!(Message::Request(request).format().unwrap(), text);
}

#[test]
fn parses_and_formats_other_messages() {
    for (text, message) in [
        (
            "AMoby Dam                        2",
            Message::Accept { name: "Moby Dam".to_owned(), answer: Acceptance::NotThisGame },
        ),
        (
            "M0007322800",
            Message::Move(MoveMessage { seconds: 7, from: 32, to: 28, captured: vec![] }),
        ),
        (
            "M00122809021319",
            Message::Move(MoveMessage { seconds: 12, from: 28, to: 9, captured: vec![13, 19] }),
        ),
        (
            "R02Peer                            ",
            Message::OtherVersion { version: 2, name: "Peer".to_owned() },
        ),
        ("E10", Message::End { reason: EndReason::Resigns, next: AfterGame::AnotherGame }),
        ("E01", Message::End { reason: EndReason::Unknown, next: AfterGame::Quit }),
        ("Chello there", Message::Chat("hello there".to_owned())),
        ("C", Message::Chat(String::new())),
        ("B012Z", Message::Takeback { number: 12, side: Side::Black }),
        ("K1", Message::TakebackAnswer(TakebackAnswer::Unable)),
    ] {
        assert_eq!(parse(text), message);
        assert_eq!(message.format().unwrap(), text);
    }
}

#[test]
fn converts_moves_from_and_to_hub() {
    for text in ["32-28", "28x19x23", "5x46x10x41"] {
        assert_eq!(MoveMessage::from_hub(text, 0).unwrap().to_hub(), text);
    }
    for text in ["", "32", "32-", "a-b", "300-28"] {
        assert!(MoveMessage::from_hub(text, 0).is_err(), "{text}");
    }
}

#[test]
fn explains_invalid_messages() {
    for (text, word) in [
        ("", "message type"),
        ("X", "unknown type"),
        ("M00", "time"),
        ("M000032", "target square"),
        ("M00003228", "number of captured"),
        ("M000032190223", "captured square"),
        ("E9", "reason"),
        ("E1", "next"),
        ("Ashort0", "name"),
        ("R02", "version"),
        ("R01Tester                          X005000A", "colour"),
        ("R01Tester                          W0x5000A", "time"),
        ("R01Tester                          W005000C", "kind of position"),
        ("R01Tester                          W005000BWwz", "position"),
        ("K7", "answer"),
    ] {
        let error = Message::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(Message::parse(&[b'E'; 200]).is_err());
    assert!(Message::parse(&[b'C'; 200]).is_ok());
}

#[test]
fn refuses_to_format_invalid_messages() {
    let long = |length| "x".repeat(length);
    for message in [
        Message::Chat(long(127)),
        Message::Chat("dämme".to_owned()),
        Message::Chat("two\0".to_owned()),
        Message::Accept { name: long(33), answer: Acceptance::Accepts },
        Message::Move(MoveMessage { seconds: 10_000, from: 1, to: 2, captured: vec![] }),
        Message::Move(MoveMessage { seconds: 0, from: 100, to: 2, captured: vec![] }),
        Message::Move(MoveMessage { seconds: 0, from: 1, to: 2, captured: vec![1; 60] }),
        Message::Takeback { number: 1000, side: Side::White },
    ] {
        assert!(message.format().is_err(), "{message:?}");
    }
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)]
}

fn name() -> impl Strategy<Value = String> {
    "([!-~]([ -~]{0,30}[!-~])?)?"
}

fn request() -> impl Strategy<Value = Message> {
    let time = prop_oneof![
        (0u64..=999).prop_map(|minutes| 60_000 * minutes),
        (0u64..100).prop_map(|tenths| 6_000 * tenths),
        (0u64..100).prop_map(|hundredths| 600 * hundredths),
    ];
    let position = proptest::option::of("[WZ][wzWZe]{50}");
    (name(), side(), time, 0u32..1000, position).prop_map(
        |(name, follower, time, moves, position)| {
            let time = Duration::from_millis(time);
            Message::Request(GameRequest { name, follower, time, moves, position })
        },
    )
}

fn any_message() -> impl Strategy<Value = Message> {
    let squares = proptest::collection::vec(0u8..100, 0..=58);
    prop_oneof![
        request(),
        (name(), 0usize..4)
            .prop_map(|(name, code)| Message::Accept { name, answer: ACCEPTANCES[code] }),
        (0u32..10_000, 0u8..100, 0u8..100, squares).prop_map(|(seconds, from, to, captured)| {
            Message::Move(MoveMessage { seconds, from, to, captured })
        }),
        (0usize..4, 0usize..2).prop_map(|(reason, next)| {
            Message::End { reason: REASONS[reason], next: NEXTS[next] }
        }),
        "[ -~]{0,126}".prop_map(Message::Chat),
        (0u32..1000, side()).prop_map(|(number, side)| Message::Takeback { number, side }),
        (0usize..3).prop_map(|code| Message::TakebackAnswer(BACK_ANSWERS[code])),
    ]
}

proptest! {
    #[test]
    fn messages_survive_a_round_trip(message in any_message()) {
        let text = message.format().unwrap();
        prop_assert!((1..=MAX_LENGTH).contains(&text.len()));
        prop_assert_eq!(Message::parse(text.as_bytes()).unwrap(), message);
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(
        letter in "[RAMECBK]?",
        bytes in proptest::collection::vec(any::<u8>(), 0..140),
    ) {
        let bytes = [letter.as_bytes(), &bytes].concat();
        if let Err(error) = Message::parse(&bytes) {
            prop_assert!(error.to_string().starts_with("invalid DXP message"));
        }
    }
}
