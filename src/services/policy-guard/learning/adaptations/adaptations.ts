/** Teaching guards by examples, on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Asking } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { mostAdaptations, mostExamplesTogether } from '../../contract/adaptations.ts';
import { sensitivityOf } from '../../judging/verdicts/verdict.ts';
import type { AdaptationEvents } from './events.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import type { Adaptation, LabelledPolicy, LearnedPolicy } from './adaptation.ts';
import { gatherExamples, type SentExample } from './examples.ts';
import { FairTurns } from './fair-turns.ts';
import { learn, type Learned, type Lesson } from '../../library/heads/learn.ts';
import { measure } from './measures.ts';
import * as store from './store.ts';

export interface AdaptationsDeps {
  readonly db: Database;
  readonly engine: TextEngine;
  readonly clock: Clock;
  readonly events: AdaptationEvents;
  /** @throws AppError 404 for a guard that the caller may not read, 403 for one that they may not change. */
  readonly ownGuard: (caller: Caller, guardUuid: string) => Promise<Guard>;
  /** The groups of the guard, without any adaptation. */
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
  /** The newest labelled queries of a guard, by policy. */
  readonly labels: (guardUuid: string, most: number) => Promise<LabelledPolicy[]>;
  /** Called after a guard has switched to another adaptation, before the response is sent. */
  readonly changed: (guardUuid: string) => Promise<void>;
}

export interface NewAdaptation {
  readonly examples: readonly SentExample[];
  /** Learn from the examples of the active adaptation too. */
  readonly extend: boolean;
  /** Learn from the labelled queries of the guard too. */
  readonly includeLabels: boolean;
  readonly activate: boolean;
}

/** Every method throws AppError 404 for a guard that the caller may not read, 403 for one that they may not change. */
export class Adaptations {
  readonly #deps: AdaptationsDeps;
  readonly #turns = new FairTurns();

  constructor(deps: AdaptationsDeps) {
    this.#deps = deps;
  }

  async #get(guardUuid: string, adaptationId: string): Promise<Adaptation> {
    const found = isUuid(adaptationId)
      ? await store.findAdaptation(this.#deps.db, guardUuid, adaptationId)
      : undefined;
    if (found === undefined) throw notFound('The adaptation');
    return found;
  }

  async #switchTo(asking: Asking, guard: Guard, adaptationId: string | null) {
    const { caller } = asking;
    const { db, clock, events } = this.#deps;
    const { guardUuid } = guard;
    const now = new Date(clock.now());
    const hasChanged = await db.transaction(async (tx) => {
      if (!(await store.activateAdaptation(tx, viewerOf(caller), guardUuid, adaptationId, now))) return false;
      const event = adaptationId === null ? 'guard_adaptation_deactivated' : 'guard_adaptation_activated';
      await events.adaptationsChanged(event, asking, { guard, details: {}, active: adaptationId }, tx);
      return true;
    });
    if (!hasChanged) return;
    await this.#deps.changed(guardUuid);
    events.adaptationActivated(caller, guardUuid, adaptationId);
  }

  async #learnFor(
    owner: Caller,
    guard: Guard,
    groups: readonly JudgedGroup[],
    labelled: readonly LabelledPolicy[],
  ): Promise<LearnedPolicy[]> {
    const lessons = labelled.map((policy) => lessonOf(policy, groups));
    const learned = await this.#turns.take(`${owner.tenantId}/${owner.userId}`, () =>
      learn(this.#deps.engine, lessons),
    );
    return learned.map((each, i) => {
      const { policy, group } = lessonAt(lessons, i);
      return learnedPolicy(policy, each, {
        sensitivity: sensitivityOf(guard, group),
        engineVersion: this.#deps.engine.version,
      });
    });
  }

  /** @throws AppError 422 for examples that nothing can be learned from; 409 where the guard keeps too many. */
  async create(
    asking: Asking,
    guardUuid: string,
    { examples, extend, includeLabels, activate }: NewAdaptation,
  ): Promise<Adaptation> {
    const { caller } = asking;
    const guard = await this.#deps.ownGuard(caller, guardUuid);
    const kept = await store.listAdaptations(this.#deps.db, guardUuid);
    refuseFull(kept.length);
    const { activeAdaptationId } = guard;
    const earlier =
      extend && activeAdaptationId !== null
        ? await store.listExamples(this.#deps.db, activeAdaptationId)
        : [];
    const labelled = includeLabels ? await this.#deps.labels(guardUuid, mostExamplesTogether) : [];
    const groups = await this.#deps.judgedGroups(guard);
    const gathered = gatherExamples(examples, [...labelled, ...earlier], groups);
    if (gathered.length === 0)
      throw invalid("'examples' is empty, and there are no others to learn from. Send some.");
    const policies = await this.#learnFor(caller, guard, groups, gathered);
    const createdAt = new Date(this.#deps.clock.now());
    const adaptationId = newUuid(createdAt.getTime());
    await this.#deps.db.transaction(async (tx) => {
      const taken = await store.takeVersion(tx, viewerOf(caller), guardUuid);
      if (taken === undefined) throw notFound('The guard');
      refuseFull(taken.kept);
      const made = { adaptationId, guardUuid, version: taken.version, createdAt, policies };
      await store.insertAdaptation(tx, made);
      if (activate) await store.activateAdaptation(tx, viewerOf(caller), guardUuid, adaptationId, createdAt);
      await this.#deps.events.adaptationsChanged(
        'guard_adaptation_created',
        asking,
        { guard, details: auditedOf(adaptationId, made), ...(activate && { active: adaptationId }) },
        tx,
      );
    });
    if (activate) {
      await this.#deps.changed(guardUuid);
      this.#deps.events.adaptationActivated(caller, guardUuid, adaptationId);
    }
    return this.#get(guardUuid, adaptationId);
  }

  async list(caller: Caller, guardUuid: string): Promise<Adaptation[]> {
    await this.#deps.ownGuard(caller, guardUuid);
    return store.listAdaptations(this.#deps.db, guardUuid);
  }

  async withExamples(
    caller: Caller,
    guardUuid: string,
    adaptationId: string,
  ): Promise<{ adaptation: Adaptation; labelled: LabelledPolicy[] }> {
    await this.#deps.ownGuard(caller, guardUuid);
    const adaptation = await this.#get(guardUuid, adaptationId);
    return { adaptation, labelled: await store.listExamples(this.#deps.db, adaptationId) };
  }

  async activate(asking: Asking, guardUuid: string, adaptationId: string): Promise<Adaptation> {
    const guard = await this.#deps.ownGuard(asking.caller, guardUuid);
    await this.#get(guardUuid, adaptationId);
    await this.#switchTo(asking, guard, adaptationId);
    return this.#get(guardUuid, adaptationId);
  }

  async deactivate(asking: Asking, guardUuid: string): Promise<void> {
    await this.#switchTo(asking, await this.#deps.ownGuard(asking.caller, guardUuid), null);
  }

  /** @throws AppError 409 for the active one. */
  async remove(asking: Asking, guardUuid: string, adaptationId: string): Promise<void> {
    const { db, events, ownGuard } = this.#deps;
    const guard = await ownGuard(asking.caller, guardUuid);
    const { active, version, policies } = await this.#get(guardUuid, adaptationId);
    const isGone =
      !active &&
      (await db.transaction(async (tx) => {
        if (!(await store.deleteInactive(tx, guardUuid, adaptationId))) return false;
        const details = auditedOf(adaptationId, { version, policies });
        await events.adaptationsChanged('guard_adaptation_deleted', asking, { guard, details }, tx);
        return true;
      }));
    if (!isGone)
      throw conflict(
        `The guard judges by this adaptation. Activate another, or none with DELETE /api/guards/${guardUuid}/adaptations/active, and then delete it.`,
      );
  }
}

/** Never the examples: they are texts that somebody wrote. */
const auditedOf = (
  adaptationId: string,
  {
    version,
    policies,
  }: { readonly version: number; readonly policies: readonly { readonly name: string }[] },
) => ({ adaptation_id: adaptationId, version, policies: policies.map(({ name }) => name) });

function refuseFull(kept: number): void {
  if (kept >= mostAdaptations)
    throw conflict(`The guard keeps ${kept} adaptations, the most it can. Delete one first.`);
}

interface GuardLesson extends Lesson {
  readonly policy: LabelledPolicy;
  readonly group: JudgedGroup;
}

function lessonOf(policy: LabelledPolicy, groups: readonly JudgedGroup[]): GuardLesson {
  const group = groups.find(({ groupUuid }) => groupUuid === policy.groupUuid);
  const compiled = group?.policies.find(({ id }) => id === policy.policyId)?.compiled;
  if (group === undefined || compiled === undefined)
    throw new Error(`no group has the policy ${policy.policyId}`);
  return { policy, group, compiled, examples: policy.examples };
}

function lessonAt(lessons: readonly GuardLesson[], index: number): GuardLesson {
  const lesson = lessons[index];
  if (lesson === undefined) throw new Error('more was learned than was asked for');
  return lesson;
}

function learnedPolicy(
  policy: LabelledPolicy,
  { head, scale, logits, heldOutLogits, labels }: Learned,
  { sensitivity, engineVersion }: { sensitivity: ReturnType<typeof sensitivityOf>; engineVersion: string },
): LearnedPolicy {
  return {
    ...policy,
    before: measure(logits, labels, sensitivity),
    after: heldOutLogits === null ? null : measure(heldOutLogits, labels, sensitivity),
    head,
    scale,
    engineVersion,
  };
}
