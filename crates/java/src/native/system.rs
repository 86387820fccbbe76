//! `java.lang.System`, `Runtime`, and what the class library asks about the machine it runs on. The machine is always the
//! same one: an imaginary Linux computer in UTC with a clock of its own.

use super::string::string_array;
use super::{Answer, Table, give_int, give_long, give_ref, int, nothing, zero};
use crate::inputs::Input;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::view::{Mode, Resource};

/// When the virtual clock begins, in milliseconds: 2024-01-01 00:00 UTC.
pub const EPOCH_MILLIS: i64 = 1_704_067_200_000;

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/System.setIn0(Ljava/io/InputStream;)V", |m, args| set_stream(m, "in", args[0] as Ref)),
    ("java/lang/System.setOut0(Ljava/io/PrintStream;)V", |m, args| set_stream(m, "out", args[0] as Ref)),
    ("java/lang/System.setErr0(Ljava/io/PrintStream;)V", |m, args| set_stream(m, "err", args[0] as Ref)),
    ("java/lang/System.currentTimeMillis()J", |m, _| {
        m.access(Resource::Unlisted, Mode::Write)?;
        give_long(EPOCH_MILLIS + (m.read_clock()? / 1_000_000) as i64)
    }),
    ("java/lang/System.nanoTime()J", |m, _| {
        m.access(Resource::Unlisted, Mode::Write)?;
        give_long(m.read_clock()? as i64)
    }),
    ("java/lang/System.identityHashCode(Ljava/lang/Object;)I", |m, args| {
        if args[0] == 0 { give_int(0) } else { super::lang::identity_hash(m, args[0] as Ref) }
    }),
    ("java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;", zero),
    ("java/lang/System.setSecurityManager(Ljava/lang/SecurityManager;)V", |_, _| {
        Err(Trap::Unsupported("a security manager".into()))
    }),
    ("java/lang/System.mapLibraryName(Ljava/lang/String;)Ljava/lang/String;", |m, args| {
        let text = format!("lib{}.so", m.text(super::required(args[0])?));
        give_ref(m.new_string(&text))
    }),
    ("java/lang/System.loadLibrary(Ljava/lang/String;)V", load_library),
    ("jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V", nothing),
    (
        "jdk/internal/loader/NativeLibraries.loadLibrary(Ljava/lang/Class;Ljava/lang/String;)Ljdk/internal/loader/NativeLibrary;",
        zero,
    ),
    ("jdk/internal/misc/VM.initialize()V", nothing),
    ("jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/VM.latestUserDefinedLoader0()Ljava/lang/ClassLoader;", zero),
    ("jdk/internal/misc/VM.getNanoTimeAdjustment(J)J", nano_time_adjustment),
    ("jdk/internal/misc/CDS.isDumpingClassList0()Z", zero),
    ("jdk/internal/misc/CDS.isDumpingArchive0()Z", zero),
    ("jdk/internal/misc/CDS.isSharingEnabled0()Z", zero),
    ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", |_, _| give_long(0)),
    ("jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/CDS.defineArchivedModules(Ljava/lang/Object;Ljava/lang/Object;)V", nothing),
    ("jdk/internal/misc/CDS.getCDSConfigStatus()I", zero),
    ("jdk/internal/misc/Signal.findSignal0(Ljava/lang/String;)I", |_, _| give_int(-1)),
    ("jdk/internal/misc/Signal.handle0(IJ)J", |_, _| give_long(0)),
    ("java/lang/Terminator.setup()V", nothing),
    ("java/lang/Shutdown.beforeHalt()V", nothing),
    ("java/lang/Shutdown.halt0(I)V", |m, args| {
        m.access(Resource::Unlisted, Mode::Write)?;
        m.also(Resource::Output, Mode::Write);
        Err(Trap::Exit(int(args[0])))
    }),
    ("java/lang/Runtime.availableProcessors()I", |m, _| {
        m.note_input(Input::Processors);
        give_int(m.options.processors as i32)
    }),
    ("java/lang/Runtime.freeMemory()J", |m, _| give_memory(m, 192)),
    ("java/lang/Runtime.totalMemory()J", |m, _| give_memory(m, 256)),
    ("java/lang/Runtime.maxMemory()J", |m, _| give_memory(m, 4096)),
    ("java/lang/Runtime.gc()V", nothing),
    ("jdk/internal/util/SystemProps$Raw.vmProperties()[Ljava/lang/String;", vm_properties),
    ("jdk/internal/util/SystemProps$Raw.platformProperties()[Ljava/lang/String;", platform_properties),
    ("java/lang/ProcessEnvironment.environ()[[B", environment),
    ("java/lang/ProcessHandleImpl.initNative()V", nothing),
    ("java/lang/ProcessImpl.init()V", nothing),
    ("java/lang/ProcessHandleImpl.getCurrentPid0()J", |_, _| give_long(1)),
    // Random numbers come from generators with fixed seeds, not from a device.
    (
        "sun/security/provider/NativePRNG.initIO(Lsun/security/provider/NativePRNG$Variant;)Lsun/security/provider/NativePRNG$RandomIO;",
        zero,
    ),
    ("sun/security/provider/SeedGenerator$URLSeedGenerator.init()V", nothing),
    ("sun/security/provider/SeedGenerator.generateSeed([B)V", fixed_seed),
    ("sun/security/provider/SeedGenerator.getSystemEntropy()[B", |m, _| give_ref(m.new_bytes(&[42; 20]))),
    ("java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;", |m, _| {
        give_ref(m.vm.literal_str("UTC"))
    }),
    ("java/util/TimeZone.getSystemGMTOffsetID()Ljava/lang/String;", |m, _| give_ref(m.vm.literal_str("GMT"))),
];

impl Machine<'_> {
    /// Writes a static field of the class library by name; `false` if there is none.
    pub fn set_static(&mut self, class: &str, field: &str, value: u64) -> bool {
        let Ok(id) = self.vm.classes.load(class) else { return false };
        let Some(name) = self.vm.classes.symbols.find(field) else { return false };
        let Some(field) = self.vm.class(id).fields.iter().find(|f| f.name == name) else { return false };
        let slot = self.vm.static_slot(field.slot);
        let mirror = self.vm.mirror(id);
        if field.kind == crate::class::descriptor::Kind::Ref {
            self.set_ref(mirror, slot, value as Ref);
        } else {
            self.process.heap.set_slot(mirror, slot, field.kind.narrow(value));
        }
        true
    }
}

/// So many megabytes.
fn give_memory(m: &Machine<'_>, n: i64) -> Exec<Answer> {
    m.note_input(Input::Memory);
    give_long(n << 20)
}

fn set_stream(m: &mut Machine<'_>, field: &str, stream: Ref) -> Exec<Answer> {
    m.access(Resource::Unlisted, Mode::Write)?;
    if let Some((class, slot)) = m.vm.classes.static_field("java/lang/System", field) {
        let (system, slot) = (m.vm.mirror(class), m.vm.static_slot(slot));
        m.also(Resource::Slot(system, slot), Mode::WriteAny);
    }
    m.set_static("java/lang/System", field, u64::from(stream));
    Ok(Answer::Void)
}

fn load_library(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let name = m.text(super::required(args[0])?);
    let frame = m.thread().top();
    if m.vm.class(frame.method.class).loader == crate::class::Loader::Boot {
        return Ok(Answer::Void);
    }
    Err(Trap::Unsupported(format!("the native library {name}")))
}

fn nano_time_adjustment(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    m.access(Resource::Unlisted, Mode::Write)?;
    let nanos = EPOCH_MILLIS.wrapping_mul(1_000_000).wrapping_add(m.read_clock()? as i64);
    let (seconds, rest) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    let difference = seconds.wrapping_sub(args[0] as i64);
    if difference.abs() > 1 << 32 {
        return give_long(-1);
    }
    give_long(difference * 1_000_000_000 + rest)
}

fn vm_properties(m: &mut Machine<'_>, _: &[u64]) -> Exec<Answer> {
    let sources = &m.vm.classes.sources;
    let home = sources.jdk.home().display().to_string();
    let pairs = [
        ("java.home", home.clone()),
        ("java.vm.specification.name", "Java Virtual Machine Specification".into()),
        ("java.vm.specification.vendor", "Oracle Corporation".into()),
        ("java.vm.specification.version", "17".into()),
        ("java.vm.name", "Allways".into()),
        ("java.vm.vendor", "Allways".into()),
        ("java.vm.version", env!("CARGO_PKG_VERSION").into()),
        ("java.vm.info", "model checking".into()),
        ("java.class.path", sources.path.text()),
        ("java.library.path", String::new()),
        ("sun.boot.library.path", format!("{home}/lib")),
        ("jdk.debug", "release".into()),
        ("sun.nio.MaxDirectMemorySize", "-1".into()),
        ("java.vm.compressedOopsMode", "Zero based".into()),
        ("jdk.lang.Process.launchMechanism", "POSIX_SPAWN".into()),
        // Without a cleaner thread and native memory-mapped files.
        ("jdk.reflect.useDirectMethodHandle", "false".into()),
    ];
    let mut texts: Vec<Option<String>> =
        pairs.into_iter().flat_map(|(key, value)| [Some(key.to_owned()), Some(value)]).collect();
    texts.push(None);
    texts.push(None);
    give_ref(string_array(m, &texts)?)
}

fn platform_properties(m: &mut Machine<'_>, _: &[u64]) -> Exec<Answer> {
    let class = "jdk/internal/util/SystemProps$Raw";
    let n = m.static_value(class, "FIXED_LENGTH").unwrap_or(0) as usize;
    let mut texts = vec![None; n];
    let values = [
        ("_display_language_NDX", "en"),
        ("_file_encoding_NDX", "UTF-8"),
        ("_native_encoding_NDX", "UTF-8"),
        ("_file_separator_NDX", "/"),
        ("_java_io_tmpdir_NDX", "/tmp"),
        ("_line_separator_NDX", "\n"),
        ("_os_arch_NDX", "amd64"),
        ("_os_name_NDX", "Linux"),
        ("_os_version_NDX", "6.0"),
        ("_path_separator_NDX", ":"),
        ("_sun_arch_data_model_NDX", "64"),
        ("_sun_cpu_endian_NDX", "little"),
        ("_sun_io_unicode_encoding_NDX", "UnicodeLittle"),
        ("_sun_jnu_encoding_NDX", "UTF-8"),
        ("_stdout_encoding_NDX", "UTF-8"),
        ("_stderr_encoding_NDX", "UTF-8"),
        ("_stdin_encoding_NDX", "UTF-8"),
        ("_user_dir_NDX", "/"),
        ("_user_home_NDX", "/"),
        ("_user_name_NDX", "user"),
    ];
    for (name, value) in values {
        if let Some(place) = m.static_value(class, name).and_then(|idx| texts.get_mut(idx as usize)) {
            *place = Some(value.to_owned());
        }
    }
    give_ref(string_array(m, &texts)?)
}

/// No variables.
fn environment(m: &mut Machine<'_>, _: &[u64]) -> Exec<Answer> {
    let element = m.vm.known().byte_array;
    give_ref(m.new_refs(element, &[])?)
}

fn fixed_seed(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = super::required(args[0])?;
    m.access(Resource::Whole(array), Mode::Read)?;
    if let crate::vm::heap::Data::Bytes(bytes) = &mut m.process.heap.get_mut(array).data {
        bytes.fill(42);
    }
    Ok(Answer::Void)
}
