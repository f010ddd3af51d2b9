//! How cost grows with the size of the program: a family of generated programs, analysed under the default policy.
//!
//! `cargo run --release -p selvedge-pta --example family -- [--svg FILE] [--policy NAME] [CLASSES...]`
//!
//! A member of the family has packages of twenty classes. Every class has fields, implements its package's interface,
//! keeps a list and a map of its own and hands objects to its neighbours; every package has a registry that it dispatches
//! over, and posts events to two other packages, where they mix with those of others. So sets grow with the size of packages and
//! with how packages are connected, as in programs of people, and not with the whole program.
//!
//! Printed is a table, and the exponent of the cost: the slope of time over classes on logarithmic axes, fitted by least
//! squares to what each member costs more than the smallest.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze, resident_bytes};
use selvedge_testkit::{JavacOptions, compile};
use selvedge_world::{Input, Options, Program};

/// Classes in a package.
const PACKAGE: usize = 20;

/// The members that are measured if none are asked for.
const SIZES: [usize; 7] = [10, 30, 100, 300, 1_000, 3_000, 10_000];

/// One line of the table.
struct Row {
    classes: usize,
    methods: usize,
    facts: usize,
    time: Duration,
    memory: u64,
}

fn main() -> Result<(), String> {
    let (mut svg, mut policy, mut sizes) = (None, "adaptive".to_owned(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--svg" => svg = Some(arguments.next().ok_or("--svg needs a file")?),
            "--policy" => policy = arguments.next().ok_or("--policy needs a name")?,
            number => sizes.push(number.parse().map_err(|_| format!("{number} is no number of classes"))?),
        }
    }
    if sizes.is_empty() {
        sizes = SIZES.to_vec();
    }
    println!(
        "| classes | methods reached | points-to facts | processor time | resident memory |\n|---|---|---|---|---|"
    );
    let mut rows = Vec::new();
    for classes in sizes {
        let row = measure(classes, &policy)?;
        let seconds = row.time.as_secs_f64();
        println!(
            "| {} | {} | {} | {seconds:.2} s | {} MB |",
            row.classes,
            row.methods,
            row.facts,
            row.memory >> 20
        );
        rows.push(row);
    }
    match exponent(&rows) {
        Some(exponent) => println!("\nexponent of the time over classes: {exponent:.2}"),
        None => println!("\ntoo few members for an exponent"),
    }
    if let Some(file) = svg {
        std::fs::write(&file, plot(&rows)).map_err(|error| format!("cannot write {file}: {error}"))?;
    }
    Ok(())
}

/// Generates, compiles, loads and analyses a member.
fn measure(classes: usize, policy: &str) -> Result<Row, String> {
    let sources = sources(classes);
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let options = JavacOptions { args: vec!["-J-Xmx2g".to_owned()], ..JavacOptions::default() };
    let compiled = compile(&sources, &options).map_err(|failure| format!("{failure:?}"))?;
    let paths = vec![compiled.path().to_path_buf()];
    let input = Input::read(&Options { paths, ..Options::default() }).map_err(|error| error.to_string())?;
    let program = Program::load(input);
    let main = program
        .class_named(ClassName::new("Main"))
        .and_then(|class| program.declared_method(class, "main".into(), "([Ljava/lang/String;)V".into()))
        .ok_or("the generated program has no main class")?;
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let policy = policy_named(policy).ok_or_else(|| format!("there is no policy {policy}"))?;
    // Without what the VM itself calls: that costs the same for every member.
    let entries = Entries { mains: vec![main], ..Entries::default() };
    let (start, used) = (Instant::now(), processor_time());
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    // Processor time is what busy machines leave comparable.
    let time = processor_time().zip(used).map_or(start.elapsed(), |(now, before)| now - before);
    let memory = resident_bytes().unwrap_or(0);
    let statistics = analysis.statistics();
    let facts = statistics.variable_facts + statistics.field_facts;
    Ok(Row { classes, methods: statistics.methods, facts, time, memory })
}

/// The processor time of this process so far, where the system tells it: in hundredths of a second, fields 14 and 15.
fn processor_time() -> Option<Duration> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = status.rsplit(')').next()?;
    let ticks = after_name.split_ascii_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().ok());
    ticks.sum::<Option<u64>>().map(|ticks| Duration::from_millis(10 * ticks))
}

/// The sources: one file for each package, and `Main.java`.
fn sources(classes: usize) -> Vec<(String, String)> {
    let packages = classes.div_ceil(PACKAGE);
    let mut files: Vec<(String, String)> = (0..packages)
        .map(|package| {
            let size = PACKAGE.min(classes - package * PACKAGE);
            (format!("p{package}/Registry.java"), package_source(package, packages, size))
        })
        .collect();
    let mut main = "public class Main {\n    public static void main(String[] arguments) {\n".to_owned();
    for package in 0..packages {
        let _ = writeln!(main, "        part{package}();");
    }
    main += "    }\n";
    for package in 0..packages {
        let _ = writeln!(main, "    static void part{package}() {{ new p{package}.Registry().start(); }}");
    }
    main += "}\n";
    files.push(("Main.java".to_owned(), main));
    files
}

fn package_source(package: usize, packages: usize, size: usize) -> String {
    let (next, far) = ((package + 1) % packages, (package * 7 + 3) % packages);
    let mut text = format!(
        "package p{package};\n\nimport java.util.*;\n\n\
         interface Service {{ Object handle(Object request); Service next(); }}\n\n\
         public class Registry {{\n    \
         private final List<Service> services = new ArrayList<>();\n    \
         public static final List<Object> EVENTS = new ArrayList<>();\n    \
         public void start() {{\n        populate();\n        \
         for (Service service : services) {{\n            \
         Object answer = service.handle(new Object());\n            \
         p{next}.Registry.post(answer);\n            \
         if (service.next() != null) service.next().handle(this);\n        }}\n    }}\n    \
         public static void post(Object event) {{ EVENTS.add(event); }}\n    \
         private void populate() {{\n"
    );
    for class in 0..size {
        let _ = writeln!(text, "        services.add(new C{class}(null));");
    }
    text += "    }\n}\n";
    for class in 0..size {
        let (successor, other) = ((class + 1) % size, (class * 3 + 1) % size);
        let _ = write!(
            text,
            "\nclass C{class} implements Service {{\n    \
             private final Service next;\n    private Object last;\n    \
             private final List<Object> log = new ArrayList<>();\n    \
             private final Map<Object, C{other}> known = new HashMap<>();\n    \
             C{class}(Service next) {{ this.next = next; }}\n    \
             public Service next() {{ return next; }}\n    \
             public Object handle(Object request) {{\n        \
             log.add(request);\n        last = log.get(0);\n        \
             C{other} partner = known.get(request);\n        \
             if (partner == null) {{\n            partner = new C{other}(this);\n            \
             known.put(request, partner);\n        }}\n        \
             partner.accept(last);\n        \
             p{far}.Registry.post(partner);\n        \
             return successor();\n    }}\n    \
             void accept(Object given) {{ last = given; log.add(given); }}\n    \
             private C{successor} successor() {{ return new C{successor}(next); }}\n}}\n"
        );
    }
    text
}

/// The slope of the line through (log classes, log cost), where a member's cost is what it takes beyond the smallest one:
/// what the library costs is the same for all. Members that hardly differ from the smallest say nothing.
fn exponent(rows: &[Row]) -> Option<f64> {
    let base = rows.first()?.time.as_secs_f64();
    let points: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.time.as_secs_f64() > 1.5 * base)
        .map(|row| ((row.classes as f64).ln(), (row.time.as_secs_f64() - base).ln()))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let count = points.len() as f64;
    let (mean_x, mean_y) =
        points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let covariance: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    Some(covariance / variance)
}

/// The table as a plot on logarithmic axes.
fn plot(rows: &[Row]) -> String {
    let (width, height, margin) = (640.0, 420.0, 60.0);
    let logs = |values: Vec<f64>| {
        let (low, high) =
            values.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        (low.log10().floor(), high.log10().ceil().max(low.log10().floor() + 1.0))
    };
    let (left, right) = logs(rows.iter().map(|row| row.classes as f64).collect());
    let (bottom, top) = logs(rows.iter().map(|row| row.time.as_secs_f64()).collect());
    let x = |value: f64| margin + (value.log10() - left) / (right - left) * (width - 2.0 * margin);
    let y =
        |value: f64| height - margin - (value.log10() - bottom) / (top - bottom) * (height - 2.0 * margin);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for power in left as i32..=right as i32 {
        let (at, foot) = (x(10f64.powi(power)), height - margin);
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {margin}V{foot}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text>",
            foot + 16.0,
            10f64.powi(power)
        );
    }
    for power in bottom as i32..=top as i32 {
        let at = y(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<path d=\"M{margin} {at:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{} s</text>",
            width - margin,
            margin - 6.0,
            at + 4.0,
            10f64.powi(power)
        );
    }
    let points: Vec<String> = rows
        .iter()
        .map(|row| format!("{:.1},{:.1}", x(row.classes as f64), y(row.time.as_secs_f64())))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#246\" stroke-width=\"2\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">classes</text>\n</svg>",
        points.join(" "),
        width / 2.0,
        height - 16.0
    );
    svg
}
