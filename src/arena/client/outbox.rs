//! What an engine is sent, written on a thread of its own: an engine that does not read its input
//! blocks that thread when the pipe is full, not the arena.

use std::io::{self, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, TrySendError};

/// Maximum number of texts that wait for an engine that does not read.
const MAX_WAITING: usize = 16;

/// The sending end of the connection to an engine.
pub struct TextSender {
    texts: Sender<String>,
}

impl TextSender {
    /// Starts the thread that writes texts. It ends with the outbox, or when the engine has closed
    /// its input.
    ///
    /// # Errors
    ///
    /// The system refuses a thread.
    pub fn open(output: impl Write + Send + 'static) -> io::Result<TextSender> {
        let (sender, texts) = crossbeam_channel::bounded(MAX_WAITING);
        thread::Builder::new()
            .name("engine input".to_owned())
            .spawn(move || run(&texts, output))?;
        Ok(TextSender { texts: sender })
    }

    /// Queues a text without blocking.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be sent.
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

fn run(texts: &Receiver<String>, mut output: impl Write) {
    for text in texts {
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
