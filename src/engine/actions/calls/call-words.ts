import type { Call } from './call.ts';
import { type EntityKind, entitiesOf } from './entities.ts';
import { firstVerb } from './name-acts.ts';
import type { Leaf } from './leaves.ts';
import { once } from './once.ts';
import { nameWords, root, textWords } from '../words.ts';

/** An address among the arguments makes the call one about a website, and so on. */
const kindWords: Readonly<Partial<Record<EntityKind, readonly string[]>>> = {
  path: ['path'],
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
  /** Those that no word before them narrows: `code` in `create_code`, not in `create_access_code`. */
  heads?: ReadonlySet<string>;
}

/** Whether a value is a text that may speak of anything; what a message says is what the call is about. */
function runningText({ effects, senses }: Call): (key: string, text: string) => boolean {
  const speaks = effects.has('egress') || senses.has('reply');
  return (key, text) => text.length > 80 || (!speaks && freeText.test(key) && text.includes(' '));
}

/** "Access code", "access log": things that have their name from access and are no right to it. */
const ofAccess = new Set(['code', 'codes', 'card', 'log', 'logs', 'point', 'road', 'number']);

const isOfAccess = (words: readonly string[], at: number) =>
  words[at] === 'access' && ofAccess.has(words[at + 1] ?? '');

const isIdKey = (key: string) => /(?:_id|Id)s?$/.test(key);

/** Roots of everything the call names: tool, server, keys, short values, programs and tables. */
export const wordsIn = once((call: Call): CallWords => {
  const [named, said, ids, denied] = [1, 2, 3, 4].map(() => new Set<string>()) as [
    Words,
    Words,
    Words,
    Words,
  ];
  add(
    named,
    call.words.filter((_, at) => !isOfAccess(call.words, at)),
  );
  add(named, nameWords(call.step.serverName ?? ''));
  add(
    named,
    call.commands.words.flatMap((word) => [word, ...nameWords(word)]),
  );
  const isRunning = runningText(call);
  const sets = { named, said, ids, denied };
  // `opted_in: false` names what is not so; where something is set, what is set.
  const denies = !call.senses.has('update');
  for (const leaf of call.leaves) {
    addName(leaf, sets, denies);
    const into = isRunning(leaf.key, leaf.text) ? said : named;
    add(into, textWords(leaf.text.slice(0, 400)));
    if (leaf.text.length <= 120) add(into, nameWords(leaf.text));
  }
  add(named, kindsOf(call));
  if (call.toolName === '') add(said, textWords((call.step.action ?? '').slice(0, 2000)));
  return { named, said, ids, denied, tool: new Set(call.words.map(root)), heads: headsIn(call.words) };
});

type Words = Set<string>;

function headsIn(words: readonly string[]): Words {
  const verb = firstVerb(words);
  return new Set(words.filter((_, at) => at === 0 || words[at - 1] === verb).map(root));
}

/** What the name of an argument says: of a thing, of an id of it, or of what is not so. */
function addName(
  { path, key, text }: Leaf,
  sets: Record<'named' | 'said' | 'ids' | 'denied', Words>,
  denies: boolean,
) {
  const isId = isIdKey(key);
  const plain = isId ? sets.said : sets.named;
  add(denies && saysNo(text) ? sets.denied : plain, nameWords(key));
  if (isId) add(sets.ids, nameWords(key));
  if (path.length > key.length) add(isId ? sets.ids : sets.named, nameWords(path));
}

function add(into: Words, words: readonly string[]): void {
  for (const word of words) into.add(root(word));
}

/** A value that denies what its name says. */
export const saysNo = (text: string): boolean => /^(?:false|no|none|null)$/i.test(text);

/** How much longer than a thing the text may be that is its name. */
const longerThanThing = 1.4;

/**
 * Whether a text may be the name of one thing, and little else. Running text, in which things would be looked for in vain,
 * has a blank too soon; letters beyond ASCII may become several where a thing is read.
 */
export function mayNameOne(text: string): boolean {
  if (/[^\0-~]/.test(text)) return true;
  let longest = 0;
  for (let from = 0, end = 0; from < text.length; from = end + 1) {
    end = text.indexOf(' ', from);
    if (end < 0) end = text.length;
    longest = Math.max(longest, end - from);
  }
  return longest * longerThanThing >= text.length;
}

const folderNames = new Set('folder folders directory directories dir dirs mkdir rmdir'.split(' '));
const fileNames = new Set(['file', 'document']);
/** Done to a folder, these leave what lies in it as it is. */
const actsOnFolders: ReadonlySet<string> = new Set(['read', 'lookup', 'create']);
const withExtension = /\.[a-z][a-z\d]{0,9}\s*$/i;
const pathKeys = new Set(['path', 'paths']);

/**
 * Whether a call is about files, folders or both: what is done to a folder is done to the files in it, but for listing and
 * making it. A tool of neither name is about both, where its paths do not end like files.
 */
function filesAndFolders(call: Call, hasPath: boolean): readonly string[] {
  if (call.words.some((word) => folderNames.has(word)))
    return [...call.senses].every((sense) => actsOnFolders.has(sense)) ? ['folder'] : ['folder', 'file'];
  const paths = call.leaves.filter(({ key }) => nameWords(key).some((word) => pathKeys.has(word)));
  if (!hasPath && paths.length === 0) return [];
  const isRecursive = call.leaves.some(({ key, text }) => /^recursive/i.test(key) && !saysNo(text));
  const areFiles =
    call.words.some((word) => fileNames.has(word)) ||
    (paths.length > 0 && paths.every(({ text }) => withExtension.test(text)));
  return areFiles && !isRecursive ? ['file'] : ['file', 'folder'];
}

/** What kinds of thing the arguments are: a path is a file, an address a website. */
function kindsOf(call: Call): string[] {
  const kinds = new Set(
    call.leaves.flatMap(({ text }) =>
      mayNameOne(text)
        ? entitiesOf(text.slice(0, 400))
            .filter(({ value }) => value.length * longerThanThing >= text.length)
            .map(({ kind }) => kind)
        : [],
    ),
  );
  const words = [...kinds].flatMap((kind) => kindWords[kind] ?? []);
  words.push(...filesAndFolders(call, kinds.has('path')));
  const hasText = (shape: RegExp, longest: number) =>
    call.leaves.some(({ text }) => text.length < longest && shape.test(text));
  if (hasText(codeFile, 400)) words.push('source', 'code');
  if (hasText(/\bhttps?:\/\//, 2000)) words.push('url');
  if (call.commands.senses.size > 0) words.push('file', 'folder', 'command', 'shell', 'script');
  return words;
}
