/** How well a policy is judged on the test cases of its author: measured when it is first asked for, and kept. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { CompiledPolicy, PolicySource } from '#engine/text/types.ts';
import { findMarkedCases, listMeasured, type MeasuredQuality, saveMeasured } from './test-case-store.ts';
import type { TestCase } from './test-case.ts';

/** With fewer of either kind an area under the curve says nothing. */
const leastOfEither = 6;

/** What is judged, as far as it matters here. */
interface MeasuredPolicy {
  readonly id: string;
  readonly source: Pick<PolicySource, 'detector'>;
  readonly compiled: CompiledPolicy;
}

interface MeasuredGroup {
  readonly groupUuid: string;
  readonly version: number;
  readonly policies: readonly MeasuredPolicy[];
}

export interface MeasuredCasesDeps {
  readonly db: Database;
  readonly engine: Pick<TextEngine, 'analysePieces' | 'score' | 'version'>;
  readonly log: Logger;
  readonly judgedGroups: (
    tenantId: string,
    groupUuids: readonly string[],
  ) => Promise<readonly MeasuredGroup[]>;
}

interface Place {
  readonly groupUuid: string;
  readonly policyId: string;
}

interface Due extends Place {
  readonly compiled: CompiledPolicy;
  readonly version: string;
}

const keyOf = ({ groupUuid, policyId }: Place) => `${groupUuid} ${policyId}`;

export class MeasuredCases {
  readonly #deps: MeasuredCasesDeps;
  /** Those that are being measured or wait for it: one at a time, so that judging has its turn. */
  readonly #due = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  constructor(deps: MeasuredCasesDeps) {
    this.#deps = deps;
  }

  /** By policy. What has changed is left out, and measured for the next time. */
  async of(tenantId: string, groupUuids: readonly string[]): Promise<ReadonlyMap<string, MeasuredQuality>> {
    const { db, judgedGroups } = this.#deps;
    const rows = await listMeasured(db, groupUuids, 2 * leastOfEither);
    if (rows.length === 0) return new Map();
    const groups = await judgedGroups(tenantId, [...new Set(rows.map(({ groupUuid }) => groupUuid))]);
    const found = new Map<string, MeasuredQuality>();
    for (const { measured, ...place } of rows) {
      const group = groups.find(({ groupUuid }) => groupUuid === place.groupUuid);
      const policy = group?.policies.find(({ id }) => id === place.policyId);
      if (group === undefined || policy === undefined || policy.source.detector !== undefined) continue;
      const version = this.#versionOf(group, policy);
      if (measured?.version !== version) this.#measureLater({ ...place, compiled: policy.compiled, version });
      else if (isEnough(measured)) found.set(place.policyId, measured);
    }
    return found;
  }

  /** Resolves when nothing is left to measure. */
  async settled(): Promise<void> {
    await Promise.all(this.#due.values());
  }

  /** What a policy has learned raises no version of its group: it is known by its number of examples. */
  #versionOf({ version }: MeasuredGroup, { compiled }: MeasuredPolicy): string {
    return `${this.#deps.engine.version} ${version} ${compiled.head?.examples ?? 0}`;
  }

  #measureLater(due: Due): void {
    const key = keyOf(due);
    if (this.#due.has(key)) return;
    const work = this.#last
      .then(() => this.#measure(due))
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'test cases of a policy could not be measured'))
      .finally(() => this.#due.delete(key));
    this.#due.set(key, work);
    this.#last = work;
  }

  async #measure({ compiled, version, ...place }: Due): Promise<void> {
    const { db } = this.#deps;
    const found = await findMarkedCases(db, place);
    if (found === undefined) return;
    await saveMeasured(db, place, found.mark, {
      version,
      ...(await this.#judge(compiled, found.cases)),
    });
  }

  async #judge(
    policy: CompiledPolicy,
    cases: readonly TestCase[],
  ): Promise<Omit<MeasuredQuality, 'version'>> {
    const scores: number[] = [];
    for (const { text } of cases) {
      await yieldToEventLoop();
      scores.push(this.#probability(policy, text));
    }
    const of = (violates: boolean) => scores.filter((_, at) => cases[at]?.violates === violates);
    const [violating, harmless] = [of(true), of(false)];
    const flagged = (some: readonly number[]) =>
      some.filter((score) => score >= 0.5).length / Math.max(1, some.length);
    return {
      violating: violating.length,
      harmless: harmless.length,
      quality: areaUnderRoc(
        [...violating, ...harmless],
        [...violating.map(() => 1), ...harmless.map(() => 0)],
      ),
      found: flagged(violating),
      flagged: flagged(harmless),
    };
  }

  #probability(policy: CompiledPolicy, text: string): number {
    const { engine } = this.#deps;
    let most = 0;
    for (const { analysis } of engine.analysePieces(text))
      most = Math.max(most, engine.score(analysis, policy).probability);
    return most;
  }
}

const isEnough = ({ violating, harmless }: MeasuredQuality): boolean =>
  violating >= leastOfEither && harmless >= leastOfEither;
