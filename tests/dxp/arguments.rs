//! Arguments and addresses that the program refuses.

use std::net::TcpListener;

use crate::dxp::program::Program;

#[test]
fn rejects_faulty_arguments() {
    for (arguments, part) in [
        ("--listen :0 --connect :1", "cannot be used with"),
        ("--initiator --follower", "cannot be used with"),
        ("--listen :x", "not a port"),
        ("--minutes 0.001", "0.01 below 1"),
        ("--minutes 1000", "999"),
        ("--minutes 1.25 --connect :1", "0.1 below 10"),
        ("--minutes 10.5 --connect :1", "steps of 1 ("),
        ("--moves 1000", "999"),
        ("--side red", "white or black"),
        ("--name 123456789012345678901234567890123", "32 characters"),
        ("--chat sch\u{f6}n", "ASCII"),
        ("--variant russian", "50 squares"),
        ("--variant turkish", "50 squares"),
        ("--fen -", "--fen, column 1"),
        ("--fen W:Wx", "--fen"),
        ("--games 0", "--games"),
        ("--move-time 0", "more than 0"),
    ] {
        let left = Program::start(&arguments.split(' ').collect::<Vec<_>>()).wait();
        assert_eq!(left.code, Some(2), "{arguments}: {}", left.errors);
        assert!(left.errors.contains(part), "{arguments}: {}", left.errors);
    }
}

#[test]
fn reports_errors_of_the_system() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let left = Program::start(&["--listen", &address]).wait();
    assert_eq!(left.code, Some(3));
    assert!(left.errors.contains(&format!("cannot listen on {address}")), "{}", left.errors);
    drop(listener);
    let left = Program::start(&["--connect", &address, "--connect-timeout", "0.2"]).wait();
    assert_eq!(left.code, Some(3));
    assert!(left.errors.contains(&format!("cannot connect to {address}")), "{}", left.errors);
}
