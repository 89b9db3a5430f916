import type { Call } from './call.ts';
import { type EntityKind, entitiesOf } from './entities.ts';
import { once } from './once.ts';
import { nameWords, root, textWords } from '../words.ts';

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

/** Running text speaks of many things that the call is not about. */
const freeText = /^(?:body|text|content|message|msg|note|notes|comment)$/i;

/** `said`: words of long texts, where a general word (`file`, `website`) means little. */
export interface CallWords {
  named: ReadonlySet<string>;
  said: ReadonlySet<string>;
  /** Named by an id alone (`customer_id`): whom or what the call touches besides. */
  ids?: ReadonlySet<string>;
  /** What an argument says is not so: `competitor: false`. */
  denied?: ReadonlySet<string>;
  /** Words of the tool's own name: the kind of thing that it is made for. */
  tool?: ReadonlySet<string>;
}

/** Whether a value is a text that may speak of anything; what a message says is what the call is about. */
function runningText({ effects, senses }: Call): (key: string, text: string) => boolean {
  const speaks = effects.has('egress') || senses.has('reply');
  return (key, text) => text.length > 80 || (!speaks && freeText.test(key) && text.includes(' '));
}

/** Roots of everything the call names: tool, server, keys, short values, programs and tables. */
export const wordsIn = once((call: Call): CallWords => {
  const named = new Set<string>();
  const said = new Set<string>();
  const add = (words: readonly string[], into = named) => words.forEach((word) => into.add(root(word)));
  add(call.words);
  add(nameWords(call.step.serverName ?? ''));
  add(call.commands.words.flatMap((word) => [word, ...nameWords(word)]));
  const isRunning = runningText(call);
  const ids = new Set<string>();
  const denied = new Set<string>();
  for (const { path, key, text } of call.leaves.slice(0, 100)) {
    const isId = /(?:_id|Id)s?$/.test(key);
    // `opted_in: false` names what is not so; where something is set, what is set.
    if (!saysNo(text) || call.senses.has('update')) add(nameWords(key), isId ? said : named);
    else add(nameWords(key), denied);
    if (isId) add(nameWords(key), ids);
    if (path.length > key.length) add(nameWords(path), isId ? ids : named);
    const into = isRunning(key, text) ? said : named;
    add(textWords(text.slice(0, 400)), into);
    if (text.length <= 120) add(nameWords(text), into);
  }
  for (const word of kindsOf(call)) named.add(root(word));
  if (call.toolName === '') add(textWords((call.step.action ?? '').slice(0, 2000)), said);
  return { named, said, ids, denied, tool: new Set(call.words.map(root)) };
});

/** A value that denies what its name says. */
export const saysNo = (text: string): boolean => /^(?:false|no|none|null)$/i.test(text);

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
