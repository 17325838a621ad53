//! What other programs send: framed messages, JSON, states and answers of the agent protocol.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_chess::agent;

fuzz_target!(|input: &[u8]| {
    let mut reader = tempo_framing::Reader::with_limit(1 << 16);
    reader.push(input);
    while let Ok(Some(_)) = reader.message() {}
    let _ = tempo_json::parse(input, tempo_json::Limits::default()).is_ok();
    let _ = agent::parse_document(input).is_ok();
    if let Ok(state) = agent::State::parse(input) {
        let written = state.to_json();
        let again = agent::State::parse(written.as_bytes()).map(|state| state.to_json());
        assert_eq!(again.as_ref().ok(), Some(&written));
        let _ = agent::judge(&state, &String::from_utf8_lossy(input), agent::Strictness::Lenient);
    }
});
