//! The Java half of the run-time detector: the classes that instrumented code calls, as compiled bytes.
//!
//! The sources are in `java/`, with stubs of the JDK members that they use and the script that compiles them. The bytes are
//! committed, so that building Selvedge needs no JDK; a test compiles the sources again and compares.
//!
//! `README.md` states the protocol between these classes and the agent, and the invariants that they rely on.
//!
//! The agent defines these classes in the boot loader, in the order of [`CLASSES`], before any instrumented code runs.

/// The class whose static methods are the hooks, and whose instances are the agent's parts of threads: its internal name.
pub const NAME: &str = "java/lang/Selvedge";

/// The class of one thread's views of arrays: its internal name.
pub const VIEW_NAME: &str = "java/lang/SelvedgeView";

/// The bytes of [`NAME`].
pub const CLASS: &[u8] = include_bytes!("../java/Selvedge.class");

/// All classes, internal names and bytes, in the order in which they are to be defined.
pub const CLASSES: [(&str, &[u8]); 23] = [
    ("java/lang/SelvedgeTurns", include_bytes!("../java/SelvedgeTurns.class")),
    ("java/lang/SelvedgeKnown", include_bytes!("../java/SelvedgeKnown.class")),
    ("java/lang/SelvedgeHeld", include_bytes!("../java/SelvedgeHeld.class")),
    ("java/lang/SelvedgePast", include_bytes!("../java/SelvedgePast.class")),
    ("java/lang/SelvedgePending", include_bytes!("../java/SelvedgePending.class")),
    ("java/lang/SelvedgeVariable", include_bytes!("../java/SelvedgeVariable.class")),
    ("java/lang/SelvedgeHandles", include_bytes!("../java/SelvedgeHandles.class")),
    ("java/lang/SelvedgeRecord", include_bytes!("../java/SelvedgeRecord.class")),
    ("java/lang/SelvedgeKey", include_bytes!("../java/SelvedgeKey.class")),
    ("java/lang/SelvedgeNode", include_bytes!("../java/SelvedgeNode.class")),
    ("java/lang/SelvedgeTable", include_bytes!("../java/SelvedgeTable.class")),
    ("java/lang/SelvedgeCall", include_bytes!("../java/SelvedgeCall.class")),
    ("java/lang/SelvedgeType", include_bytes!("../java/SelvedgeType.class")),
    ("java/lang/SelvedgeOrder", include_bytes!("../java/SelvedgeOrder.class")),
    ("java/lang/SelvedgeFading", include_bytes!("../java/SelvedgeFading.class")),
    ("java/lang/SelvedgeRange", include_bytes!("../java/SelvedgeRange.class")),
    ("java/lang/SelvedgeArray", include_bytes!("../java/SelvedgeArray.class")),
    (VIEW_NAME, include_bytes!("../java/SelvedgeView.class")),
    ("java/lang/SelvedgeCaches", include_bytes!("../java/SelvedgeCaches.class")),
    ("java/lang/SelvedgeThread", include_bytes!("../java/SelvedgeThread.class")),
    ("java/lang/SelvedgeArrays", include_bytes!("../java/SelvedgeArrays.class")),
    ("java/lang/SelvedgeFields", include_bytes!("../java/SelvedgeFields.class")),
    (NAME, CLASS),
];

/// The class whose static methods hold threads in directed runs: its internal name.
pub const HOLD_NAME: &str = "java/lang/SelvedgeHold";

/// The bytes of [`HOLD_NAME`].
pub const HOLD_CLASS: &[u8] = include_bytes!("../java/SelvedgeHold.class");

/// The classes of directed runs, in the order in which they are to be defined. Such a run has none of the others.
pub const HOLD_CLASSES: [(&str, &[u8]); 2] =
    [("java/lang/SelvedgeWaiter", include_bytes!("../java/SelvedgeWaiter.class")), (HOLD_NAME, HOLD_CLASS)];
