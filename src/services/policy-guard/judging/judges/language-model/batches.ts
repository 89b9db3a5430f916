import { z } from 'zod';
import type { PolicySource } from '#engine/text/types.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { atStrictness, likelihoods, type Likelihood } from '#llm/verdict.ts';
import type { Material } from '../backend.ts';
import { outcomeOf, type Failed, type Outcome, type Window } from './outcome.ts';
import { policiesPrompt } from './prompt.ts';
import type { SharedVerdicts, Place, RawVerdict } from './shared-verdicts.ts';

interface BatchDeps {
  readonly model: LanguageModel;
  readonly batchSize: number;
  readonly shared: SharedVerdicts;
  readonly placeOf: (material: Material, policy: PolicySource, window: Window) => Place;
  /** Asks about one policy in a call of its own. */
  readonly alone: (material: Material, policy: PolicySource, window: Window) => Promise<RawVerdict>;
}

const Level = z.enum(Object.keys(likelihoods) as [Likelihood]);

/** Policies that a batch leaves uncertain are judged again, each in its own call. */
const doubtful = { from: 0.2, to: 0.8 };
const tokensForEach = 12;

/**
 * Several policies in one call, for servers that are paid by the token: a likelihood out of five for each. Those in
 * doubt, and all of a batch that could not be read, are asked about again by themselves.
 */
export function createBatches({ model, batchSize, shared, placeOf, alone }: BatchDeps) {
  async function askTogether(
    material: Material,
    policies: readonly PolicySource[],
    window: Window,
  ): Promise<Outcome[]> {
    const schema = z.object(Object.fromEntries(policies.map((_, at) => [`p${at + 1}`, Level])));
    const answer = await outcomeOf(
      model.structured(
        {
          system: policiesPrompt(policies),
          user: window.user,
          name: 'likelihoods',
          schema,
          maxTokens: 16 + policies.length * tokensForEach,
        },
        { timeoutMs: material.remainingMs() },
      ),
    );
    if (isFailure(answer)) {
      // It responds, but not to this: a single question is easier.
      const isAnswered = answer.failure === 'llm_malformed' || answer.failure === 'llm_refused';
      if (!isAnswered) return policies.map(() => answer);
      return Promise.all(policies.map((policy) => outcomeOf(alone(material, policy, window))));
    }
    return Promise.all(
      policies.map(async (policy, at) => {
        const verdict = { ...likelihoods[answer[`p${at + 1}`] ?? 'possible'], offFormat: false };
        const p = atStrictness(verdict, 'medium');
        if (p >= doubtful.from && p <= doubtful.to) return outcomeOf(alone(material, policy, window));
        await shared.keep(placeOf(material, policy, window), material, verdict);
        return verdict;
      }),
    );
  }

  /** One outcome for each policy, in order. */
  return async (
    material: Material,
    policies: readonly PolicySource[],
    window: Window,
  ): Promise<Outcome[]> => {
    const found: (Outcome | undefined)[] = await Promise.all(
      policies.map((policy) => shared.find(placeOf(material, policy, window), material)),
    );
    const missing = policies.flatMap((policy, at) => (found[at] === undefined ? [{ policy, at }] : []));
    const batches = Array.from({ length: Math.ceil(missing.length / batchSize) }, (_, i) =>
      missing.slice(i * batchSize, (i + 1) * batchSize),
    );
    await Promise.all(
      batches.map(async (batch) => {
        const outcomes = await askTogether(
          material,
          batch.map(({ policy }) => policy),
          window,
        );
        for (const [i, { at }] of batch.entries()) found[at] = outcomes[i];
      }),
    );
    return found.map((outcome) => outcome ?? { failure: 'llm_malformed' });
  };
}

const isFailure = (answer: Partial<Record<string, Likelihood>> | Failed): answer is Failed =>
  'failure' in answer;
