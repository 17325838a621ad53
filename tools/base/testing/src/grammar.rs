//! Lists of words in the grammars that editors colour texts by.
//!
//! A rule of a grammar whose words come from a table says so: `"comment": "words: directives"`. The first group of plain
//! words (`(?:one|two)`) in the `match` or `begin` of that rule is written by [`with_words`].

/// A grammar with the words of its rules written anew. A rule without words, a rule whose list is missing and a list that
/// no rule has are errors.
pub fn with_words(grammar: &str, lists: &[(&str, Vec<String>)]) -> Result<String, String> {
    let mut written = String::new();
    let mut wanted: Option<&str> = None;
    let mut used = vec![false; lists.len()];
    for line in grammar.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(rest) = trimmed.strip_prefix("\"comment\": \"words: ") {
            wanted = Some(rest.trim_end_matches(',').trim_end_matches('"'));
        } else if let Some(list) = wanted
            && (trimmed.starts_with("\"match\":") || trimmed.starts_with("\"begin\":"))
        {
            wanted = None;
            let index = lists.iter().position(|(name, _)| *name == list);
            let index = index.ok_or_else(|| format!("there is no list of words '{list}'"))?;
            used[index] = true;
            let (start, end) = group(line).ok_or_else(|| format!("no words in {trimmed}"))?;
            written.push_str(&line[..start]);
            written.push_str(&alternatives(&lists[index].1));
            written.push_str(&line[end..]);
            continue;
        }
        written.push_str(line);
    }
    match lists.iter().zip(used).find(|(_, used)| !used) {
        Some(((name, _), _)) => Err(format!("no rule has the words '{name}'")),
        None => Ok(written),
    }
}

/// The words joined for a regular expression, the longest first: the first that fits is taken.
fn alternatives(words: &[String]) -> String {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    words.join("|")
}

/// The first group of plain words in a line: where they start and end.
fn group(line: &str) -> Option<(usize, usize)> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | '-');
    line.match_indices("(?:").map(|(at, open)| at + open.len()).find_map(|start| {
        let len = line[start..].find(|c| !is_plain(c))?;
        (len > 0 && line[start + len..].starts_with(')')).then_some((start, start + len))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_into_their_rule() {
        let grammar =
            "{\n \"comment\": \"words: colours\",\n \"match\": \"(?:[a-z])\\\\b(?:red|blue)\\\\b\"\n}\n";
        let words = |list: &[&str]| vec![("colours", list.iter().map(|word| word.to_string()).collect())];
        let written = with_words(grammar, &words(&["blue", "grey", "turquoise"])).unwrap();
        assert_eq!(written, grammar.replace("red|blue", "turquoise|blue|grey"));
        let mut lists = words(&["red"]);
        lists.push(("sizes", Vec::new()));
        assert!(with_words(grammar, &lists).unwrap_err().contains("sizes"));
        assert!(with_words(grammar, &[]).unwrap_err().contains("colours"));
    }
}
