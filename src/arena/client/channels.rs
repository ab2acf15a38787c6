//! The threads that read from an engine and write to it.
//!
//! A text is a line or, in DXP, a message. The reading thread records the arrival time of every
//! text, even while the arena is busy. It also enforces an output budget, so that an engine that
//! floods its output costs little memory and time: the thread stops reading, the pipe fills up, and
//! the engine blocks. If an engine does not read its input and the pipe fills up, only the writing
//! thread blocks, not the arena.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError};

/// Maximum length of a text in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// Maximum numbers of texts and of bytes that an engine may send per request.
const MAX_TEXTS: usize = 100_000;
const MAX_BYTES: usize = 64 << 20;

/// Capacity of the queue of received texts. An engine that fills the queue between two requests is
/// flooding its output.
const MAX_WAITING: usize = 4096;

/// Receives the texts of an engine, in the order of arrival.
pub struct TextReceiver {
    texts: Receiver<ReceivedText>,
    budget: Arc<OutputBudget>,
}

/// A text that has been received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceivedText {
    /// The text without its terminator.
    pub bytes: Vec<u8>,
    /// When the text arrived.
    pub at: Instant,
}

/// Why no more texts will arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The engine has closed its output, or its connection.
    Closed,
    /// The engine has exceeded its output budget.
    Flood,
}

/// The amount of output that an engine has sent since the last request, and whether it has exceeded
/// the limits.
#[derive(Default)]
struct OutputBudget {
    texts: AtomicUsize,
    bytes: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl ReceivedText {
    /// The text as a line, without surrounding whitespace. Invalid UTF-8 is replaced.
    pub fn line(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii())
    }
}

impl TextReceiver {
    /// Starts a thread that reads texts, each terminated by the byte `end`. The thread ends at the
    /// end of the input, when the engine exceeds its output budget, or when a text cannot be
    /// delivered because the receiver has been dropped.
    pub fn open(input: impl Read + Send + 'static, end: u8) -> io::Result<TextReceiver> {
        let (sender, texts) = crossbeam_channel::bounded(MAX_WAITING);
        let budget = Arc::new(OutputBudget::default());
        let receiver = TextReceiver { texts, budget: Arc::clone(&budget) };
        let reader = ReaderThread { end, sender, budget, pending: Vec::new() };
        thread::Builder::new().name("engine output".to_owned()).spawn(move || reader.run(input))?;
        Ok(receiver)
    }

    /// The next text; `None` if none arrives before the deadline.
    pub fn receive(&self, deadline: Instant) -> Result<Option<ReceivedText>, ReadError> {
        match self.texts.recv_deadline(deadline) {
            Ok(text) => Ok(Some(text)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.budget.error()),
        }
    }

    /// The next text, if it has already arrived.
    pub fn pending(&self) -> Result<Option<ReceivedText>, ReadError> {
        match self.texts.try_recv() {
            Ok(text) => Ok(Some(text)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.budget.error()),
        }
    }

    /// Starts a request: resets the output budget of the engine.
    pub fn start_request(&self) -> Result<(), ReadError> {
        if self.texts.is_full() {
            return Err(ReadError::Flood);
        }
        self.budget.refill();
        Ok(())
    }
}

impl OutputBudget {
    fn refill(&self) {
        self.texts.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Adds texts and bytes to the output sent. Returns whether the output is within the budget.
    fn spend(&self, texts: usize, bytes: usize) -> bool {
        let texts = texts + self.texts.fetch_add(texts, Ordering::Relaxed);
        let bytes = bytes + self.bytes.fetch_add(bytes, Ordering::Relaxed);
        texts <= MAX_TEXTS && bytes <= MAX_BYTES
    }

    fn error(&self) -> ReadError {
        if self.is_exceeded.load(Ordering::Acquire) { ReadError::Flood } else { ReadError::Closed }
    }
}

/// The state of the reading thread.
struct ReaderThread {
    end: u8,
    sender: Sender<ReceivedText>,
    budget: Arc<OutputBudget>,
    /// The start of a text whose terminator has not arrived yet.
    pending: Vec<u8>,
}

/// Why the reading thread ends before the end of the input.
enum ReaderEnd {
    Flood,
    ReceiverDropped,
}

impl ReaderThread {
    fn run(mut self, mut input: impl Read) {
        let mut chunk = vec![0; 16 << 10];
        loop {
            let length = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // A read error also ends the input.
                Ok(0) | Err(_) => return,
                Ok(length) => length,
            };
            match self.split(&chunk[..length], Instant::now()) {
                Ok(()) => {}
                Err(ReaderEnd::ReceiverDropped) => return,
                Err(ReaderEnd::Flood) => {
                    // The flag is set before the sender is dropped, because the receiver reads the
                    // flag once it finds the sender dropped.
                    self.budget.is_exceeded.store(true, Ordering::Release);
                    return;
                }
            }
        }
    }

    fn split(&mut self, chunk: &[u8], at: Instant) -> Result<(), ReaderEnd> {
        for part in chunk.split_inclusive(|byte| *byte == self.end) {
            let is_whole = part.last() == Some(&self.end);
            self.pending.extend_from_slice(part);
            let is_within_budget = self.budget.spend(usize::from(is_whole), part.len());
            if !is_within_budget || self.pending.len() > MAX_LENGTH {
                return Err(ReaderEnd::Flood);
            }
            if is_whole {
                self.pending.pop();
                let bytes = std::mem::take(&mut self.pending);
                self.sender
                    .send(ReceivedText { bytes, at })
                    .map_err(|_| ReaderEnd::ReceiverDropped)?;
            }
        }
        Ok(())
    }
}

/// Capacity of the queue of texts to be written to an engine.
const MAX_UNREAD: usize = 16;

/// The sending end of the connection to an engine.
pub struct TextSender {
    texts: Sender<String>,
}

impl TextSender {
    /// Starts the thread that writes texts. The thread ends when the sender is dropped, or when the
    /// engine has closed its input.
    pub fn open(output: impl Write + Send + 'static) -> io::Result<TextSender> {
        let (sender, texts) = crossbeam_channel::bounded(MAX_UNREAD);
        thread::Builder::new()
            .name("engine input".to_owned())
            .spawn(move || write_texts(&texts, output))?;
        Ok(TextSender { texts: sender })
    }

    /// Queues a text without blocking.
    pub fn send(&self, text: String) -> Result<(), SendError> {
        self.texts.try_send(text).map_err(|error| match error {
            TrySendError::Full(_) => SendError::NotRead,
            TrySendError::Disconnected(_) => SendError::Closed,
        })
    }
}

/// Why a text cannot be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendError {
    /// The engine has not read earlier texts.
    NotRead,
    /// The engine has closed its input.
    Closed,
}

fn write_texts(texts: &Receiver<String>, mut output: impl Write) {
    for text in texts {
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// All texts received, and the error at the end.
    fn texts(receiver: &TextReceiver) -> (Vec<String>, ReadError) {
        let mut texts = Vec::new();
        loop {
            match receiver.receive(soon()) {
                Ok(Some(text)) => texts.push(text.line().into_owned()),
                Ok(None) => panic!("nothing arrived"),
                Err(error) => return (texts, error),
            }
        }
    }

    #[test]
    fn splits_any_bytes_into_texts() {
        let receiver = TextReceiver::open(Cursor::new(b"one\r\n\n\xff two\nlost"), b'\n').unwrap();
        let expected = ["one", "", "\u{fffd} two"].map(str::to_owned).to_vec();
        assert_eq!(texts(&receiver), (expected, ReadError::Closed));
    }

    #[test]
    fn joins_the_parts_of_a_text() {
        let input = Cursor::new("a long ").chain(Cursor::new("text\0and")).chain(Cursor::new("\0"));
        let receiver = TextReceiver::open(input, 0).unwrap();
        assert_eq!(texts(&receiver).0, ["a long text", "and"]);
    }

    #[test]
    fn stops_reading_a_flood() {
        let receiver = TextReceiver::open(io::repeat(b'x'), b'\n').unwrap();
        assert_eq!(texts(&receiver), (vec![], ReadError::Flood), "an endless line");
        let receiver = TextReceiver::open(io::repeat(b'\n'), b'\n').unwrap();
        let (lines, error) = texts(&receiver);
        assert_eq!((lines.len(), error), (MAX_TEXTS, ReadError::Flood), "endless lines");
    }

    #[test]
    fn notices_a_flood_without_a_request() {
        let receiver = TextReceiver::open(io::repeat(b'\n'), b'\n').unwrap();
        while !receiver.texts.is_full() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(receiver.start_request(), Err(ReadError::Flood));
    }
}
