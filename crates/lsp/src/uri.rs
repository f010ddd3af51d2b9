//! Paths and the addresses that editors use for them.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;

/// The address of a file; its path must be absolute.
pub fn of_path(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let mut address = String::from("file://");
    if !path.starts_with('/') {
        address.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                address.push(byte.into());
            }
            _ => address += &format!("%{byte:02X}"),
        }
    }
    Uri::from_str(&address).ok()
}

/// The file at an address, if it is one.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [left.next()?, left.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/project` is a path of Windows.
    let is_drive = path.get(2..3) == Some(":");
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_way_there_and_back() {
        for path in ["/a/b.java", "/a b/ü%[1].java", "/x/#y/Ω.java"] {
            let uri = of_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&uri).unwrap(), Path::new(path), "{}", uri.as_str());
        }
    }

    #[test]
    fn other_addresses_are_no_files() {
        for address in ["untitled:Untitled-1", "jdt://contents/java.base", "file://%zz"] {
            assert_eq!(Uri::from_str(address).ok().and_then(|uri| to_path(&uri)), None, "{address}");
        }
    }
}
