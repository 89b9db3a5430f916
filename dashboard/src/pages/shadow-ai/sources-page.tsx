import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { shadowAi, shadowAiKey, type ConnectorStatus } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';
import { ConnectorForm, kindNames } from './connector-form.tsx';
import { Notices } from './notices.tsx';
import { SaasInventory } from './saas-inventory.tsx';

/** The sources of telemetry: endpoint security, and the inventory of a SaaS instance. */
export function SourcesPage() {
  const { isAdmin } = useUser();
  return (
    <>
      <PageHead
        title="Sources"
        lead="Where telemetry of devices comes from, how far it was read, what a source cannot see, and who is told."
      />
      <Tabs
        label="Sources"
        parts={[
          { value: 'endpoints', name: 'Endpoint security', content: () => <Endpoints /> },
          { value: 'saas', name: 'SaaS inventory', content: () => <SaasInventory /> },
          ...(isAdmin ? [{ value: 'notices', name: 'Notices', content: () => <Notices /> }] : []),
        ]}
      />
    </>
  );
}

function Endpoints() {
  const { isAdmin } = useUser();
  const [editing, setEditing] = useState(false);
  const query = useQuery({
    queryKey: [...shadowAiKey, 'connector'],
    queryFn: async () => {
      const [config, status] = await Promise.all([
        shadowAi.getConnectorConfig({ query: {} }),
        shadowAi.getConnectorStatus({ query: {} }),
      ]);
      return { config, status };
    },
    refetchInterval: 5000,
  });
  return (
    <QueryView query={query}>
      {({ config, status }) => (
        <div className="grid gap-6">
          <Panel
            title={config === null ? 'No source is connected' : kindNames[config.edr_framework]}
            note={
              config === null
                ? 'Telemetry that collectors push is taken in all the same.'
                : 'Connectors are checked against a simulator of the public interface, not against live tenants.'
            }
            actions={
              isAdmin && (
                <>
                  {config !== null && <Actions />}
                  <Button kind={config === null ? 'primary' : 'plain'} onClick={() => setEditing(true)}>
                    {config === null ? 'Connect' : 'Change'}
                  </Button>
                </>
              )
            }
          >
            {config !== null && <Health status={status} />}
          </Panel>
          {config !== null && (
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Streams status={status} />
              <Coverage status={status} />
            </div>
          )}
          {editing && <ConnectorForm config={config} onClose={() => setEditing(false)} />}
        </div>
      )}
    </QueryView>
  );
}

function Actions() {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => shadowAi.testConnector({ query: {} }),
    onSuccess: ({ ok, error, streams }) => {
      const failed = streams.find((stream) => !stream.ok);
      if (ok) toast.success('The source answers on every stream.');
      else toast.error(error ?? (failed === undefined ? 'It failed.' : `${failed.stream}: ${failed.error}`));
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const sync = useMutation({
    mutationFn: () => shadowAi.syncConnector({ query: {} }),
    onSuccess: async () => {
      toast.success('The poll is queued.');
      await queries.invalidateQueries({ queryKey: shadowAiKey });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <>
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        Test
      </Button>
      <Button busy={sync.isPending} onClick={() => sync.mutate()}>
        Poll now
      </Button>
    </>
  );
}

const minute = 60;

function Health({ status }: { status: ConnectorStatus }) {
  const { last_error: error, last_success_at: success, clock_skew_seconds: skew } = status;
  const lag = status.lag_seconds;
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {error === null ? (
          <Badge tone={success === null ? 'plain' : 'good'}>
            {success === null ? 'not read yet' : 'healthy'}
          </Badge>
        ) : (
          <Badge tone="flag">failing</Badge>
        )}
        <span>
          {count(status.events_ingested)} events; last complete poll <Ago at={success} />
          {lag !== null && lag > 15 * minute && <>, {Math.round(lag / minute)} minutes behind</>}.
        </span>
      </p>
      {error !== null && <p className="break-words text-flag">{error}</p>}
      {skew !== null && Math.abs(skew) > 2 && (
        <p className="text-warn">
          The source’s clock is {Math.abs(Math.round(skew))} seconds {skew < 0 ? 'behind' : 'ahead of'} ours.
        </p>
      )}
    </div>
  );
}

type Stream = ConnectorStatus['streams'][number];
const column = columnsOf<Stream>();
const columns = column.columns([
  column.display({
    id: 'stream',
    header: 'Stream',
    cell: ({ row: { original } }) => (
      <span>
        <span className="font-medium">{original.stream}</span>
        {original.last_error !== null && (
          <span className="block text-[13px] break-words text-flag">{original.last_error}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'read',
    header: 'Read until',
    cell: ({ row }) => <Ago at={row.original.watermark} />,
  }),
  column.display({ id: '#events', header: 'Events', cell: ({ row }) => count(row.original.events_ingested) }),
  column.display({ id: '#refused', header: 'Refused', cell: ({ row }) => count(row.original.rows_refused) }),
]);

const Streams = ({ status }: { status: ConnectorStatus }) => (
  <section className="min-w-0">
    <h2 className="mb-3 font-semibold tracking-tight">Streams</h2>
    <DataTable label="Streams" columns={columns} rows={status.streams} rowKey={({ stream }) => stream} />
  </section>
);

const sightTones = { full: 'good', partial: 'warn', none: 'flag' } as const;
const sightNames = { full: 'all', partial: 'in part', none: 'not seen' } as const;

const Coverage = ({ status }: { status: ConnectorStatus }) => (
  <Panel title="What it sees">
    <ul className="grid gap-3 text-sm">
      {status.coverage.map(({ of, sight, note }) => (
        <li key={of}>
          <span className="flex items-center gap-2">
            <span className="font-medium capitalize">{of.replaceAll('_', ' ')}</span>
            <Badge tone={sightTones[sight]}>{sightNames[sight]}</Badge>
          </span>
          {note !== '' && <span className="block text-[13px] text-ink-soft">{note}</span>}
        </li>
      ))}
    </ul>
  </Panel>
);
