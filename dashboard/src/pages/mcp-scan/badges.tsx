import type { Finding, ScanSummary } from '../../api/mcp-scan.ts';
import { Badge } from '../../parts/badge.tsx';

export type Severity = Finding['severity'];
export type Level = NonNullable<ScanSummary['security']>;

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

const severityTones = {
  critical: 'flag',
  high: 'flag',
  medium: 'warn',
  low: 'plain',
  info: 'plain',
} as const;

export const SeverityBadge = ({ severity, count }: { severity: Severity; count?: number }) => (
  <Badge tone={severityTones[severity]}>
    {count !== undefined && <span className="tabular-nums">{count}</span>} {severity}
  </Badge>
);

const levelTones = { high: 'flag', medium: 'warn', low: 'good' } as const;

/** For every rating high means more concern. */
export const LevelBadge = ({ level }: { level: Level | null }) =>
  level === null ? <span className="text-ink-soft">–</span> : <Badge tone={levelTones[level]}>{level}</Badge>;

const statusTones = {
  pending: 'plain',
  processing: 'accent',
  completed: 'good',
  failed: 'flag',
  needs_auth: 'warn',
} as const;
const statusNames = {
  pending: 'waiting',
  processing: 'under way',
  completed: 'completed',
  failed: 'failed',
  needs_auth: 'needs a token',
} as const;

export const StatusBadge = ({ status }: { status: ScanSummary['status'] }) => (
  <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
);

/** How many findings there are of each severity; the harmless ones are left out where there are worse. */
export function SeverityCounts({ scan }: { scan: Pick<ScanSummary, 'severities' | 'status'> }) {
  const found = severities.flatMap((severity) => {
    const count = scan.severities[severity] ?? 0;
    return count > 0 ? [{ severity, count }] : [];
  });
  if (found.length === 0)
    return <span className="text-ink-soft">{scan.status === 'completed' ? 'none' : '–'}</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {found.map((each) => (
        <SeverityBadge key={each.severity} {...each} />
      ))}
    </span>
  );
}
