//! Resources: files on the class path and of the class library, as streams and by their URLs.

use super::Effect::Own;
use super::effect::{Fixed, OwnView, PureView};
use super::loader::is_built_in;
use super::{Answer, Table, ZERO, give_long, give_ref, required};
use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::class::{ClassId, Loader};
use crate::gap::Gap;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, exception};
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/ClassLoader.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        Own(
            |m, args| {
                if is_built_in(m, args[0] as Ref) { stream(m, args[1], None) } else { Ok(Answer::Bytecode) }
            },
        ),
    ),
    (
        "java/lang/ClassLoader.getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        Own(|m, args| stream(m, args[0], None)),
    ),
    (
        "java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        Own(|m, args| {
            let class = m.class_of_mirror(args[0] as Ref);
            stream(m, args[1], Some(class))
        }),
    ),
    (
        "java/lang/Module.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
        Own(|m, args| stream(m, args[1], None)),
    ),
    (
        "jdk/internal/loader/BootLoader.findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
        Own(|m, args| stream(m, args[1], None)),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResource(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;",
        Own(|m, args| {
            let name = m.text(required(args[2])?);
            url(m, args[0] as Ref, &name)
        }),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResource(Ljava/lang/String;)Ljava/net/URL;",
        Own(|m, args| {
            let name = m.text(required(args[1])?);
            url(m, args[0] as Ref, &name)
        }),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.findResources(Ljava/lang/String;)Ljava/util/Enumeration;",
        Own(|m, args| {
            let name = m.text(required(args[1])?);
            let urls = urls(m, args[0] as Ref, &name)?;
            enumeration(m, &urls)
        }),
    ),
    // A connection to a file of the class library.
    ("jdk/internal/jimage/ImageReaderFactory.getImageReader()Ljdk/internal/jimage/ImageReader;", ZERO),
    (
        "sun/net/www/protocol/jrt/JavaRuntimeURLConnection.connect()V",
        Own(|m, args| {
            in_library(m, args[0] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/net/www/protocol/jrt/JavaRuntimeURLConnection.getInputStream()Ljava/io/InputStream;",
        Own(|m, args| {
            let bytes = in_library(m, args[0] as Ref)?;
            super::io::stream_over(m, &bytes)
        }),
    ),
    (
        "sun/net/www/protocol/jrt/JavaRuntimeURLConnection.getContentLengthLong()J",
        Own(|m, args| give_long(in_library(m, args[0] as Ref)?.len() as i64)),
    ),
    // A connection to a file in a jar file of the class path needs no jar file to be opened.
    (
        "sun/net/www/protocol/jar/JarURLConnection.connect()V",
        Own(|m, args| {
            in_jar(m, args[0] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "sun/net/www/protocol/jar/JarURLConnection.getInputStream()Ljava/io/InputStream;",
        Own(|m, args| {
            let bytes = in_jar(m, args[0] as Ref)?;
            super::io::stream_over(m, &bytes)
        }),
    ),
];

/// A resource as a stream, or `null`. A name is relative to the package of a class unless it begins with a
/// slash.
fn stream(m: &mut OwnView<'_, '_>, name: u64, class: Option<ClassId>) -> Exec<Answer> {
    let name = m.text(required(name)?);
    let full = match class {
        Some(class) => match name.strip_prefix('/') {
            Some(name) => name.to_owned(),
            None => match m.vm.classes.package(class) {
                "" => name,
                package => format!("{package}/{name}"),
            },
        },
        None => name,
    };
    let sources = &m.vm.classes.sources;
    let bytes = match class.map(|class| m.vm.class(class).loader) {
        Some(Loader::Boot) => sources.jdk.resource(&full),
        // The class library comes first, as where loaders ask their parents.
        _ => sources.jdk.resource(&full).or_else(|| sources.path.resource(&full)),
    };
    match bytes {
        Some(bytes) => super::io::stream_over(m, &bytes),
        None => give_ref(0),
    }
}

/// The URLs of a file of the class library: of a class file. Others may be for their modules alone.
fn library_urls(m: &PureView<'_, '_>, name: &str) -> Exec<Vec<String>> {
    let jdk = &m.vm.classes.sources.jdk;
    match (jdk.resource(name), jdk.module_of(name)) {
        (Some(_), Some(module)) if name.ends_with(".class") => Ok(vec![format!("jrt:/{module}/{name}")]),
        (Some(_), _) => Err(Gap::Named("the URL of the class library's resource", name.to_owned()).into()),
        (None, _) => Ok(Vec::new()),
    }
}

/// The bytes that a connection to a file of the class library leads to.
fn in_library(m: &PureView<'_, '_>, connection: Ref) -> Exec<Vec<u8>> {
    let url = m.fixed(connection, Fixed::ConnectionUrl)? as Ref;
    let text = m.text(m.fixed(url, Fixed::UrlFile)? as Ref);
    let name = text.trim_start_matches('/').split_once('/').map_or("", |(_, name)| name);
    let found = m.vm.classes.sources.jdk.resource(name);
    found.ok_or_else(|| exception("java/io/IOException", format!("{text} not found")))
}

/// The URLs of the files of a name that a loader itself finds: the one of the program on the class path,
/// others in the class library.
fn urls(m: &PureView<'_, '_>, loader: Ref, name: &str) -> Exec<Vec<String>> {
    if loader == m.system_loader() {
        return Ok(m.vm.classes.sources.path.urls(name));
    }
    // All of the class library is in the loader that comes first.
    if is_platform(m, loader) { Ok(Vec::new()) } else { library_urls(m, name) }
}

fn url(m: &mut OwnView<'_, '_>, loader: Ref, name: &str) -> Exec<Answer> {
    let found = urls(m, loader, name)?;
    let Some(text) = found.first() else { return give_ref(0) };
    let text = m.new_string(text);
    let vm = m.vm;
    let maker = vm.made.method("a URL".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        new_url(&mut asm, vm, 0)?;
        asm.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, "<url>", "(Ljava/lang/String;)Ljava/net/URL;"))
    })?;
    Ok(Answer::Call(maker, vec![u64::from(text)], Role::Plain))
}

/// Makes a URL of the string in a local variable.
fn new_url(asm: &mut Assembler<'_>, vm: &crate::vm::Vm, local: u16) -> Exec<()> {
    asm.op(Op::NewOf(vm.classes.load("java/net/URL")?)).op(Op::Dup).load(Kind::Ref, local);
    asm.call("java/net/URL", "<init>", "(Ljava/lang/String;)V", false)?;
    Ok(())
}

fn enumeration(m: &mut OwnView<'_, '_>, urls: &[String]) -> Exec<Answer> {
    let slots: Vec<u64> = urls.iter().map(|url| u64::from(m.new_string(url))).collect();
    let vm = m.vm;
    let maker = vm.made.method(format!("URLs {}", urls.len()), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.make("java/util/Vector")?;
        for at in 0..urls.len() as u16 {
            asm.op(Op::Dup);
            new_url(&mut asm, vm, at)?;
            asm.call("java/util/Vector", "addElement", "(Ljava/lang/Object;)V", true)?;
        }
        asm.call("java/util/Vector", "elements", "()Ljava/util/Enumeration;", true)?;
        asm.leave(Some(Kind::Ref));
        let strings = "Ljava/lang/String;".repeat(urls.len());
        Ok(asm.add(key, vm.known().object, "<urls>", &format!("({strings})Ljava/util/Enumeration;")))
    })?;
    Ok(Answer::Call(maker, slots, Role::Plain))
}

/// Whether a loader is the platform loader, which has no classes here.
fn is_platform(m: &PureView<'_, '_>, loader: Ref) -> bool {
    m.vm.classes.name(m.class_of(loader)) == "jdk/internal/loader/ClassLoaders$PlatformClassLoader"
}

/// The bytes that a connection to a file in a jar file leads to.
fn in_jar(m: &PureView<'_, '_>, connection: Ref) -> Exec<Vec<u8>> {
    let url = m.fixed(connection, Fixed::ConnectionUrl)? as Ref;
    let text = m.text(m.fixed(url, Fixed::UrlFile)? as Ref);
    match m.vm.classes.sources.path.in_jar(&text) {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(missing)) => {
            let message = format!("JAR entry {} not found in {}", missing.name, missing.jar);
            Err(exception("java/io/FileNotFoundException", message))
        }
        None => Err(Gap::Named("a connection to", format!("jar:{text}")).into()),
    }
}
