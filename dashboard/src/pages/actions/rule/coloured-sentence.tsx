import type { ReactNode } from 'react';
import type { RuleDraft } from '../../../api/action-guard.ts';
import { cn } from '../../../parts/cn.ts';
import { stretchesOf } from '../taint.ts';

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: 'read' | 'unread';
}

/** Words that became a test, and words that nothing looks for; what stands between only joins them. */
function piecesOf(text: string, { spans, unread }: Pick<RuleDraft, 'spans' | 'unread'>): Piece[] {
  const read = spans.map(({ from, to }) => ({ start: from, end: to, kind: 'read' as const }));
  const missed = stretchesOf(text, unread)
    .filter(({ start, end }) => !read.some((one) => start < one.end && one.start < end))
    .map((one) => ({ ...one, kind: 'unread' as const }));
  return [...read, ...missed].toSorted((a, b) => a.start - b.start);
}

const looks = {
  read: 'bg-good-soft text-good',
  unread: 'bg-warn-soft text-warn underline decoration-wavy decoration-1 underline-offset-4',
};

/** A rule's sentence, coloured by what was understood of it. */
export function ColouredSentence({ text, draft }: { text: string; draft: RuleDraft }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end, kind } of piecesOf(text, draft)) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark
        key={start}
        title={kind === 'read' ? 'Understood: a test of the rule' : 'Not understood: nothing looks for it'}
        className={cn('rounded px-0.5', looks[kind])}
      >
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return <p className="leading-relaxed break-words whitespace-pre-wrap">{parts}</p>;
}
