import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Scan } from './scan.ts';

type Audited = Pick<Scan, 'scanId' | 'filename' | 'publish' | 'visibility'> & {
  readonly githubUrl?: string | null | undefined;
};

/** What the audit trail says of a scan: who sees it, and whether it is on the public leaderboard. */
export function auditedScan(
  event: `mcp_scan_${'published' | 'shared' | 'unpublished' | 'deleted'}`,
  asking: Asking,
  { before, after }: { readonly before?: Audited; readonly after?: Audited },
): AuditEvent {
  const scan = after ?? before;
  return {
    event,
    ...asking,
    details: {
      scan_id: scan?.scanId ?? null,
      name: scan?.filename ?? null,
      ...(typeof scan?.githubUrl === 'string' && { repository: scan.githubUrl }),
      changes: changesBetween(before && auditedFields(before), after && auditedFields(after)),
    },
  };
}

/** The event of a change; publishing is what everybody sees, and comes before sharing. */
export function eventOf(
  before: Audited,
  after: Audited,
): 'mcp_scan_published' | 'mcp_scan_unpublished' | 'mcp_scan_shared' {
  if (before.publish === after.publish) return 'mcp_scan_shared';
  return after.publish ? 'mcp_scan_published' : 'mcp_scan_unpublished';
}

const auditedFields = ({ publish, visibility }: Audited) => ({ publish, visibility });
