import type { Cache } from '#base/cache/cache.ts';
import type { PolicySource } from '#engine/text/types.ts';
import { calibrate, type Calibration } from '#llm/calibration.ts';
import { LanguageModelError } from '#llm/failures.ts';
import { createFence } from '#llm/fence.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { atStrictness, type Verdict } from '#llm/verdict.ts';
import { textHash } from '../../../library/exemplars/exemplar.ts';
import { inParallel } from '../../in-parallel.ts';
import type { Answer, Backend, Material } from '../backend.ts';
import { strongerOf, type Probabilities } from '../probabilities.ts';
import { createBatches } from './batches.ts';
import { outcomeOf, type Outcome, type Window } from './outcome.ts';
import { dataOf, policyPrompt, promptVersion, shownTurns } from './prompt.ts';
import { createReasons, type Reasons } from './reasons.ts';
import { SharedVerdicts, keyOf, type Place, type RawVerdict } from './shared-verdicts.ts';
import { windowsOf } from './windows.ts';

/** The calibrations in force of one tenant. */
export interface CalibrationsInForce {
  /** Changes with each write. */
  readonly revision: string;
  forPolicy(model: string, promptVersion: number, textHash: string): Calibration | undefined;
}

/** Maps the model's probabilities to calibrated ones. */
export interface Calibrations {
  of(tenantId: string): Promise<CalibrationsInForce>;
}

export interface LanguageModelBackendOptions {
  readonly model: LanguageModel;
  readonly cache: Cache;
  readonly calibrations: Calibrations;
  /** Policies in one call; 1: each has a call of its own. */
  readonly batchSize: number;
  /** Calls at a time for one text. */
  readonly callsAtATime: number;
}

/** The model that every service shares, as a judge of policies: a verdict of three letters for each. */
export class LanguageModelBackend implements Backend, Reasons {
  readonly #options: LanguageModelBackendOptions;
  readonly #fence = createFence();
  readonly #shared;
  readonly #reasons;
  readonly #endpoint;
  readonly #inBatches;
  readonly engine = 'llm';

  constructor(options: LanguageModelBackendOptions) {
    this.#options = options;
    this.#shared = new SharedVerdicts(options.cache);
    this.#reasons = createReasons({ model: options.model, fence: this.#fence });
    this.#endpoint = options.model.status().endpoint;
    this.#inBatches = createBatches({
      model: options.model,
      batchSize: options.batchSize,
      shared: this.#shared,
      placeOf: (...of) => this.#placeOf(...of),
      alone: (...of) => this.#alone(...of),
    });
  }

  async version(tenantId: string): Promise<string> {
    const { model, batchSize, calibrations } = this.#options;
    return [
      this.#endpoint,
      model.model,
      promptVersion,
      batchSize,
      (await calibrations.of(tenantId)).revision,
    ].join(' ');
  }

  covers(): boolean {
    return true;
  }

  async judge(material: Material, policies: readonly PolicySource[]): Promise<readonly Answer[]> {
    const { calibrations, model } = this.#options;
    const { windows, isWhole } = this.#windowsIn(material);
    const [found, inForce] = await Promise.all([
      this.#outcomes(material, policies, windows),
      calibrations.of(material.tenantId),
    ]);
    return policies.map((policy, at) => {
      const calibration = inForce.forPolicy(model.model, promptVersion, textHash(policy));
      return answerOf(found[at] ?? [], { calibration, isWhole });
    });
  }

  /** The model's uncalibrated probability for a text; 0..1 at medium strictness. For calibrating. */
  async measure(material: Material, policy: PolicySource): Promise<number> {
    const { windows, isWhole } = this.#windowsIn(material);
    const found = (await this.#outcomes(material, [policy], windows))[0] ?? [];
    const failed = found.find((each) => 'failure' in each);
    if (failed !== undefined)
      throw new LanguageModelError(
        502,
        'llm_unavailable',
        `The language model did not judge an example (${failed.failure}).`,
      );
    const answer = answerOf(found, { calibration: undefined, isWhole });
    return 'failure' in answer ? 0 : answer.probabilities.medium;
  }

  reason(...asked: Parameters<Reasons['reason']>): Promise<string | undefined> {
    return this.#reasons.reason(...asked);
  }

  #windowsIn({ text, messages, readings }: Material): { windows: Window[]; isWhole: boolean } {
    const turns = shownTurns(messages);
    const { windows, isWhole } = windowsOf(text);
    return {
      windows: windows.map((window) => {
        const shown = dataOf({ text: window, turns, readings });
        return { user: `The data:\n${this.#fence(shown).block}`, line: JSON.stringify(shown) };
      }),
      isWhole,
    };
  }

  #placeOf({ tenantId }: Material, policy: PolicySource, { line }: Window): Place {
    return {
      tenantId,
      key: keyOf([this.#endpoint, this.#options.model.model, promptVersion, textHash(policy), line]),
    };
  }

  #alone(material: Material, policy: PolicySource, window: Window): Promise<RawVerdict> {
    return this.#shared.get(this.#placeOf(material, policy, window), material, async () => {
      const { verdict, offFormat } = await this.#options.model.classify(
        { system: policyPrompt(policy), user: window.user },
        { timeoutMs: material.remainingMs() },
      );
      return { ...verdict, offFormat };
    });
  }

  /** Of each policy in each window. */
  async #outcomes(
    material: Material,
    policies: readonly PolicySource[],
    windows: readonly Window[],
  ): Promise<Outcome[][]> {
    const { batchSize, callsAtATime } = this.#options;
    if (batchSize > 1 && policies.length > 1) {
      const byWindow = await inParallel(windows, callsAtATime, (window) =>
        this.#inBatches(material, policies, window),
      );
      return policies.map((_, at) => byWindow.map((each) => each[at] ?? { failure: 'llm_malformed' }));
    }
    const questions = policies.flatMap((policy) => windows.map((window) => ({ policy, window })));
    const all = await inParallel(questions, callsAtATime, ({ policy, window }) =>
      outcomeOf(this.#alone(material, policy, window)),
    );
    return policies.map((_, at) => all.slice(at * windows.length, (at + 1) * windows.length));
  }
}

/** Of several windows the highest, at each strictness; if one failed, the whole text has no verdict. */
function answerOf(
  outcomes: readonly Outcome[],
  { calibration, isWhole }: { calibration: Calibration | undefined; isWhole: boolean },
): Answer {
  let strongest: Probabilities | undefined;
  let isSuspicious = false;
  for (const outcome of outcomes) {
    if ('failure' in outcome) return outcome;
    const probabilities = probabilitiesOf(outcome, calibration);
    strongest = strongest === undefined ? probabilities : strongerOf(strongest, probabilities);
    isSuspicious ||= outcome.offFormat;
  }
  return strongest === undefined
    ? { failure: 'llm_malformed' }
    : { probabilities: strongest, isSuspicious, isWhole };
}

function probabilitiesOf(verdict: Verdict, calibration: Calibration | undefined): Probabilities {
  const at = (strictness: 'low' | 'medium' | 'high') => {
    const probability = atStrictness(verdict, strictness);
    return calibration === undefined ? probability : calibrate(probability, calibration);
  };
  return { low: at('low'), medium: at('medium'), high: at('high') };
}
