import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Place } from '../frame/places.ts';
import { cn } from './cn.ts';

/** A page's header: title, a sentence on its purpose, and actions. */
export function PageHead({
  title,
  lead,
  actions,
  list,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The list page to go back to. */
  list?: Pick<Place, 'to' | 'name'>;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
      {typeof title === 'string' && <title>{`${title} · Bulwark`}</title>}
      <div className="min-w-0">
        {list !== undefined && (
          <Link to={list.to} className="mb-1 inline-block text-[13px] text-ink-soft hover:underline">
            {list.name}
          </Link>
        )}
        <h1 className="text-2xl font-semibold tracking-tight text-balance break-words">{title}</h1>
        {lead !== undefined && <p className="mt-1 max-w-[68ch] text-pretty text-ink-soft">{lead}</p>}
      </div>
      {actions !== undefined && (
        <div className="flex flex-wrap items-center gap-2 sm:shrink-0">{actions}</div>
      )}
    </header>
  );
}

/** A list within a page, with the button that adds to it in sight however long it is. */
export const AddableList = ({
  note,
  action,
  children,
}: {
  /** What is in it. */
  note: string;
  action?: ReactNode;
  children: ReactNode;
}) => (
  <div className="grid grid-cols-1 gap-4">
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="max-w-[68ch] text-sm text-ink-soft">{note}</p>
      {action}
    </div>
    {children}
  </div>
);

/** A bordered section of a page, with an optional heading. */
export function Panel({
  title,
  note,
  actions,
  className,
  children,
}: {
  title?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={cn('min-w-0 rounded-xl border border-line bg-panel p-5 shadow-panel', className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-4">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            {title !== undefined && <h2 className="font-semibold tracking-tight">{title}</h2>}
            {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
          </div>
          {note !== undefined && <p className="mt-0.5 text-[13px] text-ink-soft">{note}</p>}
        </div>
      )}
      {children}
    </section>
  );
}
