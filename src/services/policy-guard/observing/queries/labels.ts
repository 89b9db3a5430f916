/** Labels of logged texts by users: examples to learn from. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Asking, Audit, AuditEvent } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { LabelledPolicy } from '../../learning/adaptations/adaptation.ts';
import { policyFor } from '../../learning/adaptations/examples.ts';
import { mostTextKept } from '../../contract/queries.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import {
  countLabelsOfGuard,
  deleteLabelsOfQuery,
  listLabelsOfGuard,
  listLabelsOfQuery,
  saveLabel,
  type Label,
} from './labels-store.ts';
import type { QueryReader } from './queries.ts';
import type { Query } from './query.ts';

export interface LabelsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly queries: QueryReader;
  /** Undefined where there is none of that tenant. */
  readonly findGuard: (tenantId: string, guardUuid: string) => Promise<Guard | undefined>;
  /** @throws AppError 404 for a guard that is not the caller's. */
  readonly ownGuard: (caller: Caller, guardUuid: string) => Promise<Guard>;
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
}

export interface NewLabel {
  readonly policy: string;
  readonly groupUuid: string | undefined;
  readonly violates: boolean;
}

/** @throws AppError 409 where the log has not the whole text. */
function wholeText({ text, textLength }: Query): string {
  if (text === null)
    throw conflict(
      "The text of this query was not kept. With the guard's settings.log_requests on and settings.log_text full, later ones are.",
    );
  if (textLength > mostTextKept)
    throw conflict(
      `Of this text only the first ${mostTextKept} characters were kept: too long to learn from.`,
    );
  return text;
}

export class Labels {
  readonly #deps: LabelsDeps;

  constructor(deps: LabelsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 404 for unknown this.#deps.queries and guards; 422 for policies that the guard has not; 409 without text. */
  async add(
    asking: Asking,
    queryId: string,
    { policy: name, groupUuid, violates }: NewLabel,
  ): Promise<Label> {
    const { caller } = asking;
    const query = await this.#deps.queries.get(caller, queryId);
    const text = wholeText(query);
    const guard = await this.#deps.findGuard(caller.tenantId, query.guardUuid);
    if (guard === undefined) throw notFound('The guard of this query');
    const { group, policy } = policyFor(
      { policy: name, groupUuid },
      '',
      await this.#deps.judgedGroups(guard),
    );
    const label: Label = {
      queryId: query.queryId,
      guardUuid: guard.guardUuid,
      groupUuid: group.groupUuid,
      policyId: policy.id,
      policyName: policy.name,
      violates,
      text,
      labelledBy: caller.userId,
      labelledAt: new Date(this.#deps.clock.now()),
    };
    await this.#deps.db.transaction(async (tx) => {
      const known = await listLabelsOfQuery(tx, query.queryId);
      if (!(await saveLabel(tx, label))) throw notFound('The guard of this query');
      const before = known.find(
        (each) => each.groupUuid === label.groupUuid && each.policyId === label.policyId,
      );
      await this.#deps.audit(auditedLabels('query_labelled', asking, guard, { before, after: label }), tx);
    });
    return label;
  }

  async ofQuery(query: Query): Promise<Label[]> {
    return listLabelsOfQuery(this.#deps.db, query.queryId);
  }

  async remove(asking: Asking, queryId: string): Promise<void> {
    const { caller } = asking;
    const known = isUuid(queryId) ? await listLabelsOfQuery(this.#deps.db, queryId) : [];
    const [label] = known;
    // The labels may have outlived the log entry; then the guard determines their owner.
    if (label === undefined) await this.#deps.queries.get(caller, queryId);
    else await this.#deleteAll(asking, label);
  }

  async #deleteAll(asking: Asking, label: Label): Promise<void> {
    const guard = await this.#guardOf(asking.caller, label);
    await this.#deps.db.transaction(async (tx) => {
      const known = await listLabelsOfQuery(tx, label.queryId);
      await deleteLabelsOfQuery(tx, label.queryId);
      for (const before of known)
        await this.#deps.audit(auditedLabels('query_label_deleted', asking, guard, { before }), tx);
    });
  }

  async ofGuard(
    caller: Caller,
    guardUuid: string,
    page: { limit: number; offset: number },
  ): Promise<{ labels: Label[]; total: number }> {
    await this.#deps.ownGuard(caller, guardUuid);
    const [labels, total] = await Promise.all([
      listLabelsOfGuard(this.#deps.db, guardUuid, page),
      countLabelsOfGuard(this.#deps.db, guardUuid),
    ]);
    return { labels, total };
  }

  /** The guard's labels as examples, by policy; of two labels on one text the newer counts. */
  async asExamples(guardUuid: string, most: number): Promise<LabelledPolicy[]> {
    const byPolicy = new Map<string, LabelledPolicy & { examples: { text: string; violates: boolean }[] }>();
    for (const label of await listLabelsOfGuard(this.#deps.db, guardUuid, { limit: most, offset: 0 })) {
      const { groupUuid, policyId, policyName: name, text, violates } = label;
      const key = `${groupUuid}/${policyId}`;
      const known = byPolicy.get(key) ?? { groupUuid, policyId, name, examples: [] };
      byPolicy.set(key, known);
      if (!known.examples.some((example) => example.text === text)) known.examples.push({ text, violates });
    }
    return [...byPolicy.values()];
  }

  /** @throws AppError 404 for labels of another's guard */
  async #guardOf(caller: Caller, { guardUuid }: Label): Promise<Guard> {
    const guard = await this.#deps.findGuard(caller.tenantId, guardUuid);
    if (guard === undefined || (guard.ownerId !== caller.userId && !caller.roles.includes('admin')))
      throw notFound('The query');
    return guard;
  }
}

/** A label keeps its text beyond the query log's retention, but the trail never has the text. */
function auditedLabels(
  event: 'query_labelled' | 'query_label_deleted',
  asking: Asking,
  guard: Guard,
  { before, after }: { readonly before?: Label | undefined; readonly after?: Label },
): AuditEvent {
  const label = after ?? before;
  return {
    event,
    ...asking,
    details: {
      query_id: label?.queryId ?? null,
      name: label?.policyName ?? null,
      guard_uuid: guard.guardUuid,
      guard_name: guard.name,
      changes: changesBetween(before && { violates: before.violates }, after && { violates: after.violates }),
    },
  };
}
