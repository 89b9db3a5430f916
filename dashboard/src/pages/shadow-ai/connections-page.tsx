import { useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { shadowAi, shadowAiKey, type AiConnection } from '../../api/shadow-ai.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useWindow } from './window.tsx';

const column = columnsOf<AiConnection>();
const text = (id: string, header: string, of: (row: AiConnection) => string | null) =>
  column.display({
    id,
    header,
    // Hosts and names of devices are long words.
    cell: ({ row }) => (
      <span className="wrap-anywhere">{of(row.original) ?? <span className="text-ink-soft">–</span>}</span>
    ),
  });
const columns = column.columns([
  column.display({ id: 'at', header: 'Time', cell: ({ row }) => <Ago at={row.original.time} /> }),
  text('provider', 'Provider', (row) => row.provider_name),
  text('host', 'Host', (row) => row.dst_domain),
  text('app', 'Program', (row) => row.app_name),
  text('device', 'Device', (row) => row.device_name),
  text('user', 'Account', (row) => row.user_name),
]);

const many = (n: number, noun: string) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** Connections of devices to AI providers. */
export function ConnectionsPage() {
  const { days, start, field } = useWindow();
  const query = useQuery({
    queryKey: [...shadowAiKey, 'connections', days],
    queryFn: async () => {
      const window = { start: start() };
      const [summary, { providers }, { apps }, { events }] = await Promise.all([
        shadowAi.getConnectSummary({ query: window }),
        shadowAi.getConnectProviders({ query: window }),
        shadowAi.getConnectApps({ query: { ...window, limit: 12 } }),
        shadowAi.listConnections({ query: { ...window, limit: 200 } }),
      ]);
      return { summary, providers, apps, events };
    },
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <PageHead
        title="AI connections"
        lead="Which AI providers devices connect to, by which programs. Browsers count here too."
        actions={field}
      />
      <QueryView query={query}>
        {({ summary, providers, apps, events }) =>
          summary.total_connections === 0 ? (
            <Empty icon={Globe} title="No connection to an AI provider">
              No device has connected to one within this window, as far as sources told.
            </Empty>
          ) : (
            <div className="grid gap-6">
              <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
                <Figure name="Connections" value={count(summary.total_connections)} />
                <Figure name="Providers" value={count(summary.distinct_providers)} />
                <Figure name="Devices" value={count(summary.distinct_devices)} />
                <Figure name="Accounts" value={count(summary.distinct_users)} />
              </dl>
              <div className="grid items-start gap-6 lg:grid-cols-2">
                <Panel title="By provider">
                  <Shares
                    rows={providers.slice(0, 12).map((each) => ({
                      name: each.provider_name,
                      value: each.connection_count,
                      note: many(each.distinct_devices, 'device'),
                    }))}
                  />
                </Panel>
                <Panel title="By program">
                  <Shares
                    rows={apps.map((each) => ({
                      name: each.app_name,
                      value: each.connection_count,
                      note: many(each.distinct_providers, 'provider'),
                    }))}
                  />
                </Panel>
              </div>
              <section>
                <h2 className="mb-3 font-semibold tracking-tight">The latest {count(events.length)}</h2>
                <DataTable
                  label="Latest connections"
                  columns={columns}
                  rows={events.map((event, i) => ({ ...event, key: `${i}` }))}
                  rowKey={(row) => (row as AiConnection & { key: string }).key}
                />
              </section>
            </div>
          )
        }
      </QueryView>
    </>
  );
}

/** Horizontal bars with names, longest first. */
function Shares({ rows }: { rows: readonly { name: string; value: number; note: string }[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul className="grid gap-2.5 text-sm">
      {rows.map(({ name, value, note }) => (
        <li key={name}>
          <div className="flex flex-wrap justify-between gap-x-3">
            <span className="min-w-0 truncate font-medium">{name}</span>
            <span className="text-ink-soft tabular-nums">
              {count(value)} · {note}
            </span>
          </div>
          <div className="mt-1 h-1.5 rounded-full bg-raised">
            <div
              className="h-full rounded-full bg-(--series-1)"
              style={{ width: `${(value / most) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
