import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import {
  agentGateway,
  gatewayKeys,
  type Gateway,
  type OAuthClient,
  type OAuthConsent,
} from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

/** OAuth clients that act for users at this gateway, and the users' consents. */
export const OAuthClients = ({ gateway, editable }: { gateway: Gateway; editable: boolean }) => (
  <div className="grid grid-cols-1 gap-9">
    {editable && <Clients gateway={gateway} />}
    <Consents gateway={gateway} />
  </div>
);

const clientColumn = columnsOf<OAuthClient & { gatewayId: string }>();
const clientColumns = clientColumn.columns([
  clientColumn.display({
    id: 'name',
    header: 'Client',
    cell: ({ row: { original } }) => (
      <span className="block max-w-md">
        <span className="font-medium">{original.name}</span>
        <span className="block truncate font-mono text-[13px] text-ink-soft">{original.client_id}</span>
      </span>
    ),
  }),
  clientColumn.display({
    id: 'kind',
    header: 'Identified by',
    cell: ({ row }) => (
      <Badge>{row.original.kind === 'registered' ? 'its registration' : 'its document'}</Badge>
    ),
  }),
  clientColumn.display({
    id: 'consents',
    header: 'Consents',
    cell: ({ row }) => <span className="tabular-nums">{row.original.consents}</span>,
  }),
  clientColumn.display({
    id: 'used',
    header: 'Last used',
    cell: ({ row }) => <Ago at={row.original.last_used_at} />,
  }),
  clientColumn.display({
    id: 'actions',
    header: 'Remove',
    cell: ({ row: { original } }) => (
      <DeleteRowButton
        word="Remove"
        noun="client"
        name={original.name}
        run={() =>
          agentGateway.deleteOAuthClient({
            params: { gateway_id: original.gatewayId, client_id: original.client_id },
          })
        }
        changes={gatewayKeys.oauth(original.gatewayId)}
      >
        All consents to it go too, and its tokens end at once. It may register again, and people may consent
        again.
      </DeleteRowButton>
    ),
  }),
]);

function Clients({ gateway }: { gateway: Gateway }) {
  const clients = useQuery({
    queryKey: [...gatewayKeys.oauth(gateway.id), 'clients'],
    queryFn: () =>
      agentGateway.listOAuthClients({ params: { gateway_id: gateway.id }, query: { limit: 1000 } }),
  });
  return (
    <section aria-labelledby="oauth-clients">
      <h2 id="oauth-clients" className="mb-3 font-semibold tracking-tight">
        Clients
      </h2>
      <QueryView query={clients}>
        {({ clients: all }) =>
          all.length === 0 ? (
            <Empty icon={KeyRound} title="No client has registered yet">
              A client that is given the endpoint without a key registers itself, and sends its user to sign
              in and consent.
            </Empty>
          ) : (
            <DataTable
              label="OAuth clients"
              columns={clientColumns}
              rows={all.map((client) => ({ ...client, gatewayId: gateway.id }))}
              rowKey={(row) => row.client_id}
            />
          )
        }
      </QueryView>
    </section>
  );
}

type ConsentRow = OAuthConsent & { gatewayId: string; person: string };

const consentColumn = columnsOf<ConsentRow>();
const consentColumns = consentColumn.columns([
  consentColumn.display({
    id: 'person',
    header: 'User',
    cell: ({ row }) => <span className="font-medium">{row.original.person}</span>,
  }),
  consentColumn.display({
    id: 'client',
    header: 'Client',
    cell: ({ row: { original } }) => (
      <span>
        {original.client_name}
        <span className="block text-[13px] text-ink-soft">back to {original.redirect_host}</span>
      </span>
    ),
  }),
  consentColumn.display({
    id: 'scopes',
    header: 'Scopes',
    cell: ({ row }) => (
      <span className="flex flex-wrap gap-1">
        {row.original.scopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </span>
    ),
  }),
  consentColumn.display({
    id: 'used',
    header: 'Last used',
    cell: ({ row }) => <Ago at={row.original.last_used_at} />,
  }),
  consentColumn.display({
    id: 'ends',
    header: 'Ends',
    cell: ({ row }) => <Ago at={row.original.expires_at} />,
  }),
  consentColumn.display({
    id: 'actions',
    header: 'End',
    cell: ({ row: { original } }) => (
      <DeleteRowButton
        word="End"
        noun="consent"
        name={`${original.person} for ${original.client_name}`}
        run={() =>
          agentGateway.revokeOAuthConsent({
            params: { gateway_id: original.gatewayId, consent_id: original.id },
          })
        }
        changes={gatewayKeys.oauth(original.gatewayId)}
      >
        All tokens that came of it end at once.
      </DeleteRowButton>
    ),
  }),
]);

function Consents({ gateway }: { gateway: Gateway }) {
  const consents = useQuery({
    queryKey: [...gatewayKeys.oauth(gateway.id), 'consents'],
    queryFn: () =>
      agentGateway.listOAuthConsents({ params: { gateway_id: gateway.id }, query: { limit: 1000 } }),
  });
  return (
    <section aria-labelledby="oauth-consents">
      <h2 id="oauth-consents" className="mb-3 font-semibold tracking-tight">
        Consents
      </h2>
      <QueryView query={consents}>
        {({ consents: all }) =>
          all.length === 0 ? (
            <p className="text-sm text-ink-soft">No consents: nobody has let a client act for them.</p>
          ) : (
            <DataTable
              label="OAuth consents"
              columns={consentColumns}
              rows={all.map((consent) => ({
                ...consent,
                gatewayId: gateway.id,
                person: consent.user_name ?? 'unknown user',
              }))}
              rowKey={(row) => row.id}
            />
          )
        }
      </QueryView>
    </section>
  );
}
