import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import {
  agentGateway,
  gatewayKeys,
  saveCalls,
  type Gateway,
  type GatewayCall,
} from '../../api/agent-gateway.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { SaveRows } from '../../parts/save-rows.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { ofCall } from '../activity/entry.ts';
import { VerdictBadge } from '../activity/verdict-badge.tsx';

const column = columnsOf<GatewayCall>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.timestamp} /> }),
  column.display({
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row: { original } }) => <VerdictBadge {...ofCall(original)} />,
  }),
  column.display({
    id: 'tool',
    header: 'Tool',
    cell: ({ row: { original } }) => (
      <span>
        <code className="font-mono text-[13px]">{original.tool_name}</code>
        {original.server_name !== null && (
          <span className="block text-[13px] text-ink-soft">{original.server_name}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row }) => row.original.user_name ?? 'unknown user',
  }),
  column.display({
    id: 'reason',
    header: 'Why',
    cell: ({ row }) => <span className="line-clamp-2 max-w-md">{row.original.reason}</span>,
  }),
  column.display({
    id: '#took',
    header: 'Took',
    cell: ({ row: { original } }) => (
      <span>
        {milliseconds(original.latency_ms)}
        <span className="block text-[13px] text-ink-soft">
          guard {milliseconds(original.guard_latency_ms)}
        </span>
      </span>
    ),
  }),
]);

const outcomes = [
  { value: '', label: 'All' },
  { value: 'false', label: 'Refused' },
  { value: 'true', label: 'Let through' },
  { value: 'held', label: 'Held for approval' },
];

const firstPage = 200;
const furtherPage = 1000;

/** The audit log, newest first; older calls are loaded when the list is scrolled to them. */
export function GatewayCalls({ gateway }: { gateway: Gateway }) {
  const [allowed, setAllowed] = useAddress('outcome');
  const [tool, setTool] = useAddress('tool');
  const [user, setUser] = useAddress('user');
  const filter = {
    gateway_id: gateway.id,
    ...(allowed === 'held'
      ? { held: 'true' as const }
      : allowed !== '' && { allowed: allowed as 'true' | 'false' }),
    ...(tool !== '' && { tool_name: tool }),
    ...(user !== '' && { principal: user }),
  };
  const navigate = useNavigate();
  const calls = useInfiniteQuery({
    queryKey: [...gatewayKeys.calls(gateway.id), allowed, tool, user],
    queryFn: async ({ pageParam: before }) => {
      const limit = before === undefined ? firstPage : furtherPage;
      const page = await agentGateway.listAllCalls({
        query: {
          ...filter,
          limit,
          ...(before !== undefined && { before }),
        },
      });
      return { calls: page.calls, next: page.calls.length < limit ? undefined : page.calls.at(-1)?.id };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    // Who reads further back is not interrupted by new calls.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? 5_000 : false),
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = calls;
  const goFurtherBack = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => calls.data?.pages.flatMap((page) => page.calls) ?? [], [calls.data]);
  return (
    <>
      <div className="mb-5 grid max-w-4xl grid-cols-2 items-end gap-4 lg:grid-cols-4">
        <SelectField label="Outcome" value={allowed} options={outcomes} onChoice={setAllowed} />
        <TextField
          label="Tool"
          value={tool}
          placeholder="any"
          onChange={({ target }) => setTool(target.value)}
        />
        <TextField
          label="User"
          value={user}
          placeholder="any, by name"
          onChange={({ target }) => setUser(target.value)}
        />
        <SaveRows save={(form) => saveCalls(form, filter)} />
      </div>
      <QueryView query={calls}>
        {() =>
          rows.length === 0 ? (
            <Empty icon={Activity} title="No call yet">
              Each call of an agent appears here, let through or refused, with its reason.
            </Empty>
          ) : (
            <DataTable
              label="Calls"
              columns={columns}
              rows={rows}
              rowKey={(row) => row.id}
              onOpen={({ id: callId }) =>
                void navigate({ to: '/activity/calls/$callId', params: { callId } })
              }
              openLabel={({ tool_name: name }) => `Open ${name}`}
              onNearEnd={goFurtherBack}
            />
          )
        }
      </QueryView>
    </>
  );
}
