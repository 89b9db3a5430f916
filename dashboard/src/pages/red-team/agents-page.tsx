import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { type Agent, redTeam, redTeamKey } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { AgentForm } from './agent-form.tsx';
import { AgentFigures } from './agent-figures.tsx';
import { McpAddresses } from './mcp-addresses.tsx';
import { ScriptedAgents } from './scripted-agents.tsx';
import { sharedOf } from './shared-of.ts';
import { protocolNames } from './protocol-names.ts';

const column = columnsOf<Agent>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Agent',
    cell: ({ row: { original } }) => (
      <span className="min-w-0">
        <span className="font-medium break-words">{original.name}</span>
        <span className="block font-mono text-xs break-all text-ink-soft">{original.endpoint}</span>
      </span>
    ),
  }),
  column.display({
    id: 'protocol',
    header: 'Protocol',
    cell: ({ row: { original } }) => (
      <span className="flex flex-wrap items-center gap-1.5">
        {protocolNames[original.protocol]}
        {original.tool_loop && <Badge>tool loop</Badge>}
        {original.parallel && <Badge>parallel</Badge>}
      </span>
    ),
  }),
  ownerColumn<Agent>(sharedOf),
  column.display({
    id: 'created',
    header: 'Registered',
    cell: ({ row }) => <Ago at={row.original.created_at} />,
  }),
  column.display({ id: 'actions', header: 'Actions', cell: ({ row }) => <Remove agent={row.original} /> }),
]);

function Remove({ agent }: { agent: Agent }) {
  if (!useMayChange(agent.owner_id)) return null;
  return (
    <DeleteRowButton
      noun="agent"
      name={agent.name}
      changes={redTeamKey}
      run={() => redTeam.deleteAgent({ params: { agent_id: agent.agent_id } })}
    >
      Its evaluations and their results stay; they keep its address.
    </DeleteRowButton>
  );
}

/** The agents under test: registered, asked a question, compared. */
export function AgentsPage() {
  const owner = useOwnerFilter();
  const query = useQuery({
    queryKey: [...redTeamKey, 'agents', owner],
    queryFn: () => redTeam.listAgents({ query: { owner, limit: 500 } }),
  });
  return (
    <ListPage
      title="Agents under test"
      lead="Each is reached over HTTP, and reaches the sandbox over MCP."
      query={query}
      rowsOf={({ agents }) => agents}
      columns={columns}
      byOwner
      rowKey={({ agent_id: id }) => id}
      create={{ action: 'Register an agent', form: (close) => <AgentForm onClose={close} /> }}
      empty={{
        icon: Bot,
        title: 'No agent yet',
        text: 'Register an agent of yours, or one of the scripted agents below, whose figures are known.',
      }}
      after={() => (
        <>
          <AgentFigures />
          <ScriptedAgents />
          <McpAddresses />
        </>
      )}
    />
  );
}
