import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { AppError } from '#base/errors.ts';
import { Button } from './button.tsx';
import { cn } from './cn.ts';

/** Shown in place of an empty list: what it would contain, and what to do first. */
export function Empty({
  icon: Icon,
  title,
  heading: Heading = 'h2',
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  /** `h1` if the page has no other content. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 rounded-xl border border-dashed border-line-strong px-6 py-14 text-center">
      <span className="mb-1 grid size-11 place-content-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-5" aria-hidden />
      </span>
      <Heading className="font-semibold">{title}</Heading>
      {children !== undefined && <p className="max-w-[52ch] text-sm text-ink-soft">{children}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'An unknown error occurred. Try again.';

const requestIdOf = (error: unknown) =>
  error instanceof AppError ? error.headers['x-request-id'] : undefined;

const statusOf = (error: unknown) => (error instanceof AppError ? error.status : undefined);

/** A resource that is not shared gives the same 404 as a missing one, so the message mentions both. */
const meaningOf = (error: unknown): string | undefined =>
  statusOf(error) === 404 ? 'It does not exist, or it is not shared with you.' : undefined;

/** An error as the service described it, with the request id to search its log for. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const requestId = requestIdOf(error);
  const meaning = meaningOf(error);
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-flag/30 bg-flag-soft p-4 text-sm">
      <CircleAlert className="mt-0.5 size-4.5 shrink-0 text-flag" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium break-words">{messageOf(error)}</p>
        {meaning !== undefined && <p className="mt-1">{meaning}</p>}
        {requestId !== undefined && (
          <p className="mt-1 font-mono text-xs text-ink-soft">request {requestId}</p>
        )}
        {/* Retrying does not help when a permission is missing. */}
        {retry !== undefined && statusOf(error) !== 403 && (
          <Button size="small" className="mt-3" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

const Skeleton = ({ className }: { className?: string }) => (
  <div className={cn('animate-pulse rounded-lg bg-raised', className)} aria-hidden />
);

/** Placeholder for a list while it loads. */
export const LoadingRows = ({ rows = 5 }: { rows?: number }) => (
  <div role="status" aria-label="Loading" className="grid gap-2">
    {Array.from({ length: rows }, (_, i) => (
      <Skeleton key={i} className="h-12" />
    ))}
  </div>
);
