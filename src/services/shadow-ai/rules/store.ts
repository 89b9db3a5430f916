import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Severity } from '#engine/shadow-ai/catalogue.ts';

/** What a tenant has changed of a rule; null leaves it as the catalogue has it. */
export interface Override {
  readonly ruleId: string;
  readonly enabled: boolean | null;
  readonly severity: Severity | null;
}

export const listOverrides = (
  db: Queries,
  tenantId: string,
): Promise<(Override & Record<string, unknown>)[]> =>
  db.query(
    'select rule_id as "ruleId", enabled, severity from shadow_ai.rule_overrides where tenant_id = $1',
    [tenantId],
  );

/** What is to be written: a field that is not there stays as it is. */
export interface OverrideChange {
  readonly ruleId: string;
  readonly enabled?: boolean | undefined;
  /** Null clears it. */
  readonly severity?: Severity | null | undefined;
}

/** Writes all, in one statement. */
export async function writeOverrides(
  db: Queries,
  tenantId: string,
  changes: readonly OverrideChange[],
  at: Date,
): Promise<void> {
  const rows = changes.map(({ ruleId, enabled, severity }) => ({
    ruleId,
    enabled: enabled ?? null,
    hasEnabled: enabled !== undefined,
    severity: severity ?? null,
    hasSeverity: severity !== undefined,
  }));
  await db.query(
    `insert into shadow_ai.rule_overrides as known (tenant_id, rule_id, enabled, severity, updated_at)
     select $1::uuid, "ruleId", enabled, severity, $3::timestamptz
     from json_to_recordset($2::json) as c ("ruleId" text, enabled boolean, severity text) order by 2
     on conflict (tenant_id, rule_id) do update set
       enabled = case when (select "hasEnabled" from json_to_recordset($2::json) as c ("ruleId" text, "hasEnabled" boolean)
         where c."ruleId" = excluded.rule_id) then excluded.enabled else known.enabled end,
       severity = case when (select "hasSeverity" from json_to_recordset($2::json) as c ("ruleId" text, "hasSeverity" boolean)
         where c."ruleId" = excluded.rule_id) then excluded.severity else known.severity end,
       updated_at = excluded.updated_at`,
    [tenantId, json(rows), at],
  );
}
