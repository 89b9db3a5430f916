import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { agentGateway, gatewayKeys, type Gateway, type GatewayCall } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';

const column = columnsOf<GatewayCall>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.timestamp} /> }),
  column.display({
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row: { original } }) => (
      <Badge tone={original.allowed ? 'good' : 'flag'}>{original.outcome.replaceAll('_', ' ')}</Badge>
    ),
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
];

/** The audit log. */
export function GatewayCalls({ gateway }: { gateway: Gateway }) {
  const [allowed, setAllowed] = useAddress('outcome');
  const [tool, setTool] = useAddress('tool');
  const navigate = useNavigate();
  const calls = useQuery({
    queryKey: [...gatewayKeys.calls(gateway.id), allowed, tool],
    queryFn: () =>
      agentGateway.listCalls({
        params: { gateway_id: gateway.id },
        query: {
          limit: 500,
          ...(allowed !== '' && { allowed: allowed as 'true' | 'false' }),
          ...(tool !== '' && { tool_name: tool }),
        },
      }),
    placeholderData: (previous) => previous,
    refetchInterval: 5_000,
  });
  return (
    <>
      <div className="mb-5 grid max-w-xl gap-4 sm:grid-cols-2">
        <SelectField label="Outcome" value={allowed} options={outcomes} onChoice={setAllowed} />
        <TextField
          label="Tool"
          value={tool}
          placeholder="any"
          onChange={({ target }) => setTool(target.value)}
        />
      </div>
      <QueryView query={calls}>
        {({ calls: all }) =>
          all.length === 0 ? (
            <Empty icon={Activity} title="No call yet">
              Each call of an agent appears here, let through or refused, with its reason.
            </Empty>
          ) : (
            <DataTable
              label="Calls"
              columns={columns}
              rows={all}
              rowKey={(row) => row.id}
              onOpen={({ id: callId }) =>
                void navigate({ to: '/activity/calls/$callId', params: { callId } })
              }
              openLabel={({ tool_name: name }) => `Open ${name}`}
            />
          )
        }
      </QueryView>
    </>
  );
}
