import { Badge } from '../../parts/badge.tsx';
import type { Entry } from './entry.ts';

const tones = { stopped: 'flag', noticed: 'warn', 'let through': 'good' } as const;

/** Let through does not mean that it went well: tools fail, and callers name what there is not. */
const otherEnds: Readonly<Record<string, 'warn' | 'plain'>> = {
  'tool error': 'warn',
  failed: 'warn',
  unknown: 'plain',
  cancelled: 'plain',
};

export const VerdictBadge = ({ verdict, word }: Pick<Entry, 'verdict' | 'word'>) => (
  <Badge tone={(verdict === 'let through' ? otherEnds[word] : undefined) ?? tones[verdict]}>{word}</Badge>
);
