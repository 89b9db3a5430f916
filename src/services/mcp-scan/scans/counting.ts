/**
 * What scans count as at a moment, with the suppressions of that moment. It is found when it is read: a suppression that
 * was made, deleted or has run out shows at once, in all processes, and lists filter by what they show.
 */
import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { levelOf, type Level } from '#engine/mcp-servers/ratings.ts';
import type { Finding } from '#findings/finding.ts';
import type { Severity } from '#findings/severity.ts';

/** What a scan counts as. */
export interface Counted {
  security: Level | null;
  vulnerabilityCount: number;
  severities: Partial<Record<Severity, number>>;
}

/**
 * Of a finding `f` of a scan `s`: that it counts.
 * @param now a parameter, such as `$3`
 * @param reader the parameter of a user; suppressions that others made for their own scans do not hold for that user
 */
// Not as `not exists`: planned as a join, that reads all suppressions anew for each scan of a list, in place of the few
// of one finding by their index.
const counts = (now: string, reader = 's.owner_id') => `(select true from mcp_scan.suppressions u
  where u.tenant_id = s.tenant_id and u.fingerprint = f.fingerprint and coalesce(u.until > ${now}::timestamptz, true)
    and (u.scope = 'tenant' or (u.by_user = s.owner_id and u.by_user = ${reader}::uuid)) limit 1) is null`;

// Where a process of an earlier version has written a scan, its findings are not listed: what it stored counts. A scan that
// has neither is not rated: its findings are those of its configuration.
const levelAt = (now: string, reader?: string) => `case when s.least_security is null then s.security
  when exists (select from mcp_scan.findings f where f.scan_id = s.scan_id and f.level = 'high' and ${counts(now, reader)}) then 'high'
  when s.least_security = 'medium' or exists (select from mcp_scan.findings f
    where f.scan_id = s.scan_id and f.level = 'medium' and ${counts(now, reader)}) then 'medium'
  else 'low' end`;

/** The level of security of a scan `s`, as SQL. */
export const securityAt = (now: string): string => `(${levelAt(now)})`;

const severitiesAt = (
  now: string,
  reader?: string,
) => `case when s.least_security is null and s.security is not null then s.severities else
  (select json_object_agg(c.severity, c.count) from (select f.severity, count(*) from mcp_scan.findings f
    where f.scan_id = s.scan_id and ${counts(now, reader)} group by f.severity) c) end`;

const none: Counted = { security: null, vulnerabilityCount: 0, severities: {} };

/**
 * What scans count as now.
 * @param options.reader for whom suppressions that others made for their own scans do not hold; without one each scan
 * counts as for its owner
 */
export async function countedOf(
  db: Queries,
  scanIds: readonly number[],
  { now, reader }: { now: Date; reader?: string },
): Promise<(scanId: number) => Counted> {
  if (scanIds.length === 0) return () => none;
  const whose = reader === undefined ? undefined : '$3';
  const rows = await db.query<{
    scanId: number;
    security: Level | null;
    severities: Counted['severities'] | null;
  }>(
    `select s.scan_id as "scanId", ${levelAt('$2', whose)} as security, ${severitiesAt('$2', whose)} as severities
      from mcp_scan.scans s where s.scan_id = any($1::bigint[])`,
    [scanIds, now, ...(reader === undefined ? [] : [reader])],
  );
  const counted = new Map(
    rows.map(({ scanId, security, severities }) => {
      const found = severities ?? {};
      const vulnerabilityCount = Object.values(found).reduce((sum, count) => sum + count, 0);
      return [scanId, { security, severities: found, vulnerabilityCount }];
    }),
  );
  return (scanId) => counted.get(scanId) ?? none;
}

/**
 * Notes what the findings of a result weigh; with the result itself, in one transaction.
 * @param leastSecurity null for a scan that is not rated
 */
export async function writeFindings(
  tx: Queries,
  scanId: number,
  findings: readonly Finding[],
  leastSecurity: Level | null,
): Promise<void> {
  await tx.query(`delete from mcp_scan.findings where scan_id = $1`, [scanId]);
  await tx.query(
    `insert into mcp_scan.findings (scan_id, fingerprint, severity, level)
      select $1, f->>'fingerprint', f->>'severity', f->>'level' from json_array_elements($2::json) f`,
    [
      scanId,
      json(
        findings.map((each) => ({
          fingerprint: each.fingerprint,
          severity: each.severity,
          level: levelOf(each),
        })),
      ),
    ],
  );
  await tx.query(`update mcp_scan.scans set least_security = $2 where scan_id = $1`, [scanId, leastSecurity]);
}
