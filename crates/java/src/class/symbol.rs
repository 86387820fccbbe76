//! Interned names: classes, methods, fields and descriptors as small numbers, which are fast to compare.

use crate::frozen::Frozen;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// All interned names, shared by all workers.
#[derive(Default)]
pub struct Symbols {
    texts: Frozen<Arc<str>>,
    numbers: Mutex<HashMap<Arc<str>, Symbol>>,
}

impl Symbols {
    /// The symbol of `text`.
    ///
    /// # Panics
    /// If another thread panicked while it added a name.
    pub fn intern(&self, text: &str) -> Symbol {
        let mut numbers = self.numbers.lock().expect("nobody panics while holding the symbol table");
        if let Some(&symbol) = numbers.get(text) {
            return symbol;
        }
        let text: Arc<str> = text.into();
        let symbol = Symbol(self.texts.push(Arc::clone(&text)));
        numbers.insert(text, symbol);
        symbol
    }

    /// The symbol of `text` if it has been interned.
    ///
    /// # Panics
    /// If another thread panicked while it added a name.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.lock().expect("nobody panics while holding the symbol table").get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        self.texts.get(symbol.0)
    }
}
