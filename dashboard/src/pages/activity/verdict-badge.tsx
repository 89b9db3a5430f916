import { Badge } from '../../parts/badge.tsx';
import type { Entry } from './entry.ts';

const tones = { stopped: 'flag', noticed: 'warn', 'let through': 'good' } as const;

type Tone = (typeof tones)[keyof typeof tones] | 'plain';

/** Let through does not mean that it went well: tools fail, and callers name what there is not. */
const otherEnds: Readonly<Record<string, 'warn' | 'plain'>> = {
  'tool error': 'warn',
  failed: 'warn',
  unknown: 'plain',
  cancelled: 'plain',
};

function toneOf(verdict: Entry['verdict'], word: string): Tone {
  // It may still come to be done.
  if (word === 'held') return 'warn';
  return (verdict === 'let through' ? otherEnds[word] : undefined) ?? tones[verdict];
}

export const VerdictBadge = ({ verdict, word }: Pick<Entry, 'verdict' | 'word'>) => (
  <Badge tone={toneOf(verdict, word)}>{word}</Badge>
);
