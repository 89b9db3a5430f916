import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';

/** A result, marked where what it was asked for has changed since. */
export const OutOfDate = ({
  asked,
  now,
  what,
  children,
}: {
  /** What the result is of, and what would be asked now; compared as JSON. */
  asked: unknown;
  now: unknown;
  /** What has changed, as the beginning of a sentence. */
  what: string;
  children: ReactNode;
}) => (
  <>
    {JSON.stringify(asked) !== JSON.stringify(now) && (
      <p className="flex flex-wrap items-center gap-2 text-[13px]">
        <Badge tone="warn">out of date</Badge> {what} since: try again.
      </p>
    )}
    {children}
  </>
);
