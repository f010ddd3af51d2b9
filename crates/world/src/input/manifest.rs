//! The main section of a jar's `META-INF/MANIFEST.MF`.

/// The attributes that say how a jar is run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// `Main-Class`, or Spring Boot's `Start-Class` where there is one, in Java's form.
    pub main_class: Option<String>,
    /// `Class-Path`: further jars, relative to this one.
    pub class_path: Vec<String>,
    /// `Multi-Release: true`.
    pub multi_release: bool,
}

impl Manifest {
    /// Reads the main section; lines that are not attributes are passed over.
    pub fn parse(text: &[u8]) -> Self {
        let mut manifest = Manifest::default();
        let mut start_class = None;
        for attribute in main_attributes(&String::from_utf8_lossy(text)) {
            let Some((name, value)) = attribute.split_once(':') else { continue };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "main-class" if !value.is_empty() => manifest.main_class = Some(value.replace('/', ".")),
                "start-class" if !value.is_empty() => start_class = Some(value.replace('/', ".")),
                "class-path" => manifest.class_path = value.split_whitespace().map(str::to_owned).collect(),
                "multi-release" => manifest.multi_release = value.eq_ignore_ascii_case("true"),
                _ => {}
            }
        }
        manifest.main_class = start_class.or(manifest.main_class);
        manifest
    }
}

/// The lines up to the first empty one, with continuation lines (which start with a space) joined.
fn main_attributes(text: &str) -> Vec<String> {
    let mut attributes: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(' ') {
            if let Some(last) = attributes.last_mut() {
                last.push_str(rest);
            }
        } else if !line.is_empty() {
            attributes.push(line.to_owned());
        } else if !attributes.is_empty() {
            break;
        }
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_continuation_lines_and_stops_at_the_first_section() {
        let text = b"Manifest-Version: 1.0\r\nMain-Class: com.example.ve\r\n ry.Long\r\nClass-Path: lib/a.jar \r\n  lib/b.jar\r\n\
            multi-release: TRUE\r\n\r\nName: x\r\nMain-Class: other\r\n";
        let manifest = Manifest::parse(text);
        assert_eq!(manifest.main_class.as_deref(), Some("com.example.very.Long"));
        assert_eq!(manifest.class_path, ["lib/a.jar", "lib/b.jar"]);
        assert!(manifest.multi_release);
    }

    #[test]
    fn spring_boot_names_the_real_main_class_apart() {
        let text = b"Main-Class: org.springframework.boot.loader.JarLauncher\nStart-Class: app.Main\n";
        assert_eq!(Manifest::parse(text).main_class.as_deref(), Some("app.Main"));
    }
}
