//! The client's introduction: its folders, its capabilities, its unit of columns. Clients are older and newer than
//! this program, so a part that cannot be read is left out, and the rest counts.

use std::path::PathBuf;

use lsp_types::{ClientCapabilities, InitializeParams, PositionEncodingKind, TraceValue};
use serde::Deserialize as _;
use serde_json::{Map, Value};
use tempo_diagnostics::Columns;

use crate::uri;

/// The parameters of `initialize`. A capability with a value that was unknown when this was written is dropped.
pub fn params(mut value: Value) -> serde_json::Result<InitializeParams> {
    let can_read = |capabilities: &Value| ClientCapabilities::deserialize(capabilities).is_ok();
    if let Some(capabilities) = value.get_mut("capabilities")
        && !can_read(capabilities)
    {
        *capabilities = readable(capabilities, &|part| part, &can_read);
    }
    // A hint for people, which some clients fill with their own words.
    if value.get("trace").is_some_and(|trace| TraceValue::deserialize(trace).is_err()) {
        value["trace"] = Value::Null;
    }
    serde_json::from_value(value)
}

/// The parts of an object that can be read each by itself, inside of what is around it.
fn readable(value: &Value, around: &dyn Fn(Value) -> Value, can_read: &dyn Fn(&Value) -> bool) -> Value {
    let Value::Object(parts) = value else { return Value::Null };
    let mut kept = Map::new();
    for (key, part) in parts {
        let alone = |part: Value| around(Value::Object(Map::from_iter([(key.clone(), part)])));
        if can_read(&alone(part.clone())) {
            kept.insert(key.clone(), part.clone());
        } else if part.is_object() {
            let part = readable(part, &alone, can_read);
            if can_read(&alone(part.clone())) {
                kept.insert(key.clone(), part);
            }
        }
    }
    Value::Object(kept)
}

/// The folders of the workspace, by the newest of the three ways to say so that the client knows.
pub fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return folders.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect();
    }
    #[allow(deprecated)]
    let (uri, path) = (&params.root_uri, &params.root_path);
    let path = || path.as_ref().filter(|path| !path.is_empty()).map(PathBuf::from);
    uri.as_ref().and_then(uri::to_path).or_else(path).into_iter().collect()
}

/// How columns are counted: in bytes if the client can, else as it prefers.
pub fn columns(capabilities: &ClientCapabilities) -> Columns {
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
    let offered = offered.unwrap_or_default();
    let known = |encoding: &PositionEncodingKind| match encoding.as_str() {
        "utf-8" => Some(Columns::Bytes),
        "utf-16" => Some(Columns::Utf16),
        "utf-32" => Some(Columns::Characters),
        _ => None,
    };
    if offered.contains(&PositionEncodingKind::UTF8) {
        return Columns::Bytes;
    }
    offered.iter().find_map(known).unwrap_or(Columns::Utf16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_unknown_is_left_out_and_the_rest_counts() {
        let capabilities = json!({
            "textDocument": {
                "hover": {"contentFormat": ["markdown", "html"]},
                "rename": {"prepareSupport": true},
                "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["rtf"]}},
            },
            "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["link"]}},
            "window": 7,
        });
        let read =
            params(json!({"processId": null, "capabilities": capabilities, "trace": "chatty"})).unwrap();
        let document = read.capabilities.text_document.unwrap();
        assert_eq!(document.rename.unwrap().prepare_support, Some(true));
        assert_eq!(document.hover.unwrap().content_format, None);
        let item = document.completion.unwrap().completion_item.unwrap();
        assert_eq!((item.snippet_support, item.documentation_format), (Some(true), None));
        let edit = read.capabilities.workspace.unwrap().workspace_edit.unwrap();
        assert_eq!((edit.document_changes, edit.resource_operations), (Some(true), None));
        assert!(read.capabilities.window.is_none());
        assert!(params(json!({"processId": "many"})).is_err());
    }

    #[test]
    fn columns_are_bytes_if_possible_and_else_what_the_client_prefers() {
        for (offered, columns) in [
            (json!(["utf-16", "utf-8"]), Columns::Bytes),
            (json!(["utf-32", "utf-16"]), Columns::Characters),
            (json!(["utf-7", "utf-16"]), Columns::Utf16),
            (json!(["ebcdic"]), Columns::Utf16),
            (json!(null), Columns::Utf16),
        ] {
            let value = json!({"capabilities": {"general": {"positionEncodings": offered}}});
            assert_eq!(super::columns(&params(value).unwrap().capabilities), columns, "{offered}");
        }
    }

    #[test]
    fn folders_are_said_in_three_ways() {
        let all = json!({
            "workspaceFolders": [{"uri": "file:///a", "name": "a"}, {"uri": "file:///b", "name": "b"}],
            "rootUri": "file:///c", "rootPath": "/d", "capabilities": {},
        });
        let folders = |value: &Value| {
            let paths = super::folders(&params(value.clone()).unwrap());
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        let without = |keys: &[&str]| {
            let mut value = all.clone();
            keys.iter().for_each(|key| value[*key] = Value::Null);
            value
        };
        assert_eq!(folders(&all), ["/a", "/b"]);
        assert_eq!(folders(&without(&["workspaceFolders"])), ["/c"]);
        assert_eq!(folders(&without(&["workspaceFolders", "rootUri"])), ["/d"]);
        assert!(folders(&without(&["workspaceFolders", "rootUri", "rootPath"])).is_empty());
    }
}
