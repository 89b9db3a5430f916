import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { usePlatform } from '../../frame/use-places.ts';
import { Badge } from '../../parts/badge.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

/** What the guards have done, and what runs. */
export function OverviewPage() {
  const guards = useQuery({
    queryKey: keys.guards,
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000 } }),
    refetchInterval: 10_000,
  });
  return (
    <>
      <PageHead title="Overview" lead="What your guards have seen, and how they are doing." />
      <QueryView query={guards}>
        {({ guards: all }) => (
          <div className="grid gap-6">
            <Totals guards={all} />
            <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <BusiestGuards guards={all} />
              <Running />
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
}

const sum = (guards: readonly Guard[], of: (metrics: Guard['metrics']) => number) =>
  guards.reduce((total, { metrics }) => total + of(metrics), 0);

function Totals({ guards }: { guards: readonly Guard[] }) {
  const requests = sum(guards, ({ requests_total: n }) => n);
  const flagged = sum(guards, ({ flagged_total: n }) => n);
  const slowest = Math.max(0, ...guards.map(({ metrics }) => metrics.latency_ms_p95 ?? 0));
  const cached = sum(guards, ({ requests_total: n, cache_hit_rate: rate }) => n * rate);
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Figure name="Texts judged" value={count(requests)} />
      <Figure
        name="Flagged"
        value={count(flagged)}
        note={requests > 0 ? share(flagged / requests) : undefined}
      />
      <Figure name="Slowest p95" value={milliseconds(slowest === 0 ? null : slowest)} />
      <Figure name="From the cache" value={requests > 0 ? share(cached / requests) : '–'} />
    </dl>
  );
}

function BusiestGuards({ guards }: { guards: readonly Guard[] }) {
  if (guards.length === 0)
    return (
      <Empty icon={ShieldCheck} title="No guard yet" action={<TextLink to="/guards">Make a guard</TextLink>}>
        A guard is what your application asks: it links the policies that a text is judged by.
      </Empty>
    );
  const busiest = guards.toSorted((a, b) => b.metrics.requests_total - a.metrics.requests_total).slice(0, 8);
  const most = Math.max(1, ...busiest.map(({ metrics }) => metrics.requests_total));
  return (
    <Panel
      title="Guards"
      note="The busiest first; the darker part was flagged."
      actions={<TextLink to="/guards">All guards</TextLink>}
    >
      <ul className="grid gap-4">
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
                {count(metrics.requests_total)} · {share(metrics.flag_rate)} flagged ·{' '}
                <Ago at={metrics.last_called_at} />
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

const TextLink = ({ to, children }: { to: '/guards'; children: ReactNode }) => (
  <Link to={to} className="text-sm font-medium text-accent hover:underline">
    {children}
  </Link>
);

function Running() {
  const platform = usePlatform();
  return (
    <Panel title="What runs">
      <QueryView query={platform}>
        {({ services, version, environment }) => (
          <>
            <ul className="grid gap-3 text-sm">
              {services.map(({ name, url }) => (
                <li key={name} className="flex items-center justify-between gap-3">
                  <span>
                    <span className="block font-medium">{name.replaceAll('-', ' ')}</span>
                    <span className="font-mono text-xs text-ink-soft">{url}</span>
                  </span>
                  <Health service={name} />
                </li>
              ))}
            </ul>
            <p className="mt-4 border-t border-line pt-3 text-[13px] text-ink-soft">
              Bulwark {version}, {environment}
            </p>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** Where a service tells its health, where that is not `/health`. */
const healthPaths: Partial<Record<string, string>> = { 'action-guard': 'healthz' };

function Health({ service }: { service: string }) {
  const health = useQuery({
    queryKey: ['health', service],
    queryFn: async () => (await fetch(`/services/${service}/${healthPaths[service] ?? 'health'}`)).ok,
    refetchInterval: 15_000,
    retry: false,
  });
  if (health.isPending) return <Badge>asking …</Badge>;
  return health.data === true ? <Badge tone="good">healthy</Badge> : <Badge tone="flag">not answering</Badge>;
}
