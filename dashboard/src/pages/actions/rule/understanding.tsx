import type { RuleDraft } from '../../../api/action-guard.ts';
import { Badge } from '../../../parts/badge.tsx';

const words = {
  fully: ['good', 'understood'],
  partly: ['warn', 'understood in part'],
  not: ['flag', 'not understood'],
} as const;

type Read = Pick<RuleDraft, 'understood'>;

export const UnderstoodBadge = ({ understood }: Read) => (
  <Badge tone={words[understood][0]}>{words[understood][1]}</Badge>
);

/** Words that nothing looks for, and what else may be otherwise than it was meant. */
export function Doubts({ unread, doubts, understood }: Pick<RuleDraft, 'unread' | 'doubts' | 'understood'>) {
  const all = [
    ...(understood === 'partly' && unread.length > 0
      ? [`Nothing looks for: ${unread.map((word) => `“${word}”`).join(', ')}.`]
      : []),
    ...doubts,
  ];
  if (all.length === 0) return null;
  return (
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-[13px] text-warn">
      {all.map((doubt) => (
        <li key={doubt}>{doubt}</li>
      ))}
    </ul>
  );
}
