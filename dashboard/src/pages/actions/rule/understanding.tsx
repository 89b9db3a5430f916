import type { RuleDraft } from '../../../api/action-guard.ts';
import { Badge } from '../../../parts/badge.tsx';
import { cn } from '../../../parts/cn.ts';

const words = {
  fully: ['good', 'understood'],
  partly: ['warn', 'understood in part'],
  not: ['flag', 'not understood'],
} as const;

type Read = Pick<RuleDraft, 'understood'>;

export const UnderstoodBadge = ({ understood }: Read) => (
  <Badge tone={words[understood][0]}>{words[understood][1]}</Badge>
);

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** `“two” and “invoice”`. */
export const quotedList = (all: readonly string[]): string => list.format(all.map((word) => `“${word}”`));

/** Words of a sentence that a form, which somebody gave or confirmed, leaves out. */
export const NotEnforced = ({ words: left, className }: { words: readonly string[]; className?: string }) =>
  left.length === 0 ? null : (
    <p className={cn('text-[13px] break-words text-warn', className)}>
      Not enforced: {quotedList(left)}. The sentence says {left.length === 1 ? 'it' : 'them'}, and nothing in
      the rule looks for {left.length === 1 ? 'it' : 'them'}.
    </p>
  );

/** Words that nothing looks for, and what else may be otherwise than it was meant. */
export function Doubts({ unread, doubts, understood }: Pick<RuleDraft, 'unread' | 'doubts' | 'understood'>) {
  // Some doubts name words too, and say more of them.
  const unnamed = unread.filter((word) => !doubts.some((doubt) => doubt.includes(`"${word}"`)));
  const all = [
    ...(understood === 'partly' && unnamed.length > 0 ? [`Nothing looks for ${quotedList(unnamed)}.`] : []),
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
