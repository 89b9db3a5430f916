import { useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { agentGateway, gatewayKeys, type ServerDetail } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, LinkButton } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';

type Authorization = NonNullable<ServerDetail['authorization']>;

const badges = {
  authorized: <Badge tone="good">connected</Badge>,
  needs_authorization: <Badge tone="warn">needs a sign-in</Badge>,
  failed: <Badge tone="flag">failed</Badge>,
} as const satisfies Record<Authorization['status'], unknown>;

export const SignInBadge = ({ status }: Pick<Authorization, 'status'>) => badges[status];

const factsOf = ({ issuer, scope, granted_by_name, granted_at, expires_at }: Authorization) =>
  [
    ['Account at', issuer === null ? undefined : new URL(issuer).host],
    ['Allowed', scope === '' ? undefined : scope],
    ['Signed in by', granted_by_name ?? undefined],
    ['Since', granted_at === null ? undefined : <Ago key="since" at={granted_at} />],
    ['Token until', expires_at === null ? undefined : new Date(expires_at).toLocaleTimeString()],
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));

/** The state of the sign-in at the server: for all callers, or for the current user. */
export function ServerSignIn({ server }: { server: ServerDetail }) {
  const { authorization, authorization_url: url } = server;
  const queries = useQueryClient();
  if (authorization === null) return null;
  const own = server.identity_scheme === 'user_oauth';
  const { status, error } = authorization;
  return (
    <Panel
      title={own ? 'Your sign-in' : 'Sign-in'}
      note={
        own
          ? 'Each user signs in once; calls go with their own account.'
          : 'The gateway uses this account for the calls of all users.'
      }
      actions={<SignInBadge status={status} />}
    >
      <div className="grid gap-4">
        {error !== null && <p className="text-sm text-flag">{error}</p>}
        {status === 'authorized' && <Facts facts={factsOf(authorization)} />}
        <p className="flex flex-wrap gap-2">
          {url !== null && (
            <LinkButton kind="primary" href={url}>
              Connect <ExternalLink className="size-4" aria-hidden />
            </LinkButton>
          )}
          {url === null && status !== 'authorized' && (
            <Button
              onClick={() => void queries.invalidateQueries({ queryKey: gatewayKeys.server(server.id) })}
            >
              Look again
            </Button>
          )}
          {authorization.granted_at !== null && (
            <DeleteRowButton
              word="Disconnect"
              noun="sign-in"
              name={server.name}
              run={() => agentGateway.disconnectServer({ params: { server_id: server.id } })}
              changes={gatewayKeys.servers}
            >
              {own ? 'Your calls of this server' : 'All calls of this server'} fail until a user signs in
              again.
            </DeleteRowButton>
          )}
        </p>
      </div>
    </Panel>
  );
}
