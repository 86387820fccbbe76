//! Reflection: facts about classes, the objects of `java.lang.reflect`, calls through them, proxies.

pub mod array;
pub mod facts;
pub mod invoke;
pub mod objects;
pub mod pool;
pub mod proxy;
