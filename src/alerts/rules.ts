/** Rules as their owners change them, whichever operation they use. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Asking } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { auditedRule, type AuditedRule } from './audited.ts';
import { leaveTargets, listTargets } from './channels-store.ts';
import { maxRules } from './contract/alerts.ts';
import { resolve, type EvaluateDeps } from './evaluate.ts';
import { listOpenIncidents } from './incidents-store.ts';
import { countOf, lockTenant } from './limits-store.ts';
import type { Incident, Rule, RuleContent } from './rule.ts';
import { deleteRule, findRule, insertRule, setMuted, updateRule } from './rules-store.ts';
import type { Subjects } from './subjects.ts';

export interface RuleDeps extends EvaluateDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'audit'>;
  readonly subjects: Pick<Subjects, 'check'>;
}

/** A rule, and what fires by it. */
export interface RuleState {
  readonly rule: Rule;
  readonly open: Incident | undefined;
}

/** @throws AppError 403 for others than administrators */
export function requireAdmin(caller: Caller): void {
  if (!caller.roles.includes('admin')) throw forbidden('Alerts are for administrators of the tenant.');
}

const unknownRule = () => notFound('The alert rule');

export class Rules {
  readonly #deps: RuleDeps;

  constructor(deps: RuleDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 403, 404 */
  async get(caller: Caller, ruleId: string): Promise<RuleState> {
    requireAdmin(caller);
    return this.#stateOf(await this.#find(this.#deps.db, caller, ruleId), this.#deps.db);
  }

  /**
   * @param within done in the same transaction, when the rule is there
   * @throws AppError 403, 409 for too many, 422 for a subject that does not exist
   */
  async create(
    asking: Asking,
    content: RuleContent,
    within: (tx: Queries, ruleId: string) => Promise<void> = async () => {},
  ): Promise<RuleState> {
    const { caller } = asking;
    requireAdmin(caller);
    const { db, clock, identity, subjects } = this.#deps;
    await subjects.check(caller, content.measure, content.subject);
    const { tenantId } = caller;
    const ruleId = newUuid(clock.now());
    await db.transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      if ((await countOf(tx, 'rules', tenantId)) >= maxRules)
        throw conflict(
          `There are ${maxRules} alert rules, the most that a tenant can have. Delete one first.`,
        );
      await insertRule(tx, { ...content, ruleId, tenantId, createdAt: new Date(clock.now()) });
      await within(tx, ruleId);
      const after = await audited(tx, await this.#find(tx, caller, ruleId));
      await identity.audit(auditedRule('alert_rule_created', asking, { after }), tx);
    });
    return this.get(caller, ruleId);
  }

  /**
   * Changes what a rule says. What fires is resolved where the rule measures something else, is off or tells others.
   * @param within done in the same transaction, before what fires is resolved; answers what happens after that, if
   *   others are told from now on
   * @throws AppError 403, 404
   */
  async replace(
    asking: Asking,
    ruleId: string,
    content: RuleContent,
    within: (tx: Queries) => Promise<((tx: Queries) => Promise<void>) | undefined> = async () => undefined,
  ): Promise<RuleState> {
    const { caller } = asking;
    const before = (await this.get(caller, ruleId)).rule;
    // A rule whose subject was deleted can still be changed otherwise.
    if (content.subject !== before.subject || content.measure !== before.measure)
      await this.#deps.subjects.check(caller, content.measure, content.subject);
    return this.#change('alert_rule_changed', asking, ruleId, async (tx, rule) => {
      const tellOthers = await within(tx);
      const isAnother = rule.measure !== content.measure || rule.subject !== content.subject;
      if (isAnother || !content.enabled || tellOthers !== undefined) await this.#endIncident(tx, rule);
      await updateRule(tx, rule.ruleId, content);
      await tellOthers?.(tx);
    });
  }

  /**
   * @param until null: from now on it tells again
   * @throws AppError 403, 404
   */
  mute(asking: Asking, ruleId: string, until: Date | null): Promise<RuleState> {
    const event = until === null ? 'alert_rule_unmuted' : 'alert_rule_muted';
    return this.#change(event, asking, ruleId, (tx, rule) => setMuted(tx, rule.ruleId, until));
  }

  /** @throws AppError 403, 404 */
  async delete(asking: Asking, ruleId: string): Promise<void> {
    const { caller } = asking;
    requireAdmin(caller);
    const { db, clock, identity } = this.#deps;
    await db.transaction(async (tx) => {
      const found = await this.#find(tx, caller, ruleId, true);
      await this.#endIncident(tx, found);
      const before = await audited(tx, found);
      const ids = before.targets.map(({ channelId }) => channelId);
      await leaveTargets(tx, ids, new Date(clock.now()));
      await deleteRule(tx, found.ruleId);
      await identity.audit(auditedRule('alert_rule_deleted', asking, { before }), tx);
    });
  }

  /** Changes a rule while nobody else does, neither a user nor the evaluation. */
  async #change(
    event: Exclude<Parameters<typeof auditedRule>[0], `${string}_${'created' | 'deleted'}`>,
    asking: Asking,
    ruleId: string,
    how: (tx: Queries, rule: Rule) => Promise<unknown>,
  ): Promise<RuleState> {
    const { caller } = asking;
    requireAdmin(caller);
    const { db, identity } = this.#deps;
    return db.transaction(async (tx) => {
      const rule = await this.#find(tx, caller, ruleId, true);
      const before = await audited(tx, rule);
      await how(tx, rule);
      const after = await audited(tx, await this.#find(tx, caller, rule.ruleId));
      await identity.audit(auditedRule(event, asking, { before, after }), tx);
      return this.#stateOf(after.rule, tx);
    });
  }

  async #find(queries: Queries, { tenantId }: Caller, ruleId: string, lock = false): Promise<Rule> {
    const rule = isUuid(ruleId) ? await findRule(queries, tenantId, ruleId, lock) : undefined;
    if (rule === undefined) throw unknownRule();
    return rule;
  }

  async #stateOf(rule: Rule, queries: Queries): Promise<RuleState> {
    const [open] = await listOpenIncidents(queries, [rule.ruleId]);
    return { rule, open };
  }

  async #endIncident(tx: Queries, rule: Rule): Promise<void> {
    const [incident] = await listOpenIncidents(tx, [rule.ruleId]);
    if (incident !== undefined)
      await resolve(this.#deps, tx, { rule, incident, resolution: 'rule_changed', value: incident.value });
  }
}

/** The rules with what fires by each. */
export async function withIncidents(db: Queries, rules: readonly Rule[]): Promise<RuleState[]> {
  const found = await listOpenIncidents(
    db,
    rules.map(({ ruleId }) => ruleId),
  );
  const open = new Map(found.map((incident) => [incident.ruleId, incident]));
  return rules.map((rule) => ({ rule, open: open.get(rule.ruleId) }));
}

const audited = async (tx: Queries, rule: Rule): Promise<AuditedRule> => ({
  rule,
  targets: await listTargets(tx, [rule.ruleId]),
});
