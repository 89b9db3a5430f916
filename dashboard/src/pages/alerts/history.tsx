import { BellOff } from 'lucide-react';
import { Empty } from '../../parts/states.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { valueInWords } from '#alerts/contract/measures.ts';
import { alertKeys, type AlertIncident, type AlertsClient } from '../../api/alerts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable, columnsOf } from '../../parts/data-table.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Ago } from '../../parts/time.tsx';
import { conditionInWords } from './words.ts';

const refetchInterval = 15_000;
const pageSize = 50;

const column = columnsOf<AlertIncident>();
const columns = column.columns([
  column.display({
    id: 'state',
    header: 'State',
    cell: ({ row: { original: incident } }) =>
      incident.resolved_at === null ? <Badge tone="flag">firing</Badge> : <Badge tone="good">resolved</Badge>,
  }),
  column.display({
    id: 'rule',
    header: 'Rule',
    cell: ({ row: { original: incident } }) => (
      <span className="block min-w-0">
        <span className="block font-medium break-words">{incident.rule_name}</span>
        <span className="block text-[13px] text-ink-soft">{conditionInWords(incident)}</span>
      </span>
    ),
  }),
  column.display({
    id: '#peak',
    header: 'Highest',
    cell: ({ row: { original: incident } }) => valueInWords(incident.measure, incident.peak),
  }),
  column.display({
    id: 'began',
    header: 'Began',
    cell: ({ row: { original: incident } }) => <Ago at={incident.started_at} />,
  }),
  column.display({
    id: 'ended',
    header: 'Ended',
    cell: ({ row: { original: incident } }) => <Ended incident={incident} />,
  }),
  column.display({
    id: 'told',
    header: 'Told',
    cell: ({ row: { original: incident } }) => (incident.told ? 'yes' : 'nobody'),
  }),
]);

function Ended({ incident }: { incident: AlertIncident }) {
  if (incident.resolved_at === null) return '–';
  return (
    <>
      <Ago at={incident.resolved_at} />
      {incident.resolution === 'rule_changed' && (
        <span className="block text-[13px] text-ink-soft">the rule was changed</span>
      )}
    </>
  );
}

/** When rules fired, newest first. */
export function History({ alerts }: { alerts: AlertsClient }) {
  const [limit, setLimit] = useState(pageSize);
  const query = useQuery({
    queryKey: [...alertKeys.history, limit],
    queryFn: () => alerts.listAlertIncidents({ query: { limit } }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  return (
    <QueryView query={query}>
      {({ incidents, total }) =>
        incidents.length === 0 ? (
          <Empty icon={BellOff} title="No rule has fired">
            When one does, it stands here with its highest value, how long it lasted and whether somebody was
            told. “Send a test” under “Who is told” shows that a message arrives.
          </Empty>
        ) : (
          <div className="grid grid-cols-1 gap-4">
            <DataTable
              label="Alerts so far"
              columns={columns}
              rows={incidents}
              rowKey={({ incident_id: id }) => id}
            />
            {total > incidents.length && limit < 200 && (
              <Button
                className="justify-self-start"
                onClick={() => setLimit(Math.min(200, limit + pageSize))}
              >
                Show more
              </Button>
            )}
          </div>
        )
      }
    </QueryView>
  );
}
