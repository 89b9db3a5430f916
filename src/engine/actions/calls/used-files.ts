/** Which files a call reads and which it changes: by its command lines, else by its arguments and what its tool does. */
import { nameWords } from '../words.ts';
import type { Call } from './call.ts';
import { commandLines } from './commands.ts';
import type { Leaf } from './leaves.ts';
import { once } from './once.ts';
import { filesOfShell, type UsedFile, type UsedFiles } from './shell-files.ts';

const words = (text: string) => new Set(text.split(' '));
const fileWords = words('path paths file files filename filenames filepath dir directory folder');
/** `file_id`, `file_type`: of a file, and no place of one. */
const ofFile = words('id ids type size mode content contents format count encoding extension text');
const sourceWords = words('source src from old original origin input');
const targetWords = words('destination dest to target new output out save');
const folderWords = words('cwd workdir');

const looksLikePath = /^(?:~|\.{0,2}[/\\]|[a-z]:[\\/]|file:)\S*$|^[\w.-]+(?:[/\\][\w.-]+)+[/\\]?$/i;
const longest = 400;

interface Named {
  readonly path: string;
  readonly role: 'source' | 'target' | 'file';
}

function namedBy({ key, text }: Leaf): Named | undefined {
  if (text.length > longest || text.trim() === '' || /\n|:\/\/(?<!file:\/\/)/.test(text)) return undefined;
  const parts = nameWords(key);
  const isFile = parts.some((word) => fileWords.has(word)) && !parts.some((word) => ofFile.has(word));
  if (!isFile && !looksLikePath.test(text.trim())) return undefined;
  const role = parts.some((word) => sourceWords.has(word))
    ? 'source'
    : parts.some((word) => targetWords.has(word))
      ? 'target'
      : 'file';
  return { path: text.trim(), role };
}

const changing = ['write', 'delete', 'grant'] as const;
const leavesSource = words('copy duplicate clone cp backup link export import convert');

interface Ways {
  readonly read: boolean;
  readonly changed: boolean;
}

/** What a tool does to a file that nothing else is said of. */
function waysOf({ effects, senses }: Call): Ways {
  if (senses.has('download')) return { read: false, changed: true };
  if (changing.some((effect) => effects.has(effect))) return { read: false, changed: true };
  return {
    read: ['read', 'egress', 'execute'].some((effect) => effects.has(effect as 'read')),
    changed: false,
  };
}

function wayOf({ role }: Named, call: Call): Ways {
  const ways = waysOf(call);
  const isLocal = !call.effects.has('egress') || ways.changed;
  if (role === 'source' && (ways.changed || !ways.read)) {
    const stays = call.words.some((word) => leavesSource.has(word)) || !isMove(call);
    return { read: true, changed: !stays };
  }
  // A target of what is only read, or sent elsewhere, is not what is changed here.
  if (role === 'target' && !ways.changed && !ways.read && isLocal) return { read: false, changed: true };
  return ways;
}

const isMove = ({ senses }: Call) => senses.has('move') || senses.has('rename');

function filesOfTool(call: Call): UsedFiles {
  const used: UsedFiles = { read: [], changed: [] };
  for (const leaf of call.leaves) {
    const named = namedBy(leaf);
    if (named === undefined) continue;
    const { read, changed } = wayOf(named, call);
    const file: UsedFile = { path: named.path.replace(/^file:\/\//i, ''), isPlaced: true };
    if (read) used.read.push(file);
    if (changed) used.changed.push(file);
  }
  return used;
}

/** The folder in which a command is told to run. */
const folderOf = ({ leaves }: Call): string | undefined =>
  leaves.find(({ key, text }) => {
    const parts = nameWords(key);
    const isFolder = parts.some((word) => folderWords.has(word)) || parts.join(' ') === 'working directory';
    return isFolder && looksLikePath.test(text.trim());
  })?.text;

/** Which files the command lines of a call read and change; of a call without any none. */
export const usedByCommands = once((call: Call): UsedFiles => {
  const all = commandLines(call.leaves, call.words).map((line) => filesOfShell(line, folderOf(call)));
  return { read: all.flatMap(({ read }) => read), changed: all.flatMap(({ changed }) => changed) };
});

/** Which files a call reads and changes, read once. */
export const usedFilesOf = once((call: Call): UsedFiles =>
  commandLines(call.leaves, call.words).length === 0 ? filesOfTool(call) : usedByCommands(call),
);
