//! What operations on the network did, for people: words, and the bytes that were sent or received.
//!
//! Only steps that are explained are described; a search does not come here.

use crate::network::{Id, Network};
use crate::vm::machine::Machine;
use crate::vm::step::Event;
use allways_model::{Message, MessageDirection};

/// This many bytes are shown.
const SHOWN: usize = 16;

impl Machine<'_> {
    fn is_explained(&self) -> bool {
        self.step.reads.is_some()
    }

    /// Notes what an operation did, in words, from the network and the names of processes.
    pub(super) fn tell(&mut self, words: impl FnOnce(&Network, &[String]) -> String) {
        if self.is_explained() {
            let words = words(&self.net, &self.knowledge.processes);
            self.step.events.push(Event::Talked(words));
        }
    }

    /// Notes that bytes were sent, or received, at an end of a connection.
    pub(super) fn tell_bytes(&mut self, id: Id, direction: MessageDirection, bytes: &[u8]) {
        if !self.is_explained() {
            return;
        }
        let (local, remote) = (u32::from(self.net.local_port(id)), u32::from(self.net.remote_port(id)));
        // The ports of sender and receiver name one direction of a connection.
        let channel_id = match direction {
            MessageDirection::Send => local << 16 | remote,
            MessageDirection::Receive => remote << 16 | local,
        };
        let message = Message {
            direction,
            channel: format!("connection {}", self.net.connection_number(id)),
            channel_id,
            rendezvous: false,
            fields: vec![quoted(bytes)],
            n_bytes: Some(bytes.len() as u32),
        };
        self.step.events.push(Event::Message(message));
    }
}

/// The first bytes as a string.
fn quoted(bytes: &[u8]) -> String {
    let first = bytes.iter().take(SHOWN);
    let shown: String = first.flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from).collect();
    let more = if bytes.len() > SHOWN { "..." } else { "" };
    format!("\"{shown}\"{more}")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn bytes_are_shown_as_text() {
        assert_eq!(quoted(b"a\x01\xff\""), r#""a\x01\xff\"""#);
        assert_eq!(quoted(&[b'x'; 20]), format!("\"{}\"...", "x".repeat(16)));
    }
}
