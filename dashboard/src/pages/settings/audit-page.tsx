import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { identity, saveAuditTrail, type AuditEvent } from '../../api/identity.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { SelectField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SaveRows } from '../../parts/save-rows.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { factsOf, kinds, placeOf, subjectOf, whatOf } from './audit-words.ts';
import { TenantChoice, useTenant } from './tenant-choice.tsx';

const column = columnsOf<AuditEvent>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.at} /> }),
  column.display({
    id: 'event',
    header: 'What',
    cell: ({ row: { original } }) => (
      <span>
        <span className="font-medium">{whatOf(original)}</span>
        <span className="block break-words text-ink-soft">{subjectOf(original)}</span>
      </span>
    ),
  }),
  column.display({
    id: 'who',
    header: 'Who',
    cell: ({ row: { original } }) =>
      original.user_name ?? (
        <span className="text-ink-soft">
          {original.user_id === null ? 'nobody signed in' : 'unknown user'}
        </span>
      ),
  }),
  column.display({
    id: 'from',
    header: 'From',
    cell: ({ row }) => <span className="tabular-nums">{row.original.address}</span>,
  }),
  column.display({
    id: 'more',
    header: 'More',
    cell: ({ row }) => (
      <>
        <More event={row.original} />
        <ShowPlace event={row.original} />
      </>
    ),
  }),
]);

const ShowPlace = ({ event }: { event: AuditEvent }) => {
  const place = placeOf(event);
  if (place === undefined) return null;
  const { label, ...target } = place;
  return (
    <Link {...target} className="text-[13px] text-accent">
      {label}
    </Link>
  );
};

const More = ({ event }: { event: AuditEvent }) => (
  <details>
    <summary
      className="cursor-pointer text-[13px] text-ink-soft"
      aria-label={`Details of ${whatOf(event)} ${subjectOf(event)}`}
    >
      Details
    </summary>
    <div className="mt-2">
      <Facts
        facts={[
          ['Time', new Date(event.at).toLocaleString()],
          ...factsOf(event),
          ['Request', event.request_id ?? '–'],
        ]}
      />
    </div>
  </details>
);

const windows = [
  { value: '', label: 'At any time' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
  { value: '720', label: 'Last 30 days' },
];
const hourMs = 3_600_000;
const pageSize = 200;

/** Who did what in the tenant, newest first. */
export function AuditPage() {
  const { tenantId } = useTenant();
  const [event, setEvent] = useAddress('event');
  const [userId, setUserId] = useAddress('user');
  const [hours, setHours] = useAddress('hours');
  const users = useQuery({
    queryKey: ['users', tenantId],
    queryFn: () =>
      identity.listUsers({ query: { limit: 1000, ...(tenantId !== undefined && { tenant_id: tenantId }) } }),
  });
  const filterNow = () => ({
    ...(tenantId !== undefined && { tenant_id: tenantId }),
    ...(event !== '' && { event }),
    ...(userId !== '' && { user_id: userId }),
    ...(Number(hours) > 0 && { start: new Date(Date.now() - Number(hours) * hourMs).toISOString() }),
  });
  const trail = useInfiniteQuery({
    queryKey: ['audit', tenantId, event, userId, hours],
    queryFn: async ({ pageParam: before }) => {
      const { events } = await identity.listAuditEvents({
        query: {
          limit: pageSize,
          ...filterNow(),
          ...(before !== undefined && { before }),
        },
      });
      return { events, next: events.length < pageSize ? undefined : events.at(-1)?.id };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = trail;
  const goFurtherBack = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => trail.data?.pages.flatMap((page) => page.events) ?? [], [trail.data]);
  return (
    <>
      <PageHead
        title="Audit trail"
        lead="Sign-ins, and who changed what. Nobody can change or remove an entry here."
        actions={<SaveRows save={(form) => saveAuditTrail(form, filterNow())} />}
      />
      <SavedViews of={['event', 'user', 'hours', 'tenant']} />
      <div className="mb-6 grid grid-cols-2 items-end gap-x-3 gap-y-4 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        <SelectField label="What" value={event} options={kinds} onChoice={setEvent} />
        <SelectField
          label="Who"
          value={userId}
          options={[
            { value: '', label: 'Everybody' },
            ...(users.data?.users.map(({ id, username }) => ({ value: id, label: username })) ?? []),
          ]}
          onChoice={setUserId}
        />
        <SelectField label="Time" value={hours} options={windows} onChoice={setHours} />
        <TenantChoice />
      </div>
      <QueryView query={trail}>
        {() =>
          rows.length === 0 ? (
            <Empty icon={ScrollText} title="Nothing in this view">
              Choose another time, or everything.
            </Empty>
          ) : (
            <DataTable
              label="Audit trail"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              onNearEnd={goFurtherBack}
            />
          )
        }
      </QueryView>
    </>
  );
}
