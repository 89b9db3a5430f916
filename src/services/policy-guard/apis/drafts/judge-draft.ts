import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Caller } from '#identity/caller.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import { resultOf, type CaseResult } from './case-result.ts';
import { probabilitiesOf, readDraft, type DraftDeps, type ReadyPolicy, type SentDraft } from './draft.ts';
import { bestOf, candidatesFor, withActivity, type Suggestion } from './suggest.ts';
import type { TestCase } from '../../library/test-cases/test-case.ts';

export interface JudgedDraft {
  readonly sensitivity: Sensitivity;
  readonly results: readonly CaseResult[];
  readonly suggestions: readonly Suggestion[];
}

interface Asked {
  readonly policy: SentDraft;
  readonly cases: readonly TestCase[];
  readonly suggest: boolean;
  readonly sensitivity: Partial<Sensitivity>;
}

/** Judges test cases by a draft; other requests have their turn between two of them. */
export const createJudgeDraft =
  (deps: DraftDeps) =>
  async (caller: Caller, groupUuid: string, asked: Asked): Promise<JudgedDraft> => {
    const { policy, cases, suggest } = asked;
    const draft = await readDraft(deps, caller, groupUuid, policy);
    const { threshold, strictnessLevel } = draft.group;
    const sensitivity = { threshold, strictnessLevel, ...asked.sensitivity };
    const judge = (policies: readonly ReadyPolicy[]) => judgeCases(deps, cases, policies, sensitivity);
    if (!draft.enabled) {
      const results = cases.map((each) => resultOf(each, 0, sensitivity.threshold));
      return { sensitivity, results, suggestions: [] };
    }
    const [results = []] = await judge([draft.policy]);
    const candidates = suggest ? candidatesFor(policy, cases, results) : [];
    const after = await judge(candidates.map((candidate) => withActivity(draft, policy, candidate)));
    const tried = candidates.map((candidate, k) => ({ candidate, results: after[k] ?? [] }));
    return { sensitivity, results, suggestions: bestOf(results, tried) };
  };

/** The results of the cases, a list for each policy. */
async function judgeCases(
  { engine }: DraftDeps,
  cases: readonly TestCase[],
  policies: readonly ReadyPolicy[],
  sensitivity: Sensitivity,
): Promise<CaseResult[][]> {
  const results: CaseResult[][] = policies.map(() => []);
  if (policies.length === 0) return results;
  for (const testCase of cases) {
    await yieldToEventLoop();
    const probabilities = await probabilitiesOf(engine, { text: testCase.text }, policies, sensitivity);
    for (const [k, probability] of probabilities.entries())
      results[k]?.push(resultOf(testCase, probability, sensitivity.threshold));
  }
  return results;
}
