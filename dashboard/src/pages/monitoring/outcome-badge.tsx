import type { QueryEntry } from '../../api/monitoring.ts';
import { Badge } from '../../parts/badge.tsx';

const tones = { flagged: 'flag', observed: 'warn', allowed: 'accent', passed: 'good' } as const;

export const OutcomeBadge = ({ outcome }: { outcome: QueryEntry['outcome'] }) => (
  <Badge tone={tones[outcome]}>{outcome}</Badge>
);
