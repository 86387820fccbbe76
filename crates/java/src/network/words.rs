//! The network as words of a vector, and back.

use super::{End, Network, Pending, Socket, State};

const LISTENING: u32 = 1;
const INCOMPLETE: u32 = 2;
const CONNECTED: u32 = 3;
const LINGERS: u32 = 1 << 2;
const HAS_PEER: u32 = 1 << 3;
const FIN: u32 = 1 << 4;
const DEAD: u32 = 1 << 5;
const RESET: u32 = 1 << 6;
const PIPE: u32 = 1 << 7;
const RESET_SEEN: u32 = 1 << 8;
const NO_INPUT: u32 = 1 << 9;
const NO_OUTPUT: u32 = 1 << 10;
const REUSES: u32 = 1 << 11;
const SILENT: u32 = 1 << 12;
const ARRIVED: u32 = 1 << 13;
const FIN_SEEN: u32 = 1 << 14;

impl Network {
    /// Appends the network to a vector.
    pub(crate) fn write_words(&self, words: &mut Vec<u32>) {
        words.extend([self.ready as u32, (self.ready >> 32) as u32]);
        words.extend([self.terminated as u32, (self.terminated >> 32) as u32, self.n_failures]);
        for socket in &self.sockets {
            socket.write(words);
        }
    }

    /// The network that [`Network::write`] wrote.
    ///
    /// # Panics
    /// If it did not.
    pub(crate) fn read_words(&mut self, bytes: &[u8]) {
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let mut words = bytes.chunks_exact(4).map(word);
        let mut next = || words.next();
        let mut long = || u64::from(next().unwrap_or(0)) | u64::from(next().unwrap_or(0)) << 32;
        (self.ready, self.terminated) = (long(), long());
        self.n_failures = next().unwrap_or(0);
        self.sockets.clear();
        while let Some(id) = next() {
            self.sockets.push(Socket::read(id, &mut || next().expect("a socket is written as a whole")));
        }
    }
}

impl Socket {
    fn write(&self, words: &mut Vec<u32>) {
        let options = if self.lingers_zero { LINGERS } else { 0 } | if self.reuses { REUSES } else { 0 };
        match &self.state {
            State::Idle => words.extend([self.id, options, u32::from(self.port)]),
            State::Listening { backlog, complete } => {
                let kind = if *complete { LISTENING } else { INCOMPLETE };
                words.extend([self.id, kind | options, u32::from(self.port) | u32::from(*backlog) << 16]);
            }
            State::Connected(end) => {
                let flags = [
                    (end.has_peer, HAS_PEER),
                    (end.fin, FIN),
                    (end.dead, DEAD),
                    (end.error == Pending::Reset, RESET),
                    (end.error == Pending::Pipe, PIPE),
                    (end.reset_seen, RESET_SEEN),
                    (end.no_input, NO_INPUT),
                    (end.no_output, NO_OUTPUT),
                    (end.is_silent, SILENT),
                    (end.arrived > 0, ARRIVED),
                    (end.fin_seen, FIN_SEEN),
                ];
                let flags =
                    flags.iter().filter(|flag| flag.0).fold(CONNECTED | options, |all, flag| all | flag.1);
                let ports = u32::from(self.port) | u32::from(end.remote) << 16;
                words.extend([self.id, flags, ports, end.peer, end.received.len() as u32]);
                words.extend(end.is_silent.then_some(end.n_lost));
                words.extend((end.arrived > 0).then_some(end.arrived));
                for chunk in end.received.chunks(4) {
                    let mut word = [0; 4];
                    word[..chunk.len()].copy_from_slice(chunk);
                    words.push(u32::from_le_bytes(word));
                }
            }
        }
    }

    fn read(id: u32, next: &mut impl FnMut() -> u32) -> Self {
        let (flags, ports) = (next(), next());
        let has = |flag| flags & flag != 0;
        let (port, other) = (ports as u16, (ports >> 16) as u16);
        let state = match flags & 3 {
            LISTENING => State::Listening { backlog: other, complete: true },
            INCOMPLETE => State::Listening { backlog: other, complete: false },
            CONNECTED => {
                let (peer, len) = (next(), next() as usize);
                let n_lost = if has(SILENT) { next() } else { 0 };
                let arrived = if has(ARRIVED) { next() } else { 0 };
                let mut received: Vec<u8> = (0..len.div_ceil(4)).flat_map(|_| next().to_le_bytes()).collect();
                received.truncate(len);
                let error = match (has(RESET), has(PIPE)) {
                    (true, _) => Pending::Reset,
                    (_, true) => Pending::Pipe,
                    _ => Pending::None,
                };
                State::Connected(End {
                    peer,
                    has_peer: has(HAS_PEER),
                    remote: other,
                    received,
                    fin: has(FIN),
                    dead: has(DEAD),
                    error,
                    reset_seen: has(RESET_SEEN),
                    no_input: has(NO_INPUT),
                    no_output: has(NO_OUTPUT),
                    is_silent: has(SILENT),
                    n_lost,
                    arrived,
                    fin_seen: has(FIN_SEEN),
                })
            }
            _ => State::Idle,
        };
        Self { id, port, lingers_zero: has(LINGERS), reuses: has(REUSES), state }
    }
}
