import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { forbidden, invalid, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { catalogueRules, type CatalogueRule } from './catalogue-rules.ts';
import { listOverrides, type Override, type OverrideChange, writeOverrides } from './store.ts';

export interface TenantRule {
  readonly rule: CatalogueRule;
  readonly override: Override | undefined;
}

export interface Rules {
  /** Of a tenant, for work that no caller asked for. */
  readonly of: (tenantId: string, tx: Queries) => Promise<TenantRule[]>;
  list(caller: Caller, tenantId: string | undefined): Promise<TenantRule[]>;
  /** Throws 403 but for administrators, 404 where `one` is set and there is no such rule, else 422 and nothing is written. */
  change(request: RuleChange): Promise<TenantRule[]>;
  /** The rules that the tenant has disabled. */
  disabled(tenantId: string): Promise<string[]>;
}

interface RuleChange {
  readonly changes: readonly OverrideChange[];
  readonly caller: Caller;
  readonly tenantId: string | undefined;
  readonly request: RequestFacts;
  /** It is a change of one rule, named by its path. */
  readonly one?: boolean;
}

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly matcher: Matcher;
}

/** What whole tenants are told by is for their administrators. */
export function requireAdmin(caller: Caller): void {
  if (!caller.roles.includes('admin'))
    throw forbidden('Only an administrator of the tenant can change this.');
}

export function createRules({ db, clock, identity, matcher }: Deps): Rules {
  const all = catalogueRules(matcher.catalogue);
  const byId = new Map(all.map((rule) => [rule.id, rule]));
  const listOf = async (tenantId: string, queries: Queries = db): Promise<TenantRule[]> => {
    const overrides = new Map((await listOverrides(queries, tenantId)).map((each) => [each.ruleId, each]));
    return all.map((rule) => ({ rule, override: overrides.get(rule.id) }));
  };
  return {
    of: listOf,
    list: async (caller, tenantId) => listOf(await identity.tenantFor(caller, tenantId)),
    async change({ changes, caller, tenantId: wanted, request, one = false }) {
      const tenantId = await identity.tenantFor(caller, wanted);
      requireAdmin(caller);
      const ids = changes.map(({ ruleId }) => ruleId);
      const unknown = ids.find((id) => !byId.has(id));
      if (unknown !== undefined)
        throw one ? notFound('The rule') : invalid(`There is no rule '${unknown}'; nothing was changed.`);
      const twice = ids.find((id, i) => ids.indexOf(id) !== i);
      if (twice !== undefined) throw invalid(`The rule '${twice}' is named twice; nothing was changed.`);
      const written = changes.filter(
        ({ enabled, severity }) => enabled !== undefined || severity !== undefined,
      );
      if (written.length > 0) {
        const wanted = new Set(written.map(({ ruleId }) => ruleId));
        const told = async (tx: Queries) =>
          Object.fromEntries(
            (await listOf(tenantId, tx))
              .filter(({ rule }) => wanted.has(rule.id))
              .flatMap(({ rule, override }) => [
                [`${rule.id} enabled`, override?.enabled ?? true],
                [`${rule.id} severity`, override?.severity ?? rule.severity],
              ]),
          );
        await db.transaction(async (tx) => {
          const before = await told(tx);
          await writeOverrides(tx, tenantId, written, new Date(clock.now()));
          const details = { rule_ids: [...wanted], changes: changesBetween(before, await told(tx)) };
          await identity.audit({ event: 'shadow_ai_rules_changed', caller, tenantId, request, details }, tx);
        });
      }
      const changed = new Set(ids);
      return (await listOf(tenantId)).filter(({ rule }) => changed.has(rule.id));
    },
    disabled: async (tenantId) =>
      (await listOverrides(db, tenantId))
        .filter(({ enabled }) => enabled === false)
        .map(({ ruleId }) => ruleId),
  };
}
