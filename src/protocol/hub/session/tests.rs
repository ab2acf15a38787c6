use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, Sender};

use super::*;

/// Output that tells when a search has been answered.
struct Heard<'a> {
    output: &'a mut Vec<u8>,
    answered: Sender<()>,
}

impl Write for Heard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.extend_from_slice(bytes);
        if bytes.starts_with(b"done") {
            let _ = self.answered.send(());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Input that comes once a search has been answered.
struct Later {
    answered: Receiver<()>,
    input: &'static [u8],
}

impl Read for Later {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let _ = self.answered.recv();
        self.input.read(buffer)
    }
}

#[test]
fn a_search_that_panics_still_gives_a_legal_move() {
    let (sender, answered) = mpsc::channel();
    let first = "set-param name=tt-size value=16\npos start moves=\"32-28 19-23\"\ngo think\n";
    let later = Later { answered, input: b"go analyze\nquit\n" };
    let mut output = Vec::new();
    let go: Go = |_, _, _, _| panic!("table = broken");
    let input = BufReader::new(first.as_bytes().chain(later));
    let heard = Heard { output: &mut output, answered: sender };
    run_with(go, Tunables::Hidden, None, input, heard).unwrap();
    let failed = "error message=\"the search has failed: table : broken\"\ndone move=28x19x23\n";
    // The second search may not have started when `quit` arrives.
    let output = String::from_utf8(output).unwrap();
    assert!(output.starts_with(failed), "{output}");
    assert_eq!(output.replace(failed, ""), "");
}
