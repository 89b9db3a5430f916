import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import type { OpenDecisions } from '../../api/agent-gateway.ts';
import { shadowAi, shadowAiKey } from '../../api/shadow-ai.ts';
import { useRunning } from '../../frame/use-running.ts';
import type { Address } from '../../parts/use-address.ts';
import { useOpenDecisions } from '../gateways/use-open-decisions.ts';
import { useFiring } from './use-firing.ts';
import { useStoppedTests } from './use-stopped-tests.ts';

type Link =
  | { readonly to: '/actions' | '/ai-tools' | '/alerts' | '/tests'; readonly search: Address }
  | {
      readonly to: '/gateways/$gatewayId';
      readonly params: { gatewayId: string };
      readonly search: Address;
    };

/** Something that waits for a person. */
export interface Decision {
  readonly key: string;
  /** What waits, with its number. */
  readonly title: string;
  /** What happens until it is decided. */
  readonly detail: string;
  /** Somebody or something is held up. */
  readonly isUrgent: boolean;
  readonly link: Link;
}

const dayMs = 86_400_000;
const newForDays = 7;
/** Of what agents wait for the page is told. */
const toldMs = 120_000;
const refetchInterval = 60_000;

const numbered = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;

function useActionApprovals(): Decision[] {
  const { data } = useQuery({
    queryKey: [...actionKeys.approvals, 'waiting'],
    queryFn: () => actionGuard.listActionApprovals({ query: { status: 'pending', limit: 100 } }),
    enabled: useRunning()('action-guard'),
    refetchInterval: toldMs,
  });
  const waiting = data?.approvals.filter((approval) => approval.may_decide).length ?? 0;
  if (waiting === 0) return [];
  return [
    {
      key: 'action approvals',
      title: numbered(waiting, 'action waits for approval', 'actions wait for approval'),
      detail: 'Agents are held up until somebody decides.',
      isUrgent: true,
      link: { to: '/actions', search: {} },
    },
  ];
}

/** Calls that wait for approval, changed tools and descriptions, of the gateways that this user may decide about. */
function useGatewayDecisions(): Decision[] {
  const byGateway = Map.groupBy(useOpenDecisions(toldMs), ({ gateway_id: id }) => id);
  return [...byGateway].flatMap(([id, open]) => atGateway(id, open));
}

function atGateway(id: string, open: readonly OpenDecisions[]): Decision[] {
  const name = open[0]?.gateway_name ?? '';
  const sum = (of: 'calls' | 'calls_at_action_guard' | 'changed_tools' | 'descriptions') =>
    open.reduce((all, each) => all + each[of], 0);
  // Those of the action guard are counted among its actions.
  const calls = sum('calls') - sum('calls_at_action_guard');
  const [tools, descriptions] = [sum('changed_tools'), sum('descriptions')];
  const link = {
    to: '/gateways/$gatewayId',
    params: { gatewayId: id },
    search: { tab: 'oversight' },
  } as const;
  return [
    {
      count: calls,
      key: `approvals ${id}`,
      title: `${numbered(calls, 'call waits', 'calls wait')} for approval at ${name}`,
      detail: 'A call that is not decided in time is denied.',
      isUrgent: true,
      link,
    },
    {
      count: tools,
      key: `tools ${id}`,
      title: `${numbered(tools, 'tool has', 'tools have')} changed at ${name}`,
      detail: 'Compare them line by line, and accept what is meant so.',
      isUrgent: false,
      link,
    },
    {
      count: descriptions,
      key: `descriptions ${id}`,
      title: `${numbered(descriptions, 'description speaks', 'descriptions speak')} to the model at ${name}`,
      detail: 'Read the words that carried it, and approve what is harmless.',
      isUrgent: false,
      link,
    },
  ].flatMap(thatWaits);
}

function useNewTools(): Decision[] {
  const { data } = useQuery({
    queryKey: [...shadowAiKey, 'tools', 'new'],
    queryFn: () =>
      shadowAi.listTools({
        query: { start_date: new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10) },
      }),
    enabled: useRunning()('shadow-ai'),
    refetchInterval,
  });
  const since = new Date(Date.now() - newForDays * dayMs).toISOString();
  const found = data?.tools.filter((tool) => !tool.sanctioned && tool.first_seen >= since) ?? [];
  if (found.length === 0) return [];
  const names = found.slice(0, 3).map(({ name }) => name);
  const more = found.length - names.length;
  return [
    {
      key: 'new tools',
      title: `${numbered(found.length, 'new AI tool', 'new AI tools')} on devices: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      detail: 'Allow each with an owner and a reason, or have it removed.',
      isUrgent: false,
      link: { to: '/ai-tools', search: {} },
    },
  ];
}

function useTests(): Decision[] {
  const { failed, waiting } = useStoppedTests(newForDays);
  return [
    {
      count: failed,
      key: 'failed tests',
      title: numbered(failed, 'test failed', 'tests failed'),
      detail: 'Each says why, and how to go on.',
      isUrgent: false,
      link: { to: '/tests', search: { status: 'failed' } } as const,
    },
    {
      count: waiting,
      key: 'waiting tests',
      title: numbered(waiting, 'test waits', 'tests wait'),
      detail: 'It is paused, in the queue, or needs a token.',
      isUrgent: false,
      link: { to: '/tests', search: { status: 'waiting' } } as const,
    },
  ].flatMap(thatWaits);
}

/** A decision, unless nothing waits for it. */
const thatWaits = ({ count, ...decision }: Decision & { readonly count: number }): Decision[] =>
  count === 0 ? [] : [decision];

/** All that waits for this user, the urgent first. */
export function useDecisions(): Decision[] {
  const all = [
    ...useFiring(),
    ...useActionApprovals(),
    ...useGatewayDecisions(),
    ...useNewTools(),
    ...useTests(),
  ];
  return all.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}
