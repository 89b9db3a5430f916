import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';

const mostShown = 5;

/** The guards that are asked most. */
export function BusiestGuards() {
  const guards = useQuery({
    queryKey: keys.guards,
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000 } }),
    refetchInterval: 15_000,
  });
  return <QueryView query={guards}>{({ guards: all }) => <Busiest guards={all} />}</QueryView>;
}

const allGuards = (words: string) => (
  <Link to="/guards" className="text-sm font-medium text-accent hover:underline">
    {words}
  </Link>
);

function Busiest({ guards }: { guards: readonly Guard[] }) {
  if (guards.length === 0)
    return (
      <Empty icon={ShieldCheck} title="No guard yet" action={allGuards('Make a guard')}>
        A guard is what your application asks: it links the policies that a text is judged by.
      </Empty>
    );
  const busiest = guards
    .toSorted((a, b) => b.metrics.requests_total - a.metrics.requests_total)
    .slice(0, mostShown);
  const most = Math.max(1, ...busiest.map(({ metrics }) => metrics.requests_total));
  return (
    <Panel title="Busiest guards" note="The dark part was flagged." actions={allGuards('All guards')}>
      <ul className="grid grid-cols-1 gap-4">
        {busiest.map(({ guard_uuid: guardUuid, name, metrics }) => (
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
                {count(metrics.requests_total)} · {share(metrics.flag_rate)}
              </span>
            </div>
            <div className="h-2 rounded-full bg-raised" aria-hidden>
              <div
                className="flex h-full overflow-hidden rounded-full bg-(--series-1)/40"
                style={{ width: `${(metrics.requests_total / most) * 100}%` }}
              >
                <div className="bg-(--series-2)" style={{ width: `${metrics.flag_rate * 100}%` }} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
