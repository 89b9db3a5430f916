import type { Queries } from '#base/db/database.ts';
import { countOf } from './limits-store.ts';
import type { Rule, RuleContent } from './rule.ts';
import { subjectName } from './subject-name.ts';

type Row<T> = T & Record<string, unknown>;

const ruleColumns = `r.rule_id as "ruleId", r.tenant_id as "tenantId", r.name, r.measure, r.subject,
  r.window_minutes as "windowMinutes", r.threshold, r.min_count as "minCount", r.enabled,
  r.muted_until as "mutedUntil", r.created_at as "createdAt", r.value, r.counted,
  r.evaluated_at as "evaluatedAt", ${subjectName('r')},
  (select count(*) from alerts.channels c where c.rule_id = r.rule_id and c.left_at is null) as "targetCount"`;

export const listRules = (db: Queries, tenantId: string): Promise<Rule[]> =>
  db.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 order by r.created_at, r.rule_id`,
    [tenantId],
  );

/** A page of them, and how many there are. */
export async function listRulesPage(
  db: Queries,
  tenantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rules: Rule[]; total: number }> {
  const rules = await db.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 order by r.created_at, r.rule_id
      limit $2 offset $3`,
    [tenantId, limit, offset],
  );
  return { rules, total: await countOf(db, 'rules', tenantId) };
}

/** @param lock until the transaction ends */
export async function findRule(
  db: Queries,
  tenantId: string,
  ruleId: string,
  lock = false,
): Promise<Rule | undefined> {
  const [row] = await db.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 and r.rule_id = $2
      ${lock ? 'for update of r' : ''}`,
    [tenantId, ruleId],
  );
  return row;
}

export interface NewRule extends RuleContent {
  readonly ruleId: string;
  readonly tenantId: string;
  readonly createdAt: Date;
}

export async function insertRule(tx: Queries, rule: NewRule): Promise<void> {
  const { ruleId, tenantId, name, measure, subject, windowMinutes, threshold, minCount, enabled, createdAt } =
    rule;
  await tx.query(
    `insert into alerts.rules (rule_id, tenant_id, name, measure, subject, window_minutes, threshold, min_count,
        enabled, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [ruleId, tenantId, name, measure, subject, windowMinutes, threshold, minCount, enabled, createdAt],
  );
}

/** What was evaluated before the change says nothing any more. */
export async function updateRule(tx: Queries, ruleId: string, content: RuleContent): Promise<void> {
  const { name, measure, subject, windowMinutes, threshold, minCount, enabled } = content;
  await tx.query(
    `update alerts.rules set name = $2, measure = $3, subject = $4, window_minutes = $5, threshold = $6,
        min_count = $7, enabled = $8, value = null, counted = 0, evaluated_at = null where rule_id = $1`,
    [ruleId, name, measure, subject, windowMinutes, threshold, minCount, enabled],
  );
}

export const setMuted = (tx: Queries, ruleId: string, until: Date | null) =>
  tx.query('update alerts.rules set muted_until = $2 where rule_id = $1', [ruleId, until]);

export const deleteRule = (tx: Queries, ruleId: string) =>
  tx.query('delete from alerts.rules where rule_id = $1', [ruleId]);

/** Tenants with something to evaluate. */
export const listTenants = async (db: Queries): Promise<string[]> =>
  (
    await db.query<{ tenantId: string }>(
      'select distinct tenant_id as "tenantId" from alerts.rules where enabled',
    )
  ).map(({ tenantId }) => tenantId);

/** The rules that are on, without those that another process has at hand. */
export const lockEnabledRules = (tx: Queries, tenantId: string): Promise<Rule[]> =>
  tx.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 and r.enabled
      order by r.rule_id for update of r skip locked`,
    [tenantId],
  );

export const saveValue = (
  tx: Queries,
  ruleId: string,
  { value, counted, at }: { value: number | null; counted: number; at: Date },
) =>
  tx.query('update alerts.rules set value = $2, counted = $3, evaluated_at = $4 where rule_id = $1', [
    ruleId,
    value,
    counted,
    at,
  ]);
