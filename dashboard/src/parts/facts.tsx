import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { Folded } from './folded.tsx';

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

/** Preformatted text, such as JSON; a long one is folded. */
export const Raw = ({
  className,
  heightPx,
  whole = false,
  children,
}: {
  className?: string;
  /** Height from which it is folded. */
  heightPx?: number;
  /** Never folded, because it is what the page is for. */
  whole?: boolean;
  children: ReactNode;
}) => {
  const text = (
    <pre className="rounded-lg bg-raised p-3 font-mono text-[13px] break-words whitespace-pre-wrap">
      {children}
    </pre>
  );
  return (
    <div className={cn('min-w-0', className)}>
      {whole ? text : <Folded {...(heightPx !== undefined && { heightPx })}>{text}</Folded>}
    </div>
  );
};
