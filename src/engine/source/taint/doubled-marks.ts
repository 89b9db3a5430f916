import type { ModuleFinder, SourceModule } from '../modules.ts';
import type { Machine } from './frame.ts';
import type { DoubledMark } from './value.ts';

const doubledMarks: ReadonlySet<string> = new Set([
  "''",
  '""',
  '``',
  String.raw`\''`,
  String.raw`\""`,
  '\\``',
]);

export const isDoubledMark = (quoting: string): quoting is DoubledMark => doubledMarks.has(quoting);

/** What replacing all of `source` by `by` makes of a text, where that doubles a mark. */
export function doubledMarkOf(
  source: string,
  by: string,
  before: string | undefined,
): DoubledMark | undefined {
  const quoting = before === 'backslash' || before?.startsWith('\\') === true ? `\\${by}` : by;
  return by === source.repeat(2) && isDoubledMark(quoting) ? quoting : undefined;
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

/** What a text can no longer do between two marks that are doubled in it: names in \`…\` know no backslashes anywhere. */
export function bitsBetweenMarks(quoting: DoubledMark, machine: Machine): number {
  const isSafe = quoting === '``' || quoting.startsWith('\\') || !hasBackslashes(machine);
  return isSafe ? machine.rules.bitOf('sql-injection') : 0;
}
