//! Promela as people write it, from the tree.
