import { Link, useNavigate } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, Switch } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import type { Entry, Kind, Verdict } from './entry.ts';
import { useActivity } from './use-activity.ts';
import { VerdictBadge } from './verdict-badge.tsx';

const column = columnsOf<Entry>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.at} /> }),
  column.display({ id: 'kind', header: 'Kind', cell: ({ row }) => <Badge>{row.original.kind}</Badge> }),
  column.display({
    id: 'verdict',
    header: 'Verdict',
    cell: ({ row }) => <VerdictBadge {...row.original} />,
  }),
  column.display({
    id: 'what',
    header: 'What',
    cell: ({ row: { original } }) => (
      <div className="max-w-xl min-w-0">
        <Link {...original.link} className="line-clamp-2 break-words hover:underline">
          {original.title}
        </Link>
        {original.detail !== '' && (
          <span className="line-clamp-1 text-[13px] break-words text-ink-soft">{original.detail}</span>
        )}
      </div>
    ),
  }),
  column.display({
    id: 'where',
    header: 'Where',
    cell: ({ row: { original } }) => <span className="text-ink-soft">{original.place}</span>,
  }),
  column.display({
    id: 'person',
    header: 'Who',
    cell: ({ row: { original } }) => <span className="text-ink-soft">{original.person}</span>,
  }),
]);

const kinds: { value: Kind | ''; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'text', label: 'Texts' },
  { value: 'action', label: 'Actions' },
  { value: 'tool call', label: 'Tool calls' },
  { value: 'AI tool', label: 'AI tools on devices' },
];
const verdicts: { value: Verdict | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'stopped', label: 'Stopped or flagged' },
  { value: 'noticed', label: 'Noticed, not stopped' },
  { value: 'let through', label: 'Let through' },
];
const windows = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
  { value: '720', label: 'Last 30 days' },
];
const presetHours = '24';

/** The option that the address asks for; the first one, empty, for any other word. */
const chosen = <Value extends string>(all: readonly { value: Value | '' }[], asked: string): Value | '' =>
  all.map(({ value }) => value).find((value) => value === asked) ?? '';

/** What all services judged or noticed, in one list. */
export function ActivityPage() {
  const navigate = useNavigate();
  const [askedKind, setKind] = useAddress('mode');
  const [askedVerdict, setVerdict] = useAddress('outcome');
  const kind = chosen(kinds, askedKind);
  const verdict = chosen(verdicts, askedVerdict);
  const [hours, setHours] = useAddress('hours');
  const [live, setLive] = useState(true);
  const shownHours = windows.some(({ value }) => value === hours) ? hours : presetHours;
  const query = useActivity(
    { kind: kind || undefined, verdict: verdict || undefined, hours: Number(shownHours) },
    live,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const goFurtherBack = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <>
      <PageHead
        title="Activity"
        lead="Texts that guards judged, actions and tool calls of agents, and AI tools seen on devices: the newest first."
      />
      <SavedViews of={['mode', 'outcome', 'hours']} />
      <div className="mb-6 grid grid-cols-2 items-end gap-x-3 gap-y-4 lg:grid-cols-[1fr_1fr_1fr_auto]">
        <SelectField label="Kind" value={kind} options={kinds} onChoice={setKind} />
        <SelectField label="Verdict" value={verdict} options={verdicts} onChoice={setVerdict} />
        <SelectField
          label="Time"
          value={shownHours}
          options={windows}
          onChoice={(next) => setHours(next === presetHours ? '' : next)}
        />
        <div className="pb-2">
          <Switch label="Live" checked={live} onChange={setLive} />
        </div>
      </div>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = withoutRepetitions(pages.flatMap(({ items }) => items));
          return (
            <>
              {pages[0]?.failures.map(({ kind: failed, error }) => (
                <div key={failed} className="mb-4">
                  <Failure error={error} />
                </div>
              ))}
              {rows.length === 0 ? (
                <Empty icon={Activity} title="Nothing in this view">
                  Texts appear once their guard keeps its queries (“Log requests” in its settings), actions
                  and tool calls as they are made.
                </Empty>
              ) : (
                <DataTable
                  label="Activity"
                  columns={columns}
                  rows={rows}
                  rowKey={({ key }) => key}
                  onOpen={({ link }) => void navigate(link)}
                  onNearEnd={goFurtherBack}
                />
              )}
            </>
          );
        }}
      </QueryView>
    </>
  );
}

/** A page that was reloaded may repeat entries of the one before. */
const withoutRepetitions = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.key, entry])).values(),
];
