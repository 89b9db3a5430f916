import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { cn } from './cn.ts';

/** What exceeds the height by less than this is shown whole: a button would need as much space. */
const spareTimes = 1.25;
const abovePx = 48;

/**
 * Cuts what is too long, at its beginning or around the first mark in it, and shows all of it on demand: only the page
 * scrolls, and nothing within it.
 */
export function Folded({ heightPx = 320, children }: { heightPx?: number; children: ReactNode }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isLong, setIsLong] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [cutAbove, setCutAbove] = useState(false);
  useLayoutEffect(() => {
    const inner = content.current;
    if (inner === null) return undefined;
    const measure = () => setIsLong(inner.offsetHeight > heightPx * spareTimes);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [heightPx]);
  const isCut = isLong && !isOpen;
  useLayoutEffect(() => {
    if (box.current === null) return;
    const mark = isCut ? box.current.querySelector('mark') : null;
    box.current.scrollTop = (mark?.offsetTop ?? 0) - abovePx;
    setCutAbove(box.current.scrollTop > 0);
  }, [isCut, children]);
  return (
    <div className="min-w-0">
      <div
        id={id}
        ref={box}
        className={cn('relative', isCut && 'overflow-hidden', isCut && (cutAbove ? fades.both : fades.below))}
        style={isCut ? { maxHeight: heightPx } : undefined}
      >
        <div ref={content}>{children}</div>
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="mt-1.5 text-[13px] font-medium text-accent hover:underline"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  );
}

const fades = {
  below: '[mask-image:linear-gradient(black_calc(100%-3rem),transparent)]',
  both: '[mask-image:linear-gradient(transparent,black_2rem,black_calc(100%-3rem),transparent)]',
} as const;
