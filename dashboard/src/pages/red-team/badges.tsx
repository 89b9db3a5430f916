import type { Result, Run } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { outcomeWords } from './words.ts';

const runTones = {
  created: 'plain',
  running: 'accent',
  completed: 'good',
  failed: 'flag',
  cancelled: 'warn',
} as const;

export const RunBadge = ({ status }: Pick<Run, 'status'>) => <Badge tone={runTones[status]}>{status}</Badge>;

const taskTones = {
  pending: 'plain',
  running: 'accent',
  passed: 'good',
  failed: 'flag',
  error: 'warn',
  cancelled: 'plain',
} as const;

/** How a task ended: its status, and the outcome where there is one. */
export const TaskBadge = ({ status, outcome }: Pick<Result, 'status' | 'outcome'>) => (
  <Badge tone={taskTones[status]}>
    {outcome === null ? status : `${status}: ${outcomeWords[outcome] ?? outcome}`}
  </Badge>
);

/** What kind of task it is. */
export const KindBadges = ({
  task: { threat_model: model, risk_category: category, vector },
}: {
  task: Pick<Result, 'threat_model' | 'risk_category' | 'vector'>;
}) => (
  <>
    <Badge tone={model === 'benign' ? 'good' : 'plain'}>{model}</Badge>
    {category !== null && <Badge>{category}</Badge>}
    {vector !== null && <Badge>{vector.replaceAll('_', ' ')}</Badge>}
  </>
);
