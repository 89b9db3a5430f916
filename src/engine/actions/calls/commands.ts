import type { FactName } from '../clauses.ts';
import { clouds } from './clouds.ts';
import type { Leaf } from './leaves.ts';
import { readShell } from './shell.ts';
import type { Unread } from './reach.ts';
import { ShellBudget } from './shell-budget.ts';
import type { ShellReading } from './shell-command.ts';
import { readSql } from './sql.ts';

/** What the shell commands and SQL statements among the arguments do. */
export interface CommandReading {
  readonly senses: ReadonlySet<string>;
  readonly facts: ReadonlySet<FactName>;
  /** Words of the programs and tables named. */
  readonly words: readonly string[];
  /** Command lines that were not read to their end. */
  readonly unread: readonly Unread[];
}

interface Gathered extends CommandReading {
  readonly senses: Set<string>;
  readonly facts: Set<FactName>;
  readonly words: string[];
  readonly unread: Unread[];
}

/** What most calls have. */
const noCommands: CommandReading = { senses: new Set(), facts: new Set(), words: [], unread: [] };

const shellKeys = /^(?:command|cmd|commands|shell|bash|script|args|arguments|code|input|execute|terminal)$/i;
const shellTools = new Set([
  'shell',
  'bash',
  'terminal',
  'command',
  'cmd',
  'exec',
  'execute',
  'run',
  'ssh',
  'powershell',
]);
const folderKeys = /^(?:cwd|work_?dir|working_?dir(?:ectory)?)$/i;
const sqlKeys = /^(?:sql|query|statement|statements|queries|command|code|input)$/i;
const codeKeys = /^(?:code|script|source|python|javascript|program|expression)$/i;

function merge(into: Gathered, { senses, facts, words }: ShellReading): void {
  for (const sense of senses) into.senses.add(sense);
  for (const fact of facts) into.facts.add(fact);
  for (const word of words) into.words.push(word);
}

const dangerousCode: readonly (readonly [text: string, fact: FactName, sense: string])[] = [
  ['shutil.rmtree', 'destructive_command', 'delete'],
  ['os.remove', 'destructive_command', 'delete'],
  ['os.unlink', 'destructive_command', 'delete'],
  ['fs.rm', 'destructive_command', 'delete'],
  ['unlinksync', 'destructive_command', 'delete'],
  ['os.system', 'privileged_command', 'execute'],
  ['subprocess.', 'privileged_command', 'execute'],
  ['child_process', 'privileged_command', 'execute'],
  ['eval(', 'obfuscated_command', 'execute'],
  ['exec(', 'obfuscated_command', 'execute'],
  ['base64.b64decode', 'obfuscated_command', 'execute'],
  ['requests.post', 'tool_output_leaves', 'send'],
];

function readCode(text: string, into: Gathered): void {
  const lower = text.toLowerCase();
  for (const [sign, fact, sense] of dangerousCode)
    if (lower.includes(sign)) {
      if (fact !== 'tool_output_leaves') into.facts.add(fact);
      into.senses.add(sense);
    }
}

/** `git {args: "log -1"}`: a tool that is a program is given the rest of its command line. */
const lineOf = ([tool = '', ...others]: readonly string[], key: string, text: string): string =>
  others.length === 0 && /^arg(?:s|uments)$/i.test(key) && isProgram(tool) && !text.startsWith(tool)
    ? `${tool} ${text}`
    : text;
const isProgram = (tool: string) => tool === 'git' || clouds.has(tool);

/** Parses every argument that is a command line, a statement or a program. */
export function readCommands(
  leaves: readonly Leaf[],
  toolWords: readonly string[],
  unread: readonly Unread[] = [],
): CommandReading {
  const isShell = leaves.length <= 3 && toolWords.some((word) => shellTools.has(word));
  const told = leaves.filter(({ key, text }) => text.length >= 3 && (isShell || mayTell(key)));
  if (told.length === 0) return noCommands;
  const reading: Gathered = { senses: new Set(), facts: new Set(), words: [], unread: [] };
  const budget = new ShellBudget();
  const isPlaced = leaves.some(({ key }) => folderKeys.test(key));
  for (const leaf of told) {
    const { key, text, path } = leaf;
    const cut = unread.find((one) => one.what === 'text' && one.path === path);
    if (cut !== undefined) reading.unread.push({ ...cut, what: 'command' });
    const statement = sqlKeys.test(key) ? readSql(text) : undefined;
    if (statement !== undefined) merge(reading, statement);
    else if (isShell || shellKeys.test(key))
      addLine(reading, leaf, readShell(lineOf(toolWords, key, text), budget, isPlaced));
    if (codeKeys.test(key)) readCode(text, reading);
  }
  return reading;
}

/** A line, and what of it nobody can tell. */
function addLine(into: Gathered, { path, text }: Leaf, line: ShellReading): void {
  merge(into, line);
  const place = { path, size: text.length, read: 0 };
  if (line.hidden !== undefined) into.unread.push({ what: line.hidden, ...place });
  if (line.isCut === true && !into.unread.some((one) => one.what === 'command' && one.path === path))
    into.unread.push({ what: 'command', ...place });
}

/** The command lines among the arguments. */
export function commandLines(leaves: readonly Leaf[], toolWords: readonly string[]): string[] {
  const isShell = leaves.length <= 3 && toolWords.some((word) => shellTools.has(word));
  // `truncate -s 0 x` is SQL nowhere but where it may be.
  const isSql = (key: string, text: string) => !isShell && sqlKeys.test(key) && readSql(text) !== undefined;
  return leaves.flatMap(({ key, text }) =>
    text.length >= 3 && (isShell || shellKeys.test(key)) && !isSql(key, text)
      ? [lineOf(toolWords, key, text)]
      : [],
  );
}

const mayTell = (key: string): boolean => sqlKeys.test(key) || shellKeys.test(key) || codeKeys.test(key);
