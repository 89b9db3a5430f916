import type { Severity } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';

const tones = { High: 'flag', Medium: 'warn', Low: 'plain' } as const;

export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <Badge tone={tones[severity]}>{severity}</Badge>
);
