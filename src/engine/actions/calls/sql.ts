import type { FactName } from '../clauses.ts';
import type { ShellReading } from './shell-command.ts';

/** Words, quoted parts dropped, comments dropped, statements parted by `;`. */
function statementsOf(text: string): string[][] {
  const statements: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      if (text.charAt(at) === "'") statements.at(-1)?.push("''");
      at = skipped;
      continue;
    }
    const char = text.charAt(at);
    if (char === ';') statements.push([]);
    if ('=<>'.includes(char)) statements.at(-1)?.push(char);
    const end = wordEnd(text, at);
    if (end > at) statements.at(-1)?.push(text.slice(at, end).toLowerCase());
    at = Math.max(at + 1, end);
  }
  return statements.filter((words) => words.length > 0);
}

const isWordUnit = (char: string) => /[\w.*]/.test(char);

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordUnit(text.charAt(at))) at++;
  return at;
}

const quotes: readonly (readonly [open: string, close: string])[] = [
  ["'", "'"],
  ['--', '\n'],
  ['/*', '*/'],
];

/** Where a quoted text or a comment that begins here ends; `from` where none begins. */
function skipQuoted(text: string, from: number): number {
  for (const [open, close] of quotes)
    if (text.startsWith(open, from)) {
      const end = text.indexOf(close, from + open.length);
      return end < 0 ? text.length : end + close.length;
    }
  return from;
}

const verbs = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'drop',
  'truncate',
  'alter',
  'create',
  'grant',
  'revoke',
  'replace',
  'merge',
  'with',
  'copy',
  'exec',
  'explain',
]);

const acts: Readonly<Record<string, string>> = {
  select: 'read',
  explain: 'read',
  with: 'read',
  insert: 'create',
  update: 'update',
  delete: 'delete',
  drop: 'delete',
  truncate: 'delete',
  alter: 'update',
  create: 'create',
  grant: 'grant',
  revoke: 'grant',
  replace: 'update',
  merge: 'update',
  copy: 'move',
  exec: 'execute',
};

/** Of one statement. */
const mostWords = 2000;

function readStatement(words: readonly string[], out: ShellReading): void {
  const first = words[0] ?? '';
  const act = acts[first];
  if (act !== undefined) out.senses.add(act);
  for (const word of words) if (word === 'delete' || word === 'update') out.senses.add(word);
  for (const word of words.slice(0, mostWords)) out.words.push(word);
  if (words.includes('disable')) out.senses.add('disable');
  for (const fact of factsOf(first, words)) out.facts.add(fact);
}

function factsOf(first: string, words: readonly string[]): FactName[] {
  const facts: FactName[] = [];
  if (first === 'truncate' || (changing.has(first) && isUnbounded(words)))
    facts.push('sql_without_condition');
  if (isInjected(words)) facts.push('injected_sql');
  if (shaping.has(first)) facts.push('sql_schema_change');
  if (first === 'drop' || first === 'truncate') facts.push('destructive_command');
  return facts;
}

/** A condition that is always true beside another, or rows of another table put behind. */
const isInjected = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      (word === 'or' && words[at + 2] === '=' && words[at + 1] === words[at + 3]) ||
      (word === 'union' && ['select', 'all'].includes(words[at + 1] ?? '')),
  );

const changing = new Set(['delete', 'update']);
const shaping = new Set(['drop', 'alter', 'truncate']);

/** No condition, or one that is always true. */
function isUnbounded(words: readonly string[]): boolean {
  const where = words.indexOf('where');
  if (where < 0 || words[where + 1] === 'true') return true;
  return words[where + 2] === '=' && words[where + 1] === words[where + 3] && words[where + 1] !== "''";
}

/** What the statements do; undefined where the text is not SQL. */
export function readSql(text: string): ShellReading | undefined {
  const statements = statementsOf(text);
  const first = statements[0];
  if (first === undefined || !verbs.has(first[0] ?? '') || !looksLikeSql(first)) return undefined;
  const out: ShellReading = { senses: new Set(), facts: new Set(), words: [] };
  for (const words of statements) readStatement(words, out);
  if (statements.length > 1) out.facts.add('stacked_statements');
  return out;
}

const second: Readonly<Record<string, readonly string[]>> = {
  select: ['from', '*', '1', 'count'],
  insert: ['into'],
  update: ['set'],
  delete: ['from'],
  drop: ['table', 'database', 'schema', 'index', 'view', 'user', 'column'],
  alter: ['table', 'database', 'user', 'role', 'column'],
  create: ['table', 'database', 'index', 'view', 'user', 'role', 'function'],
  grant: ['on', 'to', 'all'],
  revoke: ['on', 'from', 'all'],
};

function looksLikeSql(words: readonly string[]): boolean {
  const expected = second[words[0] ?? ''];
  return expected === undefined ? words.length > 1 : words.some((word) => expected.includes(word));
}
