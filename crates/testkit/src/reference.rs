//! A brute-force reference explorer.
