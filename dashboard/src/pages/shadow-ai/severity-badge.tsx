import { Badge } from '../../parts/badge.tsx';

const tones = {
  CRITICAL: 'flag',
  HIGH: 'flag',
  MEDIUM: 'warn',
  LOW: 'plain',
  INFORMATIONAL: 'plain',
} as const;

export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFORMATIONAL'] as const;
export type Severity = (typeof severities)[number];

export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <Badge tone={tones[severity]}>{severity.toLowerCase()}</Badge>
);
