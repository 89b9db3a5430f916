import type { Governance } from '../../api/monitoring.ts';
import { count } from '../../parts/numbers.ts';

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Texts of each day as bars, the flagged ones apart; drawn by hand, so that the first page needs no chart library. */
export function DayBars({ days }: { days: Governance['days'] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const flagged = days.reduce((sum, day) => sum + day.flagged, 0);
  return (
    <figure>
      <div
        role="img"
        aria-label={`${days.length} days, ${flagged} texts flagged in all, at most ${most} texts on a day`}
        className="flex h-44 items-end gap-1 border-b border-line-strong sm:gap-2"
      >
        {days.map(({ day, requests, flagged: found, observed }) => (
          <div
            key={day}
            className="flex h-full min-w-0 flex-1 flex-col justify-end"
            title={`${date.format(new Date(day))}: ${count(requests)} texts, ${count(found)} flagged, ${count(observed)} observed`}
          >
            <Part of={found} most={most} className="rounded-t bg-(--series-2)" />
            <Part of={observed} most={most} className="bg-(--series-4)" />
            <Part of={requests - found - observed} most={most} className="bg-(--series-1)/45" />
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex gap-1 text-center text-xs text-ink-soft sm:gap-2" aria-hidden>
        {days.map(({ day }, i) => (
          <span key={day} className="min-w-0 flex-1 truncate">
            <span className="hidden sm:inline">{weekday.format(new Date(day))}</span>
            <span className="sm:hidden">{i % 2 === 1 && new Date(day).getUTCDate()}</span>
          </span>
        ))}
      </div>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-ink-soft">
        <Key className="bg-(--series-2)">flagged</Key>
        <Key className="bg-(--series-4)">observed only</Key>
        <Key className="bg-(--series-1)/45">passed</Key>
      </figcaption>
    </figure>
  );
}

const Part = ({ of, most, className }: { of: number; most: number; className: string }) =>
  of === 0 ? null : (
    <div className={className} style={{ height: `${(of / most) * 100}%`, minHeight: '2px' }} />
  );

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="flex items-center gap-1.5">
    <span className={`size-2.5 rounded-sm ${className}`} aria-hidden /> {children}
  </span>
);
