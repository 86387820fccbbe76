//! The natives of the network: those of [`crate::simple::NETWORK`], and what of `java.net` would ask the
//! operating system.

use super::Effect::{Pure, Shared};
use super::effect::{PureView, SharedView};
use super::{Answer, NOTHING, Table, YES, ZERO, give_bool, give_int, give_new, give_ref, int, required};
use crate::gap::Gap;
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

const NAMES: &str = "java/net/Names";

/// The entries.
pub const TABLE: Table = &[
    ("java/net/InetAddress.init()V", NOTHING),
    ("java/net/InetAddress.isIPv4Available()Z", YES),
    ("java/net/InetAddress.isIPv6Supported()Z", ZERO),
    ("java/net/InetAddressImplFactory.isIPv6Supported()Z", ZERO),
    ("java/net/Inet4Address.init()V", NOTHING),
    ("java/net/Inet6Address.init()V", NOTHING),
    (
        "java/net/InetAddress.getAllByName0",
        Pure(|m, args| instead(m, "lookup", "(Ljava/lang/String;)[Ljava/net/InetAddress;", args[0])),
    ),
    (
        "java/net/InetAddress.getAddressesFromNameService",
        Pure(|m, args| instead(m, "lookup", "(Ljava/lang/String;)[Ljava/net/InetAddress;", args[0])),
    ),
    (
        "java/net/InetAddress.getHostFromNameService",
        Pure(|m, args| instead(m, "name", "(Ljava/net/InetAddress;)Ljava/lang/String;", args[0])),
    ),
    (
        "java/net/InetAddress.getLocalHost()Ljava/net/InetAddress;",
        Pure(|m, _| instead(m, "local", "()Ljava/net/InetAddress;", 0)),
    ),
    // No proxies: `setDefault` is refused, so there is none.
    ("java/net/ProxySelector.getDefault()Ljava/net/ProxySelector;", ZERO),
    (
        "java/net/ProxySelector.setDefault(Ljava/net/ProxySelector;)V",
        Pure(|_, _| Err(Gap::Feature("java.net.ProxySelector.setDefault").into())),
    ),
    (
        "java/net/Names.unknown(Ljava/lang/String;)V",
        Pure(|m, args| {
            let host = required(args[0])?;
            Err(Gap::Named("the address of the host", m.text(host)).into())
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.unsupported(Ljava/lang/String;)V",
        Pure(|m, args| {
            let host = required(args[0])?;
            Err(Gap::Named("a socket of the host", m.text(host)).into())
        }),
    ),
    ("sun/nio/ch/NioSocketImpl.urgent()V", Pure(|_, _| Err(Gap::Feature("urgent data of a socket").into()))),
    (
        "sun/nio/ch/NioSocketImpl.bind0(IZ)V",
        Shared(|m, args| {
            m.net_bind(args[0] as Ref, args[1] as u16, args[2] != 0)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.listen0(I)Z",
        Shared(|m, args| {
            let is_done = m.net_listen(args[0] as Ref, args[1] as u16)?;
            give_bool(is_done)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.connect0(II)V",
        Shared(|m, args| {
            m.net_connect(args[0] as Ref, args[1] as u16, u64::from(args[2] as u32))?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.accept0(Lsun/nio/ch/NioSocketImpl;)V",
        Shared(|m, args| {
            m.net_accept(args[0] as Ref, args[1] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    ("sun/nio/ch/NioSocketImpl.read0(I)[B", Shared(read)),
    (
        "sun/nio/ch/NioSocketImpl.write0([BI)I",
        Shared(|m, args| {
            let n = m.net_write(args[0] as Ref, args[1] as Ref, int(args[2]) as usize)?;
            give_int(n as i32)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.available0()I",
        Shared(|m, args| {
            let n = m.net_available(args[0] as Ref)?;
            give_int(n as i32)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.shut0(Z)V",
        Shared(|m, args| {
            m.net_shut(args[0] as Ref, args[1] != 0)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.close0()V",
        Shared(|m, args| {
            m.net_close(args[0] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.linger0(Z)V",
        Shared(|m, args| {
            m.net_linger(args[0] as Ref, args[1] != 0)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/nio/ch/NioSocketImpl.port0(Z)I",
        Shared(|m, args| {
            let port = m.net_port(args[0] as Ref, args[1] != 0)?;
            give_int(i32::from(port))
        }),
    ),
];

fn read(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    match m.net_read(args[0] as Ref, int(args[1]).max(1) as usize)? {
        Some(bytes) => give_new(bytes),
        None => give_ref(0),
    }
}

/// The answer of a method of our own.
fn instead(m: &mut PureView<'_, '_>, name: &str, descriptor: &str, argument: u64) -> Exec<Answer> {
    let method = m.vm.classes.find_method(NAMES, name, descriptor);
    let method = method.ok_or_else(|| Gap::Library(format!("{NAMES}.{name}")))?;
    let arguments = if descriptor.starts_with("()") { Vec::new() } else { vec![argument] };
    Ok(Answer::Call(method, arguments, Role::Plain))
}
