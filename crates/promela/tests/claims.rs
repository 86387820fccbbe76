//! Never claims and formulas: products with exactly SPIN's states.

mod claims {
    mod counts;
}
