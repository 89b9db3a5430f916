import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { identity, type AuditEvent } from '../../api/identity.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { SelectField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { TenantChoice, useTenant } from './tenant-choice.tsx';

/** Where a name is told, in this order; without one, the event has no object. */
const nameFields = ['name', 'username', 'tool', 'tenant'];

const subjectOf = ({ details }: AuditEvent): string =>
  nameFields.map((field) => details[field]).find((value) => typeof value === 'string') ?? '';

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/\b(?:api|mcp|ai|saas)\b/g, (word) => word.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const column = columnsOf<AuditEvent>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.at} /> }),
  column.display({
    id: 'event',
    header: 'What',
    cell: ({ row: { original } }) => (
      <span>
        <span className="font-medium">{inWords(original.event)}</span>
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
  column.display({ id: 'more', header: 'More', cell: ({ row }) => <More event={row.original} /> }),
]);

const More = ({ event }: { event: AuditEvent }) => (
  <details>
    <summary
      className="cursor-pointer text-[13px] text-ink-soft"
      aria-label={`Details of ${inWords(event.event)} ${subjectOf(event)}`}
    >
      Details
    </summary>
    <div className="mt-2">
      <Facts
        facts={[
          ['Time', new Date(event.at).toLocaleString()],
          ...Object.entries(event.details).map(
            ([name, value]) => [inWords(name), shown(value)] as [string, string],
          ),
          ['Request', event.request_id ?? '–'],
        ]}
      />
    </div>
  </details>
);

const kinds = [
  { value: '', label: 'Everything' },
  { value: 'login', label: 'Sign-ins' },
  { value: 'login_failed', label: 'Failed sign-ins' },
  { value: 'password', label: 'Passwords' },
  { value: 'api_key', label: 'API keys' },
  { value: 'user', label: 'Users' },
  { value: 'tenant', label: 'Tenants' },
  { value: 'gateway', label: 'Gateways' },
  { value: 'mcp_server', label: 'MCP servers' },
  { value: 'approval', label: 'Approvals' },
  { value: 'tool_change', label: 'Accepted changes of tools' },
  { value: 'description', label: 'Approved descriptions' },
  { value: 'action_policy', label: 'Action policies' },
  { value: 'policy_set', label: 'Policy sets' },
  { value: 'oauth', label: 'OAuth clients' },
  { value: 'shadow_ai', label: 'AI on devices' },
];
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
  const trail = useInfiniteQuery({
    queryKey: ['audit', tenantId, event, userId, hours],
    queryFn: async ({ pageParam: before }) => {
      const { events } = await identity.listAuditEvents({
        query: {
          limit: pageSize,
          ...(tenantId !== undefined && { tenant_id: tenantId }),
          ...(event !== '' && { event }),
          ...(userId !== '' && { user_id: userId }),
          ...(Number(hours) > 0 && { start: new Date(Date.now() - Number(hours) * hourMs).toISOString() }),
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
