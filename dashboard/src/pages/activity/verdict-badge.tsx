import { Badge } from '../../parts/badge.tsx';
import type { Entry } from './entry.ts';

const tones = { stopped: 'flag', noticed: 'warn', 'let through': 'good' } as const;

export const VerdictBadge = ({ verdict, word }: Pick<Entry, 'verdict' | 'word'>) => (
  <Badge tone={word === 'held' ? 'warn' : tones[verdict]}>{word}</Badge>
);
