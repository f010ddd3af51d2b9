//! A 128-bit FNV-1a hash. Cache keys must be the same for every process and every Rust version, which the standard
//! library's hashers do not promise.

/// The running state of one key.
pub(crate) struct KeyHasher(u128);

impl KeyHasher {
    pub(crate) fn new() -> Self {
        KeyHasher(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds one field. The length goes in first, so that ("ab", "c") and ("a", "bc") differ.
    pub(crate) fn field(&mut self, bytes: &[u8]) {
        self.raw(&(bytes.len() as u64).to_le_bytes());
        self.raw(bytes);
    }

    fn raw(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }

    pub(crate) fn finish(self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::KeyHasher;

    #[test]
    fn matches_the_published_vector() {
        let mut hasher = KeyHasher::new();
        hasher.raw(b"a");
        assert_eq!(hasher.finish(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn field_boundaries_count() {
        let key = |fields: &[&str]| {
            let mut hasher = KeyHasher::new();
            fields.iter().for_each(|field| hasher.field(field.as_bytes()));
            hasher.finish()
        };
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }
}
