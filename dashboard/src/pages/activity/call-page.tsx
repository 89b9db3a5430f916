import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { agentGateway, gatewayKeys, type CallDetail, type GatewayCall } from '../../api/agent-gateway.ts';
import { identity } from '../../api/identity.ts';
import { Facts, Raw } from '../../parts/facts.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useUser } from '../../session/use-session.ts';
import { ofCall } from './entry.ts';
import { HeldCall } from './held-call.tsx';
import { activityList, EventPage, Related, Step } from './event-page.tsx';

/** One call through a gateway. */
export function CallPage() {
  const { callId } = useParams({ from: '/activity/calls/$callId' });
  const query = useQuery({
    queryKey: gatewayKeys.call(callId),
    queryFn: () => agentGateway.getCall({ params: { call_id: callId } }),
    staleTime: Infinity,
  });
  return (
    <QueryView query={query} list={activityList}>
      {(call) => <Call call={call} />}
    </QueryView>
  );
}

const endings: Record<GatewayCall['outcome'], string> = {
  ok: 'was let through',
  tool_error: 'was let through, and the tool answered with an error',
  access_denied: 'was refused: the caller has no access to it',
  rate_limited: 'was refused: too many calls',
  tool_changed: 'was refused: the tool has changed since it was first seen',
  tool_quarantined: 'was refused: the description of the tool speaks to the model',
  blocked: 'was blocked by the action guard',
  guard_failed: 'was refused: it could not be judged',
  approval_denied: 'was held for approval',
  output_blocked: 'was let through, and its answer was withheld',
  unknown: 'was refused: there is no such tool',
  failed: 'failed at the server',
  cancelled: 'was cancelled by the client',
};

/** The tab of the gateway on which such a refusal is decided. */
const remedies: Partial<Record<GatewayCall['outcome'], { tab: string; name: string; note: string }>> = {
  access_denied: { tab: 'access', name: 'Change who may call it', note: 'Access rules of the gateway.' },
  tool_changed: {
    tab: 'oversight',
    name: 'Review the changed tool',
    note: 'What changed, field by field; the tool works again once somebody accepts it.',
  },
  tool_quarantined: {
    tab: 'oversight',
    name: 'Review the description',
    note: 'The words that speak to the model; the tool works once somebody approves them.',
  },
  approval_denied: { tab: 'oversight', name: 'Approvals', note: 'Calls that wait, and those that expired.' },
  rate_limited: { tab: 'settings', name: 'Change the rate limit', note: 'Calls per minute of each caller.' },
  blocked: {
    tab: 'settings',
    name: 'Policy set of the gateway',
    note: 'Which rules apply, and how strictly.',
  },
  output_blocked: {
    tab: 'settings',
    name: 'Output guard of the gateway',
    note: 'What happens to answers that contain instructions to the agent.',
  },
};

/** What was decided about a call that was held. */
function decision({ approval, outcome }: CallDetail): string {
  if (approval === null) return outcome === 'approval_denied' ? 'was not approved' : 'was approved';
  const by = approval.decided_by_name ?? 'an unknown user';
  if (approval.status === 'denied') return `was denied by ${by}`;
  if (approval.status !== 'approved') return 'was refused, since nobody decided in time';
  return outcome === 'approval_denied'
    ? `was refused, though ${by} approved it: the action guard asks for more`
    : `was approved by ${by}`;
}

function sentenceOf(call: CallDetail): string {
  const what = `The call of ${call.tool_name}`;
  if (!call.held) return `${what} ${endings[call.outcome]}`;
  const held = `${what} was held for approval and ${decision(call)}`;
  return call.outcome === 'ok' || call.outcome === 'approval_denied'
    ? held
    : `${held}; it ${endings[call.outcome]}`;
}

function Call({ call }: { call: CallDetail }) {
  const remedy = remedies[call.outcome];
  const params = { gatewayId: call.gateway_id };
  return (
    <EventPage
      {...ofCall(call)}
      sentence={sentenceOf(call)}
      about={
        <>
          <span>by {call.user_name ?? 'an unknown user'}</span>
          <span>at the gateway {call.gateway_name ?? 'that was deleted'}</span>
          <span>
            {milliseconds(call.latency_ms)}, of which {milliseconds(call.guard_latency_ms)} for guards
          </span>
        </>
      }
      next={
        call.gateway_name === null ? (
          <li className="text-ink-soft">The gateway was deleted.</li>
        ) : (
          <>
            {remedy !== undefined && (
              <Step note={remedy.note}>
                <Link to="/gateways/$gatewayId" params={params} search={{ tab: remedy.tab }}>
                  {remedy.name}
                </Link>
              </Step>
            )}
            <Step note="All calls of this tool at the gateway.">
              <Link to="/gateways/$gatewayId" params={params} search={{ tab: 'calls', tool: call.tool_name }}>
                Show its other calls
              </Link>
            </Step>
            <Step note="The judged actions of the same session, with rules and trace.">
              <Link to="/actions" search={{ session: call.session_id, hours: 'all' }}>
                Show the session
              </Link>
            </Step>
          </>
        )
      }
      related={<SameSession call={call} />}
    >
      {call.held && <HeldCall call={call} />}
      <Panel title="Why">
        <p className="text-sm break-words">
          {call.reason === '' ? 'Nothing spoke against it.' : call.reason}
        </p>
      </Panel>
      <Panel title="The call">
        <div className="grid gap-5">
          <Facts
            facts={[
              ['Server', call.server_name ?? '–'],
              ['Caller', <Principal key="caller" call={call} />],
              ['Method', call.method],
              ['Session', call.session_id],
              ['Trace', call.trace_id ?? '–'],
            ]}
          />
          {call.arguments !== null && <Raw>{call.arguments}</Raw>}
        </div>
      </Panel>
    </EventPage>
  );
}

const keyOf = /^(.*) \(key ([0-9a-f-]{36})\)$/;

/** Who called, with the name of the API key in place of its id. */
function Principal({ call: { principal } }: { call: GatewayCall }) {
  const { isAdmin } = useUser();
  const [, user, keyId] = keyOf.exec(principal) ?? [];
  const { data } = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: () => identity.listApiKeys({ query: { owner: isAdmin ? 'all' : 'me', limit: 1000 } }),
    enabled: keyId !== undefined,
    staleTime: 60_000,
  });
  const name = data?.api_keys.find(({ id }) => id === keyId)?.name;
  if (keyId === undefined) return principal;
  // Keys that were deleted, and those of others for a member, have no name here.
  if (name === undefined) return data === undefined ? user : `${user}, with an API key`;
  return `${user}, with the key “${name}”`;
}

const mostRelated = 8;

function SameSession({ call }: { call: GatewayCall }) {
  const { data } = useQuery({
    queryKey: ['gateway-calls', 'session', call.session_id],
    queryFn: () => agentGateway.listAllCalls({ query: { session_id: call.session_id, limit: mostRelated } }),
  });
  if (data === undefined) return null;
  return (
    <Related title="The same session" entries={data.calls.filter(({ id }) => id !== call.id).map(ofCall)} />
  );
}
