import type { ReactNode } from 'react';
import { Folded } from '../../parts/folded.tsx';
import type { Mark } from '../../parts/marked-text.tsx';
import { cn } from '../../parts/cn.ts';
import { canaryMarks, injectedMarks } from './injected-spans.ts';

const looks = {
  injected:
    'rounded bg-flag-soft px-0.5 text-flag underline decoration-flag/60 decoration-2 underline-offset-4',
  canary: 'rounded bg-warn-soft px-0.5 text-warn outline outline-warn/40',
} as const;
type Kind = keyof typeof looks;

interface Stretch extends Mark {
  readonly kind: Kind;
}

/** Injected text first: a canary in it is part of it. */
function stretchesOf(text: string, injection: string | null, canaries: readonly string[]): Stretch[] {
  const injected = injection === null ? [] : injectedMarks(text, injection);
  const free = canaryMarks(text, canaries).filter(
    ({ start, end }) => !injected.some((mark) => start < mark.end && end > mark.start),
  );
  const all: Stretch[] = [
    ...injected.map((mark): Stretch => ({ ...mark, kind: 'injected' })),
    ...free.map((mark): Stretch => ({ ...mark, kind: 'canary' })),
  ].sort((a, b) => a.start - b.start);
  let end = 0;
  return all.filter((mark) => {
    const isFree = mark.start >= end;
    if (isFree) end = mark.end;
    return isFree;
  });
}

/** Preformatted text with what was injected and what gives the attack away marked. Nothing in it is ever HTML. */
export function MarkedCode({
  text,
  injection = null,
  canaries = [],
  className,
  heightPx,
}: {
  text: string;
  injection?: string | null;
  canaries?: readonly string[];
  className?: string;
  /** Height from which it is folded. */
  heightPx?: number;
}) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end, title, kind } of stretchesOf(text, injection, canaries)) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} title={title} data-mark={kind} className={looks[kind]}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <Folded {...(heightPx !== undefined && { heightPx })}>
      <pre className={cn('font-mono text-[13px] break-words whitespace-pre-wrap', className)}>{parts}</pre>
    </Folded>
  );
}

/** What the colours mean. */
export const MarkLegend = () => (
  <p className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-soft">
    <span>
      <mark className={looks.injected}>text</mark> injected by the attacker
    </span>
    <span>
      <mark className={looks.canary}>text</mark> canary: what the judge looks for
    </span>
  </p>
);
