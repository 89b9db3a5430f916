import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { shadowAi, shadowAiKey, type DetectionTree } from '../../api/shadow-ai.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { type Span, Timeline } from './timeline.tsx';
import { useToolNames } from './use-tool-names.ts';

const list = { to: '/ai-detections', name: 'Detections' } as const;
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

type Event = DetectionTree['events'][number];

const column = columnsOf<Event>();
const columns = column.columns([
  column.display({
    id: 'at',
    header: 'Time',
    cell: ({ row }) => (
      <span className="whitespace-nowrap tabular-nums">{clock.format(new Date(row.original.timestamp))}</span>
    ),
  }),
  column.display({ id: 'lane', header: 'Kind', cell: ({ row }) => row.original.dimension }),
  column.display({
    id: 'detail',
    header: 'What happened',
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 break-words">
        {original.detail}
        {typeof original.process_command_line === 'string' && (
          <code className="block text-[13px] break-all text-ink-soft">{original.process_command_line}</code>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'by',
    header: 'Started by',
    cell: ({ row }) => (
      <code
        className="block max-w-[20rem] truncate text-[13px] text-ink-soft"
        title={row.original.initiating_process ?? ''}
      >
        {row.original.initiating_process ?? '–'}
      </code>
    ),
  }),
]);

/** One session: its lanes over time, and its events. */
export function DetectionPage() {
  const { eventId } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...shadowAiKey, 'tree', eventId],
    queryFn: () => shadowAi.getDetectionTree({ params: { event_id: Number(eventId) }, query: {} }),
  });
  return (
    <QueryView query={query} list={list}>
      {(tree) => <Session tree={tree} />}
    </QueryView>
  );
}

function Session({ tree }: { tree: DetectionTree }) {
  const [span, setSpan] = useState<Span>();
  const toolName = useToolNames();
  const within = tree.events.filter(({ timestamp }) => {
    const ms = Date.parse(timestamp);
    return span === undefined || (ms >= span.fromMs && ms <= span.toMs);
  });
  const counted = tree.process_count + tree.network_count + tree.file_count;
  return (
    <>
      <PageHead
        list={list}
        title={`${toolName(tree.agent_framework)} on ${tree.device_name}`}
        lead={`${tree.account_name ?? 'An unknown account'}, ${tree.started_at === null ? '' : exact.format(new Date(tree.started_at))} to ${tree.ended_at === null ? '' : exact.format(new Date(tree.ended_at))}`}
      />
      <div className="grid gap-6">
        <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Figure name="Events" value={count(counted)} />
          <Figure name="Processes" value={count(tree.process_count)} />
          <Figure name="Connections" value={count(tree.network_count)} />
          <Figure name="Files" value={count(tree.file_count)} />
        </dl>
        {tree.prompt !== null && (
          <Panel title="Prompt" note="Secrets and personal data are taken out.">
            <p className="text-sm break-words whitespace-pre-wrap">{tree.prompt}</p>
          </Panel>
        )}
        <Panel title="Timeline" note="Drag over a part to see it alone. Look-ups are shown and not counted.">
          <Timeline events={tree.events} span={span} onSpan={setSpan} />
        </Panel>
        {tree.truncated && (
          <p className="text-sm text-warn">The session has more events than the 10,000 shown here.</p>
        )}
        {tree.events.length === 0 && (
          <p className="text-sm text-ink-soft">
            The telemetry of this session is older than its retention and was deleted; the counts stay.
          </p>
        )}
        <DataTable
          label="Events of the session"
          columns={columns}
          rows={within.map((event, i) => ({ ...event, key: `${i}` }))}
          rowKey={(row) => (row as Event & { key: string }).key}
        />
      </div>
    </>
  );
}
