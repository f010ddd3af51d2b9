//! What the platform asks of the machine while it starts up, and files as far as standard output.

use super::{Row, boolean, int, long, null, value, void};
use crate::exec::not_null;
use crate::heap::Payload;
use crate::machine::{Exec, Machine, Raise};
use crate::thread::ThreadState;
use crate::value::{ObjRef, Value};

const RAW: &str = "jdk/internal/util/SystemProps$Raw";
const ACCESS: &str = "java/security/AccessController";
const REFERENCE: &str = "java/lang/ref/Reference";
const CDS: &str = "jdk/internal/misc/CDS";
const VM: &str = "jdk/internal/misc/VM";
const OUTPUT: &str = "java/io/FileOutputStream";

/// System properties that the JVM supplies.
const PROPERTIES: &[&str] = &[
    "java.home",
    "/java",
    "java.vm.specification.name",
    "Java Virtual Machine Specification",
    "java.vm.specification.vendor",
    "Oracle Corporation",
    "java.vm.specification.version",
    "17",
    "java.vm.name",
    "Selvedge",
    "java.vm.vendor",
    "Selvedge",
    "java.vm.version",
    "1",
    "java.vm.info",
    "interpreted",
    "java.class.path",
    "",
    "java.library.path",
    "",
    "user.language",
    "en",
    "user.country",
    "US",
    "file.encoding",
    "UTF-8",
    "sun.stdout.encoding",
    "UTF-8",
    "sun.stderr.encoding",
    "UTF-8",
];

pub(crate) const ROWS: &[Row] = &[
    (RAW, "vmProperties", "", |machine, _| {
        let mut texts: Vec<Option<&str>> = PROPERTIES.iter().map(|&text| Some(text)).collect();
        texts.extend([None, None]);
        value(string_array(machine, &texts)?)
    }),
    (RAW, "platformProperties", "", |machine, _| {
        // By the constants of the class: `_os_name_NDX` and so on.
        let mut texts: Vec<Option<&str>> = Vec::new();
        let class = machine.load_str(RAW)?;
        let length = machine.static_named(class, "FIXED_LENGTH")?.int();
        texts.resize(length as usize, None);
        for (name, text) in [
            ("display_language", "en"),
            ("display_country", "US"),
            ("format_language", "en"),
            ("format_country", "US"),
            ("file_encoding", "UTF-8"),
            ("file_separator", "/"),
            ("java_io_tmpdir", "/tmp"),
            ("line_separator", "\n"),
            ("os_arch", "amd64"),
            ("os_name", "Linux"),
            ("os_version", "1"),
            ("path_separator", ":"),
            ("sun_arch_data_model", "64"),
            ("sun_cpu_endian", "little"),
            ("sun_io_unicode_encoding", "UnicodeLittle"),
            ("sun_jnu_encoding", "UTF-8"),
            ("sun_stdout_encoding", "UTF-8"),
            ("sun_stderr_encoding", "UTF-8"),
            ("user_dir", "/"),
            ("user_home", "/"),
            ("user_name", "user"),
        ] {
            let index = machine.static_named(class, &format!("_{name}_NDX"))?.int();
            if let Some(place) = texts.get_mut(index as usize) {
                *place = Some(text);
            }
        }
        value(string_array(machine, &texts)?)
    }),
    (VM, "initialize", "", |_, _| void()),
    (VM, "latestUserDefinedLoader0", "", |_, _| null()),
    (VM, "getNanoTimeAdjustment", "", |machine, args| {
        let nanos = super::lang::EPOCH_MILLIS * 1_000_000 + machine.scheduler.now() as i64;
        long(nanos - args[0].long() * 1_000_000_000)
    }),
    (CDS, "isDumpingClassList0", "", |_, _| boolean(false)),
    (CDS, "isDumpingArchive0", "", |_, _| boolean(false)),
    (CDS, "isSharingEnabled0", "", |_, _| boolean(false)),
    (CDS, "initializeFromArchive", "", |_, _| void()),
    (CDS, "getRandomSeedForDumping", "", |_, _| long(0)),
    ("java/lang/Terminator", "setup", "", |_, _| void()),
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "", |_, _| boolean(true)),
    (ACCESS, "getStackAccessControlContext", "", |_, _| null()),
    (ACCESS, "getInheritedAccessControlContext", "", |_, _| null()),
    (ACCESS, "ensureMaterializedForStackWalk", "", |_, _| void()),
    (REFERENCE, "getAndClearReferencePendingList", "", |_, _| null()),
    (REFERENCE, "hasReferencePendingList", "", |_, _| boolean(false)),
    (REFERENCE, "waitForReferencePendingList", "", |machine, _| {
        // Nothing is ever collected, so nothing ever gets pending.
        machine.thread().state = ThreadState::Parked { until: None };
        Err(Raise::Block)
    }),
    (REFERENCE, "refersTo0", "", |machine, args| {
        let referent = machine.field_named(not_null(args[0])?, "referent")?;
        boolean(referent == args[1])
    }),
    (REFERENCE, "clear0", "", |machine, args| {
        machine.set_field_named(not_null(args[0])?, "referent", Value::NULL)?;
        void()
    }),
    ("java/io/FileDescriptor", "getHandle", "", |_, _| long(-1)),
    ("java/io/FileDescriptor", "getAppend", "", |_, _| boolean(false)),
    ("java/io/FileDescriptor", "close0", "", |_, _| void()),
    (OUTPUT, "writeBytes", "", |machine, args| {
        write(machine, args)?;
        void()
    }),
    ("java/io/FileInputStream", "readBytes", "", |_, _| int(-1)),
    ("java/io/FileInputStream", "read0", "", |_, _| int(-1)),
    ("java/io/FileInputStream", "available0", "", |_, _| int(0)),
];

fn string_array(machine: &mut Machine<'_>, texts: &[Option<&str>]) -> Exec<ObjRef> {
    let class = machine.load_str("[Ljava/lang/String;")?;
    let array = machine.new_array(class, texts.len())?;
    for (index, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            let string = machine.new_string(text)?;
            machine.heap.get_mut(array).payload.set(index, string.into());
        }
    }
    Ok(array)
}

fn write(machine: &mut Machine<'_>, args: &[Value]) -> Exec<()> {
    let descriptor = machine.field_named(not_null(args[0])?, "fd")?;
    let number = machine.field_named(not_null(descriptor)?, "fd")?.int();
    let (offset, length) = (args[2].int() as usize, args[3].int() as usize);
    let Payload::Bytes(bytes) = &machine.heap.get(not_null(args[1])?).payload else {
        return Err(Raise::fatal("what is written is no byte array"));
    };
    let written: Vec<u8> = bytes.iter().skip(offset).take(length).map(|&byte| byte as u8).collect();
    match number {
        1 => machine.stdout.extend(written),
        2 => machine.stderr.extend(written),
        _ => return Err(Raise::fatal("files are not modelled")),
    }
    Ok(())
}
