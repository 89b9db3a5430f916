import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Radar } from 'lucide-react';
import { shadowAi, shadowAiKey, type Detection } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useToolNames } from './use-tool-names.ts';
import { useWindow } from './window.tsx';

const pageSize = 200;
const modes = ['process', 'cli', 'network', 'dns', 'composite'] as const;
const modeOptions = [
  { value: '', label: 'Any sign' },
  { value: 'process', label: 'Program' },
  { value: 'cli', label: 'Command line' },
  { value: 'network', label: 'Connection' },
  { value: 'dns', label: 'Look-up' },
  { value: 'composite', label: 'Several signs' },
];
const systems = ['', 'Windows', 'macOS', 'Linux'].map((value) => ({
  value,
  label: value === '' ? 'Any system' : value,
}));

/** Tags of detections that need attention. */
const grave = /^(?:autonomy|credential|exfil|persistence|exposure|impact)\./;

const ToolName = ({ id }: { id: string }) => useToolNames()(id);

const column = columnsOf<Detection>();
const columns = column.columns([
  column.display({
    id: 'tool',
    header: 'Tool',
    cell: ({ row: { original } }) => (
      <Link
        to="/ai-detections/$eventId"
        params={{ eventId: String(original.id) }}
        className="font-medium hover:underline"
      >
        <ToolName id={original.agent_framework} />
      </Link>
    ),
  }),
  column.display({
    id: 'device',
    header: 'Device',
    cell: ({ row: { original } }) => (
      <span>
        {original.device_name}
        {original.device_os !== null && <span className="ml-1.5 text-ink-soft">{original.device_os}</span>}
      </span>
    ),
  }),
  column.display({
    id: 'person',
    header: 'Account',
    cell: ({ row }) => row.original.account_name ?? <span className="text-ink-soft">–</span>,
  }),
  column.display({
    id: 'started',
    header: 'Started',
    cell: ({ row }) => <Ago at={row.original.started_at} />,
  }),
  column.display({ id: '#events', header: 'Events', cell: ({ row }) => count(row.original.total_events) }),
  column.display({
    id: 'signs',
    header: 'Activity',
    cell: ({ row }) => (
      <span className="flex max-w-[28rem] flex-wrap gap-1">
        {row.original.activity_tags.map((tag) => (
          <Badge key={tag} tone={grave.test(tag) ? 'flag' : 'plain'}>
            {tag}
          </Badge>
        ))}
      </span>
    ),
  }),
]);

/** Sessions of AI tools on devices, newest first. */
export function DetectionsPage() {
  const navigate = useNavigate();
  const { days, start, field } = useWindow();
  const [tool, setTool] = useAddress('tool');
  const [os, setOs] = useAddress('os');
  const [mode, setMode] = useAddress('mode');
  const detectionMode = modes.find((each) => each === mode);
  const query = useInfiniteQuery({
    queryKey: [...shadowAiKey, 'detections', days, tool, os, mode],
    queryFn: ({ pageParam }) =>
      shadowAi.listDetections({
        query: {
          start_date: start(),
          limit: pageSize,
          offset: pageParam,
          ...(tool !== '' && { agent_framework: tool }),
          ...(os !== '' && { device_os: [os] }),
          ...(detectionMode !== undefined && { detection_mode: detectionMode }),
        },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const shown = pages.reduce((sum, { events }) => sum + events.length, 0);
      return shown < total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead
        title="Detections"
        lead="Sessions of AI tools: from the first process until half an hour of silence, with all that it started."
        actions={field}
      />
      <SavedViews of={['tool', 'os', 'mode', 'days']} />
      <div className="mb-4 grid gap-3 sm:grid-cols-3">
        <TextField
          label="Tool"
          placeholder="claude-code"
          value={tool}
          onChange={({ target }) => setTool(target.value)}
        />
        <SelectField label="System" value={os} options={systems} onChoice={setOs} />
        <SelectField label="Known by" value={mode} options={modeOptions} onChoice={setMode} />
      </div>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ events }) => events);
          const total = pages.at(-1)?.total ?? 0;
          return rows.length === 0 ? (
            <Empty icon={Radar} title="Nothing found">
              No detection within this window has these properties.
            </Empty>
          ) : (
            <>
              <p className="mb-2 text-[13px] text-ink-soft">{count(total)} detections</p>
              <DataTable
                label="Detections"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => String(id)}
                onOpen={({ id }) =>
                  void navigate({ to: '/ai-detections/$eventId', params: { eventId: String(id) } })
                }
                onNearEnd={() => {
                  if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
                }}
              />
            </>
          );
        }}
      </QueryView>
    </>
  );
}
