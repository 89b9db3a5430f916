import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import type { Governance } from '../../api/monitoring.ts';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { useLastDays } from './use-last-days.ts';

const mostShown = 5;

/** The guards with most requests. */
export const BusiestGuards = () => (
  <QueryView query={useLastDays()}>{({ guards }) => <Busiest guards={guards} />}</QueryView>
);

const allGuards = (words: string) => (
  <Link to="/guards" className="text-sm font-medium text-accent hover:underline">
    {words}
  </Link>
);

function Busiest({ guards }: { guards: Governance['guards'] }) {
  if (guards.length === 0)
    return (
      <Empty icon={ShieldCheck} title="No guard was used yet" action={allGuards('Show guards')}>
        A guard is what your application asks: it links the policies that a text is judged by.
      </Empty>
    );
  const busiest = guards.filter(({ name }) => name !== null).slice(0, mostShown);
  const most = Math.max(1, ...busiest.map(({ requests }) => requests));
  return (
    <Panel title="Busiest guards" note="The last 14 days; red was flagged." actions={allGuards('All guards')}>
      <ul className="grid grid-cols-1 gap-4">
        {busiest.map(({ guard_uuid: guardUuid, name, requests, flag_rate: rate }) => (
          <li key={guardUuid}>
            <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
              <Link
                to="/guards/$guardUuid"
                params={{ guardUuid }}
                className="truncate font-medium hover:underline"
              >
                {name}
              </Link>
              <span className="text-[13px] whitespace-nowrap text-ink-soft tabular-nums">
                {count(requests)} texts · {share(rate)} flagged
              </span>
            </div>
            <div className="h-2 rounded-full bg-raised" aria-hidden>
              <div
                className="flex h-full overflow-hidden rounded-full bg-(--series-1)/40"
                style={{ width: `${(requests / most) * 100}%` }}
              >
                <div className="bg-(--series-2)" style={{ width: `${rate * 100}%` }} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
