/** Words of a video are judged by the policy guard: by the guard of the deployment, or by policies made from its categories. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import { AppError } from '#base/errors.ts';
import { builtInPolicies, textPolicies } from '#engine/video/text-policies.ts';
import type { Caller } from '#identity/caller.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import type { Settings } from '../deployments/settings.ts';
import type { Note } from './detector.ts';

export interface WordsDeps {
  readonly calls: ServiceCalls<Caller>;
  readonly baseUrl: string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
}

/** Category → probability, and whether the guard has flagged it. */
export interface WordsVerdict {
  readonly probs: Readonly<Record<string, number>>;
  readonly reasoning: string | undefined;
}

const timeoutMs = 10_000;
const mostRemembered = 500;

/** Judges the words of one video for its caller; the same words are judged once. */
export class WordsJudge {
  readonly #deps: WordsDeps;
  readonly #caller: Caller;
  readonly #settings: Settings;
  readonly #known = new Map<string, Promise<WordsVerdict | undefined>>();
  readonly notes: Note[] = [];

  constructor(deps: WordsDeps, caller: Caller, settings: Settings) {
    this.#deps = deps;
    this.#caller = caller;
    this.#settings = settings;
  }

  /** The categories that words are judged by. */
  get categories(): string[] {
    const { guard_uuid: guard, policies } = this.#settings.detectors.text;
    const judged =
      guard === null
        ? policiesOf(this.#settings).map(({ name }) => name)
        : Object.values({ ...builtInPolicies, ...policies });
    const known = new Set(this.#settings.categories.map(({ id }) => id));
    return [...new Set(judged)].filter((category) => known.has(category));
  }

  /** @returns undefined where the policy guard could not answer, which the notes say */
  judge(words: string): Promise<WordsVerdict | undefined> {
    const text = words.replaceAll(/\s+/g, ' ').trim();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const asked = this.#ask(text).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      const code = 'words_not_judged';
      if (!this.notes.some((note) => note.code === code))
        this.notes.push({ code, message: `Words were read and not judged: ${error.detail}` });
      return undefined;
    });
    if (this.#known.size < mostRemembered) this.#known.set(text, asked);
    return asked;
  }

  async #ask(text: string): Promise<WordsVerdict> {
    const { calls, baseUrl, tokenFor } = this.#deps;
    const elsewhere = { baseUrl, tokenFor, timeoutMs };
    const { guard_uuid: guardUuid, policies } = this.#settings.detectors.text;
    if (guardUuid === null) {
      const body = {
        text,
        policies: policiesOf(this.#settings),
        threshold: 0.5,
        strictness_level: 'medium' as const,
      };
      const found = await calls.call(evaluateOperations.topicGuardOneshot, this.#caller, { body }, elsewhere);
      return { probs: found.probabilities, reasoning: found.reasoning };
    }
    const body = { text, guard_uuid: guardUuid, messages: [] };
    const found = await calls.call(evaluateOperations.topicGuard, this.#caller, { body }, elsewhere);
    const categoryOf: Readonly<Record<string, string>> = { ...builtInPolicies, ...policies };
    const probs: Record<string, number> = {};
    for (const group of found.results)
      for (const [policy, probability] of Object.entries(group.probs)) {
        const category = categoryOf[policy];
        if (category === undefined) continue;
        // The guard’s own threshold decides: a policy that it flags counts as flagged here as well.
        const counted =
          group.categories[policy] === true ? Math.max(probability, 0.5) : Math.min(probability, 0.49);
        probs[category] = Math.max(probs[category] ?? 0, counted);
      }
    const reasoning = found.results.find((group) => group.flagged)?.reasoning ?? undefined;
    return { probs, reasoning };
  }
}

const policiesOf = ({ categories }: Settings) =>
  categories.flatMap(({ id, description }) => {
    const known = textPolicies.find(({ category }) => category === id);
    // A description of the tenant’s own replaces what the built-in detector looks for.
    const own = description === '' ? known : { description, detector: undefined };
    if (own === undefined) return [];
    const { description: text, detector } = own;
    return [
      {
        name: id,
        description: text,
        block_activities: [],
        safe_activities: [],
        enabled: true,
        ...(detector !== undefined && { detector }),
      },
    ];
  });
