//! The laws of a model, as checks.
