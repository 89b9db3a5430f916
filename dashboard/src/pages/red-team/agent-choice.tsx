import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { SelectField } from '../../parts/field.tsx';

/** The registered agents to choose from. */
export function AgentChoice({ agentId, onChoice }: { agentId: string; onChoice: (agentId: string) => void }) {
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'agents', 'all'],
    queryFn: () => redTeam.listAgents({ query: { limit: 500 } }),
  });
  const agents = data?.agents ?? [];
  return (
    <SelectField
      label="Agent"
      value={agentId}
      onChoice={onChoice}
      options={[
        { value: '', label: agents.length === 0 ? 'None is registered yet' : 'Choose an agent' },
        ...agents.map(({ agent_id: value, name }) => ({ value, label: name })),
      ]}
      hint={
        <Link to="/red-team-agents" className="underline">
          Register an agent
        </Link>
      }
    />
  );
}
