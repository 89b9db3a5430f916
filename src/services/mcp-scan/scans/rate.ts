/** What a result counts as: for a tenant suppressions decide which findings count, for the public none do. */
import type { Queries } from '#base/db/database.ts';
import { type Level, ratingsOf, scoreOf } from '#engine/mcp-servers/ratings.ts';
import { isSuppressed, withSuppressions, type Finding } from '#findings/finding.ts';
import type { Severity } from '#findings/severity.ts';
import { countOffers } from '../scanning/offers.ts';
import type { ScanResult } from '../scanning/result.ts';
import type { Rated, Scan } from './scan.ts';
import { findSuppressions } from '../kept/suppressions.ts';

/** The findings of a scan with the suppressions on them that hold for it. */
export async function findingsFor(
  db: Queries,
  of: Pick<Scan, 'tenantId' | 'ownerId'>,
  findings: readonly Finding[],
  now: Date,
): Promise<Finding[]> {
  const suppressions = await findSuppressions(
    db,
    of,
    findings.map(({ fingerprint }) => fingerprint),
    now,
  );
  return withSuppressions(findings, suppressions);
}

/** @param findings of the result, with the suppressions that count */
export function rate(result: ScanResult, findings: readonly Finding[], now: Date): Rated {
  const counting = findings.filter((finding) => !isSuppressed(finding, now));
  const severities: Partial<Record<Severity, number>> = {};
  for (const { severity } of counting) severities[severity] = (severities[severity] ?? 0) + 1;
  const { coverage, tools, lines, directDependencies } = result;
  const offers = countOffers(result);
  return {
    ratings: ratingsOf({
      findings,
      tools,
      directDependencies,
      now,
      ...(coverage !== undefined && {
        source: { presentBytes: coverage.sourceBytes, analysedBytes: coverage.analysedBytes, lines },
      }),
    }),
    score: scoreOf(findings, now),
    vulnerabilityCount: counting.length,
    severities,
    flaggedCount: offers.tool.flagged,
    toolCount: offers.tool.total,
    wasRead: (coverage?.analysedBytes ?? 0) > 0 || tools.length > 0,
    serverCount: Math.max(result.servers.length, result.server === undefined ? 0 : 1),
  };
}

/** The level of security where none of the findings counts. */
export const leastSecurityOf = (result: ScanResult): Level =>
  rate(result, [], new Date(0)).ratings.security.level;
