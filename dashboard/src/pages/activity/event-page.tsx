import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHead, Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import type { Entry } from './entry.ts';
import { VerdictBadge } from './verdict-badge.tsx';

export const activityList = { to: '/activity', name: 'Activity' } as const;

/** A page about one event: what happened in a sentence, the evidence, and beside it what to do next. */
export const EventPage = ({
  sentence,
  verdict,
  word,
  at,
  about,
  next,
  related,
  children,
}: Pick<Entry, 'verdict' | 'word' | 'at'> & {
  /** What happened. */
  sentence: string;
  /** Who and where. */
  about: ReactNode;
  next: ReactNode;
  related?: ReactNode;
  children: ReactNode;
}) => (
  <>
    <PageHead list={activityList} title={sentence} />
    <p className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px] text-ink-soft">
      <VerdictBadge verdict={verdict} word={word} />
      <Ago at={at} />
      {about}
    </p>
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 gap-6">{children}</div>
      <div className="grid min-w-0 gap-6">
        <Panel title="Next">
          <ul className="grid gap-2.5 text-sm">{next}</ul>
        </Panel>
        {related}
      </div>
    </div>
  </>
);

/** A next step: what it is called, and what it is good for. */
export const Step = ({ children, note }: { children: ReactNode; note: string }) => (
  <li>
    <span className="block font-medium [&_a]:text-accent [&_a]:hover:underline">{children}</span>
    <span className="block text-[13px] text-ink-soft">{note}</span>
  </li>
);

/** Other events, such as those of the same session. */
export const Related = ({
  title,
  entries,
  all,
}: {
  title: string;
  entries: readonly Entry[];
  /** A link to the whole list. */
  all?: ReactNode;
}) => (
  <Panel title={title} actions={all}>
    {entries.length === 0 ? (
      <p className="text-sm text-ink-soft">Nothing else.</p>
    ) : (
      <ul className="grid grid-cols-1 gap-2.5 text-sm">
        {entries.map((entry) => (
          <li key={entry.key} className="flex items-baseline gap-3">
            <Link {...entry.link} className="min-w-0 flex-1 truncate hover:underline">
              {entry.title}
            </Link>
            <span className="text-[13px] text-ink-soft">
              <Ago at={entry.at} />
            </span>
            <VerdictBadge {...entry} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
