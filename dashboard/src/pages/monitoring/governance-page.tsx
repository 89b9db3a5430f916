import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { monitoring, type Governance } from '../../api/monitoring.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count, share } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { DaysChart } from './days-chart.tsx';
import { TopPolicies } from './top-policies.tsx';
import { wholeDays } from './whole-days.ts';

const windows = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
];
const dayMs = 86_400_000;
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

/** Metrics of guards over weeks, and how much of the policy library is in use. */
export function GovernancePage() {
  const [days, setDays] = useState('30');
  const summary = useQuery({
    queryKey: ['governance', days],
    queryFn: () =>
      monitoring.getGovernanceSummary({
        query: { start: dayOf(Date.now() - (Number(days) - 1) * dayMs), end: dayOf(Date.now()) },
      }),
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <PageHead
        title="Governance"
        lead="Judged and flagged texts by guard, policy and day, and unused policies."
        actions={<SelectField label="Window" hideLabel value={days} options={windows} onChoice={setDays} />}
      />
      <QueryView query={summary}>{(data) => <Summary summary={data} />}</QueryView>
    </>
  );
}

function Summary({ summary }: { summary: Governance }) {
  const { totals, coverage } = summary;
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Texts judged" value={count(totals.requests)} />
        <Figure name="Flagged" value={count(totals.flagged)} note={share(totals.flag_rate)} />
        <Figure name="Observed only" value={count(totals.observed)} />
        <Figure name="Allowed by a list" value={count(totals.allowed)} />
      </dl>
      <Panel title="Texts by day" note="Days are of UTC.">
        <DaysChart days={wholeDays(summary)} />
      </Panel>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TopPolicies policies={summary.top_policies} />
        <Panel
          title="Coverage"
          note={`${coverage.policies_active} of ${coverage.policies_total} policies of the library are in use.`}
        >
          <div
            className="h-2 rounded-full bg-raised"
            role="meter"
            aria-label="Share of the policies that are in use"
            aria-valuemin={0}
            aria-valuemax={1}
            aria-valuenow={coverage.share}
          >
            <div
              className="h-full rounded-full bg-(--series-3)"
              style={{ width: `${coverage.share * 100}%` }}
            />
          </div>
          <p className="mt-3 text-sm text-ink-soft">
            {coverage.policies_triggered} found something; {coverage.policies_observed_only} are only
            observed.
          </p>
          {coverage.unattached_groups.length > 0 && (
            <>
              <h3 className="mt-4 mb-1.5 text-sm font-medium">Groups that no guard uses</h3>
              <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
                {coverage.unattached_groups.map(({ policy_group_uuid: groupUuid, name }) => (
                  <li key={groupUuid}>
                    <Link
                      to="/policies/$groupUuid"
                      params={{ groupUuid }}
                      className="text-accent hover:underline"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
      </div>
      <Guards guards={summary.guards} />
    </div>
  );
}

type GuardRow = Governance['guards'][number];

const column = columnsOf<GuardRow>();
const number = (header: string, of: (guard: GuardRow) => string) =>
  column.display({ id: `#${header}`, header, cell: ({ row }) => of(row.original) });
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Guard',
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2 font-medium">
        {original.name ?? <span className="font-normal text-ink-soft">unknown guard</span>}
        {original.mode === 'observe' && <Badge tone="warn">observes</Badge>}
      </span>
    ),
  }),
  number('Texts', ({ requests }) => count(requests)),
  number('Flagged', ({ flagged }) => count(flagged)),
  number('Rate', ({ flag_rate: rate }) => share(rate)),
  number('Observed', ({ observed }) => count(observed)),
  number('Allowed', ({ allowed }) => count(allowed)),
]);

const Guards = ({ guards }: { guards: Governance['guards'] }) => (
  <section>
    <h2 className="mb-3 font-semibold tracking-tight">By guard</h2>
    <DataTable label="By guard" columns={columns} rows={guards} rowKey={(guard) => guard.guard_uuid} />
  </section>
);
