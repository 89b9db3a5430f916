import type { ModuleFinder, SourceModule } from '../modules.ts';
import type { Machine } from './frame.ts';
import type { DoubledMark } from './value.ts';

const doubledMarks: ReadonlySet<string> = new Set([
  "''",
  '""',
  '``',
  ']]',
  String.raw`\''`,
  String.raw`\""`,
  '\\``',
  String.raw`\]]`,
]);

export const isDoubledMark = (quoting: string): quoting is DoubledMark => doubledMarks.has(quoting);

/** What replacing all of `source` by `by` makes of a text, where that doubles a mark. */
export function doubledMarkOf(
  source: string,
  by: string,
  before: string | undefined,
): DoubledMark | undefined {
  const quoting = before === 'backslash' || before?.startsWith('\\') === true ? `\\${by}` : by;
  const mark = source === String.raw`\]` ? ']' : source;
  return by === mark.repeat(2) && isDoubledMark(quoting) ? quoting : undefined;
}

/** Databases for which a backslash escapes the mark behind it: there a doubled one still ends a text. */
const escapesByBackslash =
  /mysql|maria|tidb|doris|starrocks|singlestore|clickhouse|bigquery|databricks|pyhive|spark|snowflake/i;
const required = /\b(?:require|import)\s*\(\s*["'`]([^"'`]+)/g;

const speaksOfOne = ({ form, text }: SourceModule): boolean =>
  form.imports.some(({ module, path }) => escapesByBackslash.test(path ?? module)) ||
  [...text.matchAll(required)].some(([, name = '']) => escapesByBackslash.test(name));

const known = new WeakMap<ModuleFinder, boolean>();

function hasBackslashes({ finder }: Machine): boolean {
  let has = known.get(finder);
  if (has === undefined) known.set(finder, (has = finder.modules.some(speaksOfOne)));
  return has;
}

/** A function that doubles the marks of one database after the other: `case 'mysql': … case 'postgres': …`. */
const doublesBackticks = /\(\s*(?:\/`\/g|["']`["'])\s*,\s*["']``["']\s*\)/g;
const tellsApart = /\b(?:case|default|else|if)\b/;
const nearby = 300;

const byDialect = new WeakMap<ModuleFinder, boolean>();

/** Whether names are quoted by the database that they are for, so that `""` is not what a backslash would escape. */
function quotesByDialect({ finder }: Machine): boolean {
  let quotes = byDialect.get(finder);
  if (quotes === undefined) {
    quotes = finder.modules.some(({ text }) =>
      [...text.matchAll(doublesBackticks)].some(({ index }) => {
        const around = text.slice(Math.max(0, index - nearby), index + nearby);
        return /["']""["']/.test(around) && tellsApart.test(around);
      }),
    );
    byDialect.set(finder, quotes);
  }
  return quotes;
}

/** What a text can no longer do between two marks that are doubled in it: names in \`…\` know no backslashes anywhere. */
export function bitsBetweenMarks(quoting: DoubledMark, machine: Machine): number {
  const isSafe =
    quoting === '``' ||
    quoting === ']]' ||
    quoting.startsWith('\\') ||
    !hasBackslashes(machine) ||
    (quoting === '""' && quotesByDialect(machine));
  return isSafe ? machine.rules.bitOf('sql-injection') : 0;
}
