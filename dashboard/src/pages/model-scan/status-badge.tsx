import type { Scan } from '../../api/model-scan.ts';
import { Badge } from '../../parts/badge.tsx';

const tones = {
  Initializing: 'accent',
  Scanning: 'accent',
  Paused: 'warn',
  Finished: 'good',
  Failed: 'flag',
  Error: 'flag',
} as const;

export const StatusBadge = ({ status }: Pick<Scan, 'status'>) => <Badge tone={tones[status]}>{status}</Badge>;

const risks = { Low: 'good', Medium: 'warn', High: 'flag' } as const;

export const RiskBadge = ({ level }: { level: string }) => (
  <Badge tone={level in risks ? risks[level as keyof typeof risks] : 'plain'}>{level} risk</Badge>
);

const scoreTones = { 100: ['passed', 'good'], 50: ['partly', 'warn'], 0: ['failed', 'flag'] } as const;

/** The verdict on a test. */
export function ScoreBadge({ score }: { score: number | null }) {
  if (score !== 0 && score !== 50 && score !== 100) return <Badge>not assessed</Badge>;
  const [word, tone] = scoreTones[score];
  return <Badge tone={tone}>{word}</Badge>;
}
