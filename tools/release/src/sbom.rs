//! The bill of materials: CycloneDX 1.5, the form that scanners of dependencies read.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::archive::date;
use crate::packages::{Package, Packages};

/// The bill of a program made at a time in seconds since 1970.
pub fn text(packages: &Packages, epoch: u64) -> String {
    let (year, month, day) = date(epoch);
    let seconds = epoch % 86_400;
    let time = format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    let program = format!("pkg:cargo/tempo@{}", packages.version);
    let components: Vec<Value> = packages.list.iter().map(component).collect();
    let mut dependencies = vec![json!({"ref": program, "dependsOn": packages.roots})];
    dependencies.extend(
        packages.list.iter().map(|package| json!({"ref": package.reference(), "dependsOn": package.needs})),
    );
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": format!("urn:uuid:{}", uuid(&json!([components, dependencies, time]).to_string())),
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {
                "type": "application",
                "bom-ref": program,
                "name": "tempo",
                "version": packages.version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "purl": program,
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    format!("{bill:#}\n")
}

fn component(package: &Package) -> Value {
    let mut value = json!({
        "type": "library",
        "bom-ref": package.reference(),
        "name": package.name,
        "version": package.version,
        "scope": if package.is_contained { "required" } else { "excluded" },
        "purl": package.reference(),
    });
    if let Some(text) = &package.description {
        value["description"] = text.as_str().into();
    }
    if let Some(sum) = &package.checksum {
        value["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    if let Some(licence) = &package.licence {
        // Old packages write MIT/Apache-2.0; the form wants an SPDX expression.
        value["licenses"] =
            json!([{"expression": licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")}]);
    }
    value
}

/// A name-based UUID, so that the same packages have the same number.
fn uuid(text: &str) -> String {
    let sum = Sha256::digest(text);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&sum[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::packages::tests::example;

    #[test]
    fn every_package_is_listed_with_licence_and_sum() {
        let text = text(&example(), 1_794_889_226);
        let bill: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bill["metadata"]["timestamp"], "2026-11-17T04:20:26Z");
        assert_eq!(bill["components"].as_array().unwrap().len(), 5);
        let used = &bill["components"][4];
        let expected = json!({
            "type": "library", "bom-ref": "pkg:cargo/used@1.0.0", "name": "used", "version": "1.0.0",
            "scope": "required", "purl": "pkg:cargo/used@1.0.0", "description": "about used",
            "hashes": [{"alg": "SHA-256", "content": "sum-used"}],
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        });
        assert_eq!(*used, expected);
        assert_eq!(bill["components"][1]["scope"], "excluded");
        let refs: Vec<&Value> =
            bill["dependencies"].as_array().unwrap().iter().map(|dep| &dep["ref"]).collect();
        assert_eq!(refs[0], "pkg:cargo/tempo@1.0.0");
        assert_eq!(refs.len(), 6);
    }

    #[test]
    fn the_same_packages_have_the_same_number() {
        assert_eq!(text(&example(), 5), text(&example(), 5));
        let number = uuid("x");
        assert_eq!((number.len(), &number[14..15]), (36, "8"));
    }
}
