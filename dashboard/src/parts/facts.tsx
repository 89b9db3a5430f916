import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/** Names and values in two columns, values in a monospaced font. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-ink-soft">{name}</dt>
        <dd className="font-mono text-[13px] break-words">{value}</dd>
      </div>
    ))}
  </dl>
);

/** Preformatted text, such as JSON; can be scrolled by keyboard. */
export const Raw = ({ className, children }: { className?: string; children: ReactNode }) => (
  <pre
    tabIndex={0}
    className={cn(
      'max-h-80 overflow-auto rounded-lg bg-raised p-3 font-mono text-[13px] break-words whitespace-pre-wrap',
      className,
    )}
  >
    {children}
  </pre>
);
