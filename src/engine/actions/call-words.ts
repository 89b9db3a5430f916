import type { Call } from './call.ts';
import { type EntityKind, entitiesOf } from './entities.ts';
import { nameWords, root, textWords } from './words.ts';

/** A path among the arguments makes the call one about a file, and so on. */
const kindWords: Readonly<Partial<Record<EntityKind, readonly string[]>>> = {
  path: ['file', 'path'],
  url: ['url', 'website', 'link'],
  host: ['host', 'website'],
  email: ['email'],
  account: ['iban'],
  phone: ['phone', 'number'],
};

const codeFile = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|c|h|cpp|swift|scala|sh|sql)\s*$/i;

const wordsOfCall = new WeakMap<Call, CallWords>();

/** `said`: words of long texts, where a general word (`file`, `website`) means little. */
export interface CallWords {
  named: ReadonlySet<string>;
  said: ReadonlySet<string>;
}

/** Roots of everything the call names: tool, server, keys, short values, programs and tables. */
export function wordsIn(call: Call): CallWords {
  const known = wordsOfCall.get(call);
  if (known !== undefined) return known;
  const named = new Set<string>();
  const said = new Set<string>();
  const add = (words: readonly string[], into = named) => words.forEach((word) => into.add(root(word)));
  add(call.words);
  add(nameWords(call.step.serverName ?? ''));
  add(call.commands.words.flatMap((word) => [word, ...nameWords(word)]));
  for (const { key, text } of call.leaves.slice(0, 100)) {
    add(nameWords(key));
    add(textWords(text.slice(0, 400)), text.length <= 80 ? named : said);
    if (text.length <= 120) add(nameWords(text), text.length <= 80 ? named : said);
  }
  for (const word of kindsOf(call)) named.add(root(word));
  if (call.toolName === '') add(textWords((call.step.action ?? '').slice(0, 2000)), said);
  const words = { named, said };
  wordsOfCall.set(call, words);
  return words;
}

/** What kinds of thing the arguments are: a path is a file, an address a website. */
function kindsOf(call: Call): string[] {
  const kinds = new Set(
    call.leaves.slice(0, 100).flatMap(({ text }) =>
      entitiesOf(text.slice(0, 400))
        .filter(({ value }) => value.length * 1.4 >= text.length)
        .map(({ kind }) => kind),
    ),
  );
  const words = [...kinds].flatMap((kind) => kindWords[kind] ?? []);
  const hasText = (shape: RegExp, longest: number) =>
    call.leaves.some(({ text }) => text.length < longest && shape.test(text));
  if (hasText(codeFile, 400)) words.push('source', 'code');
  if (hasText(/\bhttps?:\/\//, 2000)) words.push('url');
  if (call.commands.senses.size > 0) words.push('file', 'command', 'shell', 'script');
  return words;
}
