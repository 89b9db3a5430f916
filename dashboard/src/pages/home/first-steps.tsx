import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, X } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys } from '../../api/agent-gateway.ts';
import { identity } from '../../api/identity.ts';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { useRunning } from '../../frame/use-running.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { useUser } from '../../session/use-session.ts';
import { useLastDays } from './use-last-days.ts';

interface FirstStep {
  readonly name: string;
  readonly note: string;
  readonly to: '/policies' | '/guards' | '/api-keys' | '/gateways';
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined;
}

/** @param isWanted false: nothing is asked for */
function useFirstSteps(isWanted: boolean): FirstStep[] {
  const running = useRunning();
  const guarded = running('policy-guard');
  // Whether there is one is all that is shown.
  const first = { limit: 1, owner: 'me' } as const;
  const groups = useQuery({
    queryKey: [...keys.groups, 'first'],
    queryFn: () => policyGuard.listPolicyGroups({ query: first }),
    enabled: isWanted && guarded,
  });
  const guards = useQuery({
    queryKey: [...keys.guards, 'first'],
    queryFn: () => policyGuard.listGuards({ query: first }),
    enabled: isWanted && guarded,
  });
  const apiKeys = useQuery({
    queryKey: ['api-keys', 'first'],
    queryFn: () => identity.listApiKeys({ query: first }),
    enabled: isWanted,
  });
  const gateways = useQuery({
    queryKey: [...gatewayKeys.gatewayLists, 'first'],
    queryFn: () => agentGateway.listGateways({ query: first }),
    enabled: isWanted && running('agent-gateway'),
  });
  const used = useLastDays().data?.guards.some(({ requests }) => requests > 0);
  const guardSteps: FirstStep[] = [
    {
      name: 'Write a policy',
      note: 'Say in a few words what texts must not do, and try it on examples of yours.',
      to: '/policies',
      isDone: groups.data && groups.data.policy_groups.some((group) => !group.is_template),
    },
    {
      name: 'Make a guard',
      note: 'It joins the policies that an application’s texts are judged by.',
      to: '/guards',
      isDone: guards.data && guards.data.guards.length > 0,
    },
    {
      name: 'Create an API key',
      note: 'Your code sends it with each request.',
      to: '/api-keys',
      isDone: apiKeys.data && apiKeys.data.api_keys.length > 0,
    },
    {
      name: 'Call the guard from your own code',
      note: 'The guard’s page has the lines to paste, in your language.',
      to: '/guards',
      isDone: used,
    },
  ];
  return [
    ...(guarded ? guardSteps : []),
    ...(running('agent-gateway')
      ? [
          {
            name: 'Put a gateway in front of an agent’s tools',
            note: 'Every call is checked, and nothing of it is lost.',
            to: '/gateways' as const,
            isDone: gateways.data && gateways.data.items.length > 0,
          },
        ]
      : []),
  ];
}

/** The way from an empty deployment to a guard called from one's own code; gone once it is done or put away. */
export function FirstSteps() {
  const { id } = useUser();
  const kept = `bulwark-first-steps ${id}`;
  const [isPutAway, setIsPutAway] = useState(() => localStorage.getItem(kept) === 'done');
  const steps = useFirstSteps(!isPutAway);
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  if (isPutAway || !isKnown || steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => isDone === false);
  return (
    <Panel
      title="First steps"
      note={`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
      actions={
        <Button
          kind="quiet"
          size="icon"
          aria-label="Put the first steps away"
          onClick={() => {
            localStorage.setItem(kept, 'done');
            setIsPutAway(true);
          }}
        >
          <X className="size-4" aria-hidden />
        </Button>
      }
    >
      <ol className="grid gap-3">
        {steps.map(({ name, note, to, isDone }) => (
          <li key={name} className="flex gap-3 text-sm">
            {isDone === true ? (
              <CircleCheck className="mt-0.5 size-4.5 shrink-0 text-good" aria-label="Done" role="img" />
            ) : (
              <CircleDashed
                className="mt-0.5 size-4.5 shrink-0 text-ink-soft"
                aria-label="To do"
                role="img"
              />
            )}
            <span className="min-w-0">
              <Link
                to={to}
                className={isDone === true ? 'text-ink-soft hover:underline' : 'font-medium hover:underline'}
              >
                {name}
              </Link>
              {name === next?.name && <span className="block text-[13px] text-ink-soft">{note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
