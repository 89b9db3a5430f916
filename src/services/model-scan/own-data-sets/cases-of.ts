/** Content that somebody uploads, as cases that can be sent and judged. */
import { importCases, type ImportFormat } from '#engine/model-scan/import-cases.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { caseProblems } from '#engine/model-scan/lint.ts';

export interface ReadContent {
  readonly cases: readonly ScanCase[];
  readonly notes: readonly { readonly row: number; readonly note: string }[];
}

export interface ContentTask {
  readonly content: string;
  readonly format: ImportFormat;
  readonly about: {
    readonly name: string;
    readonly licence: string;
    /** Begins the ids of the cases, which are unique over all data sets of a scan. */
    readonly dataSetId: string;
  };
}

/** The content cannot be used; the message names `content` and says why. */
export class UnusableContent extends Error {
  override readonly name = 'UnusableContent';
}

const mostNotes = 200;

/** @throws UnusableContent */
export function casesOf({ content, format, about }: ContentTask): ReadContent {
  const { cases, notes } = imported(content, format, about);
  const broken = cases.flatMap((each) => problemOf(each) ?? []);
  const [first] = broken;
  if (first !== undefined)
    throw new UnusableContent(
      `'content' has ${broken.length} ${broken.length === 1 ? 'case' : 'cases'} that cannot be used; the first: ${first}`,
    );
  return {
    cases: cases.map((each) => ({ ...each, id: each.id.replace(/^own/, about.dataSetId) })),
    notes: notes.slice(0, mostNotes),
  };
}

function imported(content: string, format: ImportFormat, about: { name: string; licence: string }) {
  try {
    return importCases(content, format, about);
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableContent(`'content': ${error.message}.`);
    throw error;
  }
}

const mostShown = 80;

/** Why a case cannot be used, with the beginning of its prompt. */
function problemOf(each: ScanCase): string | undefined {
  const text = JSON.stringify(each);
  const [problem] =
    text.includes('\\u0000') || !isWellFormed(each)
      ? ['it has NUL characters or unpaired surrogates']
      : caseProblems(each);
  if (problem === undefined) return undefined;
  const shown = each.turns.join(' ').slice(0, mostShown);
  return `${JSON.stringify(shown)}: ${problem}`;
}

const isWellFormed = ({ system = '', turns, subcategory, expect }: ScanCase): boolean =>
  [system, subcategory, ...turns, JSON.stringify(expect)].every(
    // JSON.stringify writes unpaired surrogates as escapes.
    (text) => text.isWellFormed() && !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(text)),
  );
