/**
 * Words that are names as well, and that the grammar takes for keywords: `f(name, using)` declares no resource,
 * `i < unique.length` opens no list of types, and minifiers call a class `is` or `as`.
 */
const asNames =
  /\busing\b(?!\s+[\w$]+\s*(?:[=:]|of\b))|\bunique\b(?!\s+symbol\b)|(?<=\b(?:class|new)\s)[ia]s\b|(?<=[;{}(,=])[ia]s(?=[.(])/g;
const others: Readonly<Record<string, string>> = { using: 'usinn', unique: 'uniquu', is: 'iz', as: 'az' };

/** What a macro holds is no syntax for the grammar, only words; this one makes the list that its brackets would. */
const asLists = /\bvec!(?=\s*\[)/g;

/** Macros of Rust that are given expressions as functions are: `ensure!(name.chars().all(|c| …), "…")` is read as a call. */
const asCalls = /\b(ensure|assert)!(?=\s*\()/g;

/** The text to parse in place of one, of the same length: one such word makes the whole file unreadable. */
export function withPlainNames(given: string, grammar: string): string {
  // A parser ends at a zero byte, and a runtime does not.
  const text = given.includes('\0') ? given.replaceAll('\0', ' ') : given;
  if (grammar === 'rust') return text.replaceAll(asLists, '    ').replaceAll(asCalls, '$1 ');
  if (grammar !== 'typescript' && grammar !== 'tsx') return text;
  return text.replaceAll(asNames, (word) => others[word] ?? word);
}
