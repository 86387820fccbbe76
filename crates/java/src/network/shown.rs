//! The network in words.

use super::{Id, Network, QUEUED, State, owner};

/// A connection as people see it.
pub(crate) struct Connection {
    /// Its number in the state.
    pub(crate) number: usize,
    sides: [Side; 2],
}

struct Side {
    /// The process; `None` if this end is closed.
    process: Option<u32>,
    port: u16,
    /// Whether it waits to be accepted.
    is_queued: bool,
    /// How much has arrived and is not read.
    n_unread: usize,
    was_reset: bool,
    is_silent: bool,
}

impl Connection {
    /// The connection in words, with names of processes.
    pub(crate) fn words<'a>(&self, name: impl Fn(u32) -> &'a str) -> String {
        let end = |side: &Side| match side.process {
            Some(process) => format!("{}:{}", name(process), side.port),
            None => "closed".into(),
        };
        let mut text = format!("{} - {}", end(&self.sides[0]), end(&self.sides[1]));
        for side in &self.sides {
            let Some(process) = side.process else { continue };
            if side.n_unread > 0 {
                let plural = if side.n_unread == 1 { "" } else { "s" };
                text += &format!(", {} byte{plural} to {}", side.n_unread, name(process));
            }
            if side.is_queued {
                text += &format!(", not accepted by {}", name(process));
            }
            if side.is_silent && std::ptr::eq(side, &self.sides[0]) {
                text += ", delivers nothing any more";
            }
            if side.was_reset {
                text += &format!(", reset at {}", name(process));
            }
        }
        text
    }
}

impl Network {
    fn side(&self, id: Id) -> Option<Side> {
        let (socket, end) = (self.get(id)?, self.end(id)?);
        Some(Side {
            process: Some(owner(id)),
            port: socket.port,
            is_queued: id & QUEUED != 0,
            n_unread: end.received.len(),
            was_reset: end.dead,
            is_silent: end.is_silent,
        })
    }

    /// The connections, in the order of their first ends.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        let ends = self.sockets.iter().filter_map(|socket| match &socket.state {
            State::Connected(end) => Some((socket.id, end)),
            _ => None,
        });
        // The end with the smaller identifier speaks for both.
        let first = ends.filter(|(id, end)| !end.has_peer || *id < end.peer);
        let sides = first.filter_map(|(id, end)| {
            let closed = || Side {
                process: None,
                port: end.remote,
                is_queued: false,
                n_unread: 0,
                was_reset: false,
                is_silent: false,
            };
            let other = if end.has_peer { self.side(end.peer)? } else { closed() };
            Some([self.side(id)?, other])
        });
        sides.enumerate().map(|(at, sides)| Connection { number: at + 1, sides }).collect()
    }
}
