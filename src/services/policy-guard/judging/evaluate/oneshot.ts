import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { invalid } from '#base/errors.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { PolicySource, TextKind } from '#engine/text/types.ts';
import type { Judging } from '../judges/judging.ts';
import { groupVerdict, noFinding, type Sensitivity, type GroupVerdict } from '../verdicts/verdict.ts';

export interface UnsavedPolicy extends PolicySource {
  readonly enabled: boolean;
}

function refuseDuplicates(policies: readonly UnsavedPolicy[]): void {
  const seen = new Set<string>();
  for (const { name } of policies) {
    if (seen.has(name))
      throw invalid(`'policies' has two policies named ${JSON.stringify(name)}. Give each its own name.`);
    seen.add(name);
  }
}

/**
 * Judges a text by policies that are not saved; disabled ones do not run.
 * @throws AppError 422 when two policies have the same name.
 */
export async function judgeOneshot(
  { engine, judging }: { engine: Pick<TextEngine, 'compile'>; judging: Judging },
  asked: {
    tenantId: string;
    text: string;
    kind: TextKind | undefined;
    mayCache: boolean;
    policies: readonly UnsavedPolicy[];
  },
  sensitivity: Sensitivity,
): Promise<GroupVerdict> {
  const { policies, ...question } = asked;
  refuseDuplicates(policies);
  const compiled = policies
    .filter(({ enabled }) => enabled)
    .map((policy) => ({
      id: policy.name,
      name: policy.name,
      source: policy,
      compiled: engine.compile(policy),
    }));
  // Compiling fifty policies is a few milliseconds of work.
  await yieldToEventLoop();
  const [finding = noFinding] = await judging.judge(
    { ...question, messages: [], engine: null, failMode: null },
    [{ policies: compiled, sensitivity }],
  );
  return groupVerdict(
    { ...sensitivity, groupUuid: '', name: '', version: 0, policies: compiled },
    sensitivity,
    finding,
  );
}
