/** Tries policies on what was recorded, by the policy guard itself. */
import { createSemaphore } from '#base/semaphore.ts';
import type { TriedGroup } from './candidates.ts';
import type { Exchange, Place, Said } from './exchanges.ts';

/** What a policy is tried on. */
export interface Material {
  readonly failure: Exchange;
  readonly harmless: readonly Exchange[];
  /** Other failures like it. */
  readonly alike: readonly Exchange[];
}

/** What one policy makes of all of it, in one place. */
export interface Trial {
  readonly group: TriedGroup;
  readonly policy: TriedGroup['policies'][number];
  readonly place: Place;
  /** That of the group, or one between the case and what is harmless. */
  readonly threshold: number;
  readonly probability: number;
  readonly harmless: readonly { readonly exchange: Exchange; readonly probability: number }[];
  readonly alike: readonly number[];
}

const questionsAtOnce = 4;
const mostPolicies = 3;
/** Below it a policy is about something else: no threshold makes sense of it. */
const leastProbability = 0.1;
/** Between the case and what is harmless, for a threshold to stand there. */
const leastGap = 0.05;

export const stops = (trial: Pick<Trial, 'threshold'>, probability: number): boolean =>
  probability >= trial.threshold;

/** Answers of the policy guard, each question asked once. */
class Answers {
  readonly #places = createSemaphore(questionsAtOnce);
  readonly #kept = new Map<TriedGroup, Map<Said, Promise<Readonly<Record<string, number>>>>>();

  #ask(group: TriedGroup, said: Said, place: Place): Promise<Readonly<Record<string, number>>> {
    const kept = this.#kept.get(group) ?? new Map<Said, Promise<Readonly<Record<string, number>>>>();
    this.#kept.set(group, kept);
    const asked = kept.get(said) ?? this.#inTurn(group, said, place);
    kept.set(said, asked);
    return asked;
  }

  async #inTurn(group: TriedGroup, said: Said, place: Place) {
    using _place = await this.#places.acquire();
    return await group.judge(said, place);
  }

  /** The highest of all that was said there, by policy; a guard sees each turn. */
  async of(group: TriedGroup, { said }: Exchange, place: Place): Promise<ReadonlyMap<string, number>> {
    const all = await Promise.all(said[place].map((each) => this.#ask(group, each, place)));
    return new Map(
      group.policies.map(({ name }) => [name, Math.max(0, ...all.map((each) => each[name] ?? 0))]),
    );
  }
}

/** The policies that come nearest to stopping the case, each tried on everything. */
export async function tryPolicies(
  groups: readonly TriedGroup[],
  material: Material,
  place: Place,
): Promise<Trial[]> {
  const { failure } = material;
  if (failure.said[place].length === 0) return [];
  const answers = new Answers();
  const first = await Promise.all(
    groups.map(async (group) => {
      const found = await answers.of(group, failure, place);
      return group.policies.map((policy) => ({ group, policy, probability: found.get(policy.name) ?? 0 }));
    }),
  );
  const nearest = first
    .flat()
    .filter(({ group, probability }) => probability >= Math.min(group.threshold, leastProbability))
    .toSorted((a, b) => b.probability - b.group.threshold - (a.probability - a.group.threshold));
  // What is written from the case is always looked at, beside the nearest of what ships.
  const chosen = [
    ...nearest.filter(({ group }) => group.template !== undefined).slice(0, mostPolicies),
    ...nearest.filter(({ group }) => group.template === undefined),
  ];
  return Promise.all(
    chosen.map(async ({ group, policy, probability }) => {
      const of = async (exchange: Exchange) =>
        (await answers.of(group, exchange, place)).get(policy.name) ?? 0;
      const tried = (exchanges: readonly Exchange[]) =>
        exchanges.filter(({ said }) => said[place].length > 0);
      const harmless = await Promise.all(
        tried(material.harmless).map(async (exchange) => ({ exchange, probability: await of(exchange) })),
      );
      const alike = await Promise.all(tried(material.alike).map(of));
      const highest =
        harmless.length === 0 ? undefined : Math.max(...harmless.map((each) => each.probability));
      const threshold = thresholdFor(group.threshold, probability, highest);
      return { group, policy, place, threshold, probability, harmless, alike };
    }),
  );
}

/**
 * The group's own threshold where it stops the case and nothing harmless; else one between them, if there is room.
 * @param highest probability of something harmless; undefined where nothing was tried
 */
export function thresholdFor(own: number, probability: number, highest: number | undefined): number {
  if (highest === undefined || (probability >= own && highest < own)) return own;
  if (probability < leastProbability || probability - highest < leastGap) return own;
  const middle = (probability + highest) / 2;
  const rounded = Math.round(middle * 100) / 100;
  return rounded > highest && rounded <= probability ? rounded : middle;
}
