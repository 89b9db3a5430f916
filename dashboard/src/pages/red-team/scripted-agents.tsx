import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { messageOf } from '../../parts/states.tsx';

type Scripted = Awaited<ReturnType<typeof redTeam.listScriptedAgents>>['agents'][number];

/** Agents whose figures are known, to register with one click. */
export function ScriptedAgents() {
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'scripted'],
    queryFn: () => redTeam.listScriptedAgents({}),
    staleTime: Infinity,
  });
  if (data === undefined || data.agents.length === 0) return null;
  return (
    <Panel
      title="Scripted agents"
      note="Served by Bulwark itself, to try evaluations with: they do their work by a script, and each treats attacks in its own way."
    >
      <ul className="grid gap-2">
        {data.agents.map((agent) => (
          <Entry key={agent.persona} agent={agent} />
        ))}
      </ul>
    </Panel>
  );
}

function Entry({ agent }: { agent: Scripted }) {
  const queries = useQueryClient();
  const register = useMutation({
    mutationFn: () =>
      redTeam.registerAgent({
        body: {
          name: `Scripted: ${agent.persona}`,
          endpoint: agent.endpoint,
          protocol: 'openai_responses',
        },
      }),
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({ queryKey: redTeamKey });
      toast.success(`“${name}” is registered.`);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 flex-1">
        <span className="font-medium">{agent.persona.replaceAll('-', ' ')}</span>{' '}
        <span className="text-ink-soft">{agent.description}</span>
      </span>
      <Button
        size="small"
        busy={register.isPending}
        aria-label={`Register the scripted agent ${agent.persona}`}
        onClick={() => register.mutate()}
      >
        Register
      </Button>
    </li>
  );
}
