import { invalid } from '#base/errors.ts';
import { labelId } from '#engine/text/label-ids.ts';
import {
  fewestExamples,
  mostExamples,
  mostExamplesTogether,
} from '#services/policy-guard/contract/adaptations.ts';
import { filesOf } from '../eval/inputs.ts';
import { RowReader } from '../eval/rows.ts';

export interface Example {
  text: string;
  policy: string;
  label: boolean;
}

export interface ReadExamples {
  readonly examples: readonly Example[];
  /** What was left out and why, a sentence each. */
  readonly remarks: readonly string[];
}

const longestText = 8_000;
/** A policy with fewer of a label is left out. */
const leastOfLabel = 1;

interface Gathered {
  readonly policy: string;
  readonly byLabel: readonly [harmless: Set<string>, violating: Set<string>];
}

/**
 * The rows of files or folders as examples of the policies that they have labels for: `{"text", "labels": {id: 0|1}}`,
 * an id being the policy's name in lower case with `_` between words. Of more than the service takes, the first of
 * both labels are kept. @throws AppError 422 where no policy has enough
 */
export async function readExamples(
  paths: readonly string[],
  policies: readonly string[],
  split: string,
): Promise<ReadExamples> {
  const gathered = policies.map((policy): Gathered => ({ policy, byLabel: [new Set(), new Set()] }));
  const reader = new RowReader({
    columns: policies.map(labelId),
    split,
    sources: undefined,
    by: [],
    harmlessUnlessLabelled: false,
  });
  let tooLong = 0;
  for await (const { text, labels } of reader.read(paths.flatMap(filesOf))) {
    if (text.length > longestText) tooLong += 1;
    else
      labels.forEach((label, column) =>
        gathered[column]?.byLabel[label === 1 ? 1 : 0].add(label < 0 ? '' : text),
      );
  }
  const remarks: string[] = [];
  const { broken, firstBroken } = reader.counts;
  if (broken > 0)
    remarks.push(
      `${broken} broken rows were left out, first ${firstBroken.map(({ path, line, why }) => `${path}:${line} (${why})`).join(', ')}.`,
    );
  if (tooLong > 0) remarks.push(`${tooLong} texts of more than ${longestText} characters were left out.`);
  const usable = gathered.flatMap((each) => balanced(each, remarks));
  if (usable.length === 0)
    throw invalid(
      `No policy of the group has ${fewestExamples} labelled texts, some that violate it and some that do not. Rows are labelled by ${policies.map((name) => `"${labelId(name)}"`).join(', ')}.${remarks.length > 0 ? ` ${remarks.join(' ')}` : ''}`,
    );
  const most = Math.floor(mostExamplesTogether / usable.length);
  return {
    examples: usable.flatMap((each) => firstOf(each, Math.min(mostExamples, most), remarks)),
    remarks,
  };
}

function balanced({ policy, byLabel }: Gathered, remarks: string[]): Gathered[] {
  const [harmless, violating] = byLabel;
  harmless.delete('');
  const both = violating.intersection(harmless);
  if (both.size > 0) remarks.push(`"${policy}": ${both.size} texts with both labels were left out.`);
  const kept: Gathered = {
    policy,
    byLabel: [harmless.difference(both), violating.difference(both)],
  };
  const [no, yes] = kept.byLabel;
  return no.size >= leastOfLabel && yes.size >= leastOfLabel && no.size + yes.size >= fewestExamples
    ? [kept]
    : [];
}

/** At most `most` examples, in the proportion of the labels. */
function firstOf({ policy, byLabel }: Gathered, most: number, remarks: string[]): Example[] {
  const [harmless, violating] = byLabel;
  const all = harmless.size + violating.size;
  if (all > most)
    remarks.push(`"${policy}": the first ${most} of ${all} texts are used, in their proportion.`);
  const share = Math.min(1, most / all);
  const take = (texts: ReadonlySet<string>, label: boolean) =>
    [...texts]
      .slice(0, Math.max(leastOfLabel, Math.floor(texts.size * share)))
      .map((text): Example => ({ text, policy, label }));
  return [...take(violating, true), ...take(harmless, false)];
}
