/** Judged rows in a file, so that a run that was stopped goes on where it was. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { invalid } from '#base/errors.ts';
import type { Strictness, TextKind } from '#engine/text/types.ts';
import type { JudgedRow, RowJudge } from './row-judge.ts';
import type { LabelledText } from './rows.ts';

const Head = z.object({ format: z.literal('bulwark-judged-rows/1'), judge: z.string() });
const Kept = z.tuple([z.string(), z.array(z.number()), z.array(z.number())]);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const keyOf = ({ text, messages }: Pick<LabelledText, 'text' | 'messages'>) => hashOf([text, messages]);

/** A line that was cut off when the process was killed is passed over. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readKept(path: string, judge: string): Map<string, JudgedRow> {
  const kept = new Map<string, JudgedRow>();
  if (!existsSync(path)) return kept;
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  const head = Head.safeParse(parsed(first));
  if (!head.success) throw invalid(`${path} is not a file of judged rows, as --resume writes them.`);
  if (head.data.judge !== judge)
    throw invalid(
      `${path} has rows of another judge: another engine, model, policy, threshold, strictness or context. Name a new file, or delete it.`,
    );
  for (const line of lines) {
    const row = Kept.safeParse(parsed(line));
    if (row.success)
      kept.set(row.data[0], { scores: Float64Array.from(row.data[1]), flags: Uint8Array.from(row.data[2]) });
  }
  return kept;
}

/** What a judgement depends on besides the judge and the row. */
interface AskedAs {
  /** Identifies the policies, where they are not the judge's own. */
  readonly policies: string | undefined;
  readonly strictness: Strictness;
  readonly context: TextKind | undefined;
}

/**
 * A judge that writes each judged row to a file at once, and does not judge rows again that are in the file.
 * @throws AppError 422 for a file that is none of these, or of another judge
 */
export function keepingRows(judge: RowJudge, path: string, asked: AskedAs): RowJudge {
  const { about, columns } = judge;
  const settings = hashOf([about, columns, asked.policies ?? null, asked.strictness, asked.context ?? null]);
  const kept = readKept(path, settings);
  if (!existsSync(path))
    writeFileSync(path, `${JSON.stringify({ format: 'bulwark-judged-rows/1', judge: settings })}\n`);
  // A line that was cut off must not take the next one with it.
  else appendFileSync(path, '\n');
  return {
    ...judge,
    async judge(row) {
      const key = keyOf(row);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const judged = await judge.judge(row);
      kept.set(key, judged);
      appendFileSync(path, `${JSON.stringify([key, [...judged.scores], [...judged.flags]])}\n`);
      return judged;
    },
  };
}
