//! `java.lang.System`, `Runtime`, and what the class library asks about the machine it runs on. The machine
//! is always the same one: an imaginary Linux computer in UTC with a clock of its own.

use super::Effect::{Own, Pure, Ranges as OnRanges, Shared};
use super::effect::{OwnView, Plan, PureView, Ranges, RangesView, SharedView};
use super::string::string_array;
use super::{Answer, NOTHING, Table, ZERO, apart, give_int, give_long, give_new, give_ref, int};
use crate::gap::Gap;
use crate::inputs::Input;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap};

/// When the virtual clock begins, in milliseconds: 2024-01-01 00:00 UTC.
pub const EPOCH_MILLIS: i64 = 1_704_067_200_000;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/System.setIn0(Ljava/io/InputStream;)V",
        Shared(|m, args| set_stream(m, "in", args[0] as Ref)),
    ),
    (
        "java/lang/System.setOut0(Ljava/io/PrintStream;)V",
        Shared(|m, args| set_stream(m, "out", args[0] as Ref)),
    ),
    (
        "java/lang/System.setErr0(Ljava/io/PrintStream;)V",
        Shared(|m, args| set_stream(m, "err", args[0] as Ref)),
    ),
    (
        "java/lang/System.currentTimeMillis()J",
        Shared(|m, _| give_long(EPOCH_MILLIS + (m.read_clock()? / 1_000_000) as i64)),
    ),
    (
        "java/lang/System.nanoTime()J",
        Shared(|m, _| {
            // Loaders measure how long it takes to define a class, for counters that are not kept.
            let counts =
                |class: &str| matches!(class, "java/net/URLClassLoader" | "jdk/internal/perf/PerfCounter");
            match m.frames().last().is_some_and(|frame| counts(m.vm.classes.name(frame.method.class))) {
                true => give_long(0),
                // Generators of random numbers take their seeds from here: those of two processes differ.
                false => give_long(m.read_clock()? as i64 + 1_000_003 * i64::from(m.process_number())),
            }
        }),
    ),
    (
        "java/lang/System.identityHashCode(Ljava/lang/Object;)I",
        Shared(|m, args| if args[0] == 0 { give_int(0) } else { give_int(m.identity_hash(args[0] as Ref)?) }),
    ),
    ("java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;", ZERO),
    (
        "java/lang/System.setSecurityManager(Ljava/lang/SecurityManager;)V",
        Pure(|_, _| Err(Trap::Unsupported("a security manager".into()))),
    ),
    (
        "java/lang/System.mapLibraryName(Ljava/lang/String;)Ljava/lang/String;",
        Own(|m, args| {
            let text = format!("lib{}.so", m.text(super::required(args[0])?));
            give_ref(m.new_string(&text))
        }),
    ),
    ("java/lang/System.loadLibrary(Ljava/lang/String;)V", Pure(load_library)),
    ("jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V", NOTHING),
    (
        "jdk/internal/loader/NativeLibraries.loadLibrary(Ljava/lang/Class;Ljava/lang/String;)Ljdk/internal/loader/NativeLibrary;",
        ZERO,
    ),
    ("jdk/internal/misc/VM.initialize()V", NOTHING),
    ("jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V", NOTHING),
    ("jdk/internal/misc/VM.latestUserDefinedLoader0()Ljava/lang/ClassLoader;", ZERO),
    ("jdk/internal/misc/VM.getNanoTimeAdjustment(J)J", Shared(nano_time_adjustment)),
    ("jdk/internal/misc/CDS.isDumpingClassList0()Z", ZERO),
    ("jdk/internal/misc/CDS.isDumpingArchive0()Z", ZERO),
    ("jdk/internal/misc/CDS.isSharingEnabled0()Z", ZERO),
    ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", Pure(|_, _| give_long(0))),
    ("jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V", NOTHING),
    ("jdk/internal/misc/CDS.defineArchivedModules(Ljava/lang/Object;Ljava/lang/Object;)V", NOTHING),
    ("jdk/internal/misc/CDS.getCDSConfigStatus()I", ZERO),
    ("jdk/internal/misc/Signal.findSignal0(Ljava/lang/String;)I", Pure(|_, _| give_int(-1))),
    ("jdk/internal/misc/Signal.handle0(IJ)J", Pure(|_, _| give_long(0))),
    ("java/lang/Terminator.setup()V", NOTHING),
    ("java/lang/Shutdown.beforeHalt()V", NOTHING),
    ("java/lang/Shutdown.halt0(I)V", Shared(|m, args| m.exit(int(args[0])))),
    (
        "java/lang/Runtime.availableProcessors()I",
        Pure(|m, _| {
            m.note_input(Input::Processors);
            give_int(m.options().processors as i32)
        }),
    ),
    ("java/lang/Runtime.freeMemory()J", Pure(|m, _| give_memory(m, 192))),
    ("java/lang/Runtime.totalMemory()J", Pure(|m, _| give_memory(m, 256))),
    ("java/lang/Runtime.maxMemory()J", Pure(|m, _| give_memory(m, 4096))),
    ("java/lang/Runtime.gc()V", NOTHING),
    ("jdk/internal/util/SystemProps$Raw.vmProperties()[Ljava/lang/String;", Own(vm_properties)),
    ("jdk/internal/util/SystemProps$Raw.platformProperties()[Ljava/lang/String;", Own(platform_properties)),
    ("java/lang/ProcessEnvironment.environ()[[B", Own(environment)),
    ("java/lang/ProcessHandleImpl.initNative()V", NOTHING),
    ("java/lang/ProcessImpl.init()V", NOTHING),
    (
        "java/lang/ProcessHandleImpl.getCurrentPid0()J",
        Pure(|m, _| give_long(1 + i64::from(m.process_number()))),
    ),
    // Random numbers come from generators with fixed seeds, not from a device.
    (
        "sun/security/provider/NativePRNG.initIO(Lsun/security/provider/NativePRNG$Variant;)Lsun/security/provider/NativePRNG$RandomIO;",
        ZERO,
    ),
    ("sun/security/provider/SeedGenerator$URLSeedGenerator.init()V", NOTHING),
    (
        "sun/security/provider/SeedGenerator.generateSeed([B)V",
        OnRanges(
            seeded,
            fixed_seed,
            Some(|m, args| {
                let seed = seed(m);
                apart::write_bytes(m, args[0] as Ref, seed)
            }),
        ),
    ),
    (
        "sun/security/provider/SeedGenerator.getSystemEntropy()[B",
        Own(|m, _| {
            let seed = seed(m);
            give_new(m.new_bytes(&[seed; 20]))
        }),
    ),
    (
        "java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;",
        Pure(|m, _| give_ref(m.vm.literal_str("UTC"))),
    ),
    (
        "java/util/TimeZone.getSystemGMTOffsetID()Ljava/lang/String;",
        Pure(|m, _| give_ref(m.vm.literal_str("GMT"))),
    ),
];

/// So many megabytes.
fn give_memory(m: &PureView<'_, '_>, n: i64) -> Exec<Answer> {
    m.note_input(Input::Memory);
    give_long(n << 20)
}

fn set_stream(m: &mut SharedView<'_, '_>, field: &str, stream: Ref) -> Exec<Answer> {
    m.set_static_ref("java/lang/System", field, stream)?;
    Ok(Answer::Void)
}

fn load_library(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = m.text(super::required(args[0])?);
    let caller = m.frames().last().map(|frame| m.vm.class(frame.method.class).loader);
    if caller == Some(crate::class::Loader::Boot) {
        return Ok(Answer::Void);
    }
    Err(Gap::Named("the native library", name).into())
}

fn nano_time_adjustment(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let nanos = EPOCH_MILLIS.wrapping_mul(1_000_000).wrapping_add(m.read_clock()? as i64);
    let (seconds, rest) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    let difference = seconds.wrapping_sub(args[0] as i64);
    if difference.abs() > 1 << 32 {
        return give_long(-1);
    }
    give_long(difference * 1_000_000_000 + rest)
}

fn vm_properties(m: &mut OwnView<'_, '_>, _: &[u64]) -> Exec<Answer> {
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
    give_new(string_array(m, &texts)?)
}

fn platform_properties(m: &mut OwnView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    let class = "jdk/internal/util/SystemProps$Raw";
    let n = m.static_constant(class, "FIXED_LENGTH").unwrap_or(0) as usize;
    let mut texts = vec![None; n];
    // Files are seen from there; see `source::files`.
    let directory =
        std::env::current_dir().map_or_else(|_| "/".into(), |path| path.to_string_lossy().into_owned());
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
        ("_user_dir_NDX", &directory),
        ("_user_home_NDX", "/"),
        ("_user_name_NDX", "user"),
    ];
    for (name, value) in values {
        if let Some(place) = m.static_constant(class, name).and_then(|idx| texts.get_mut(idx as usize)) {
            *place = Some(value.to_owned());
        }
    }
    give_new(string_array(m, &texts)?)
}

/// No variables.
fn environment(m: &mut OwnView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    let element = m.vm.known().byte_array;
    give_new(m.new_refs(element, &[])?)
}

fn seeded(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let array = super::required(args[0])?;
    Ok(Plan::Ranges(Ranges::write(m.all_of(array))))
}

/// The bytes of seeds: others in each of several processes.
fn seed(m: &PureView<'_, '_>) -> u8 {
    42 + m.process_number() as u8
}

fn fixed_seed(m: &mut RangesView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    let seed = seed(m);
    m.change_bytes(|bytes| bytes.fill(seed));
    Ok(Answer::Void)
}
