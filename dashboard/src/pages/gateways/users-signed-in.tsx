import { useQuery } from '@tanstack/react-query';
import {
  agentGateway,
  gatewayKeys,
  type ServerDetail,
  type UserAuthorization,
} from '../../api/agent-gateway.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Ago } from '../../parts/time.tsx';
import { SignInBadge } from './server-sign-in.tsx';

type Row = UserAuthorization & { serverId: string };

const column = columnsOf<Row>();
const columns = column.columns([
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row }) => <span className="font-medium">{row.original.username ?? 'unknown user'}</span>,
  }),
  column.display({
    id: 'status',
    header: 'State',
    cell: ({ row: { original } }) => (
      <span>
        <SignInBadge status={original.status} />
        {original.error !== null && (
          <span className="mt-1 block text-[13px] text-ink-soft">{original.error}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'since',
    header: 'Signed in',
    cell: ({ row }) => <Ago at={row.original.granted_at} />,
  }),
  column.display({
    id: 'actions',
    header: 'End',
    cell: ({ row: { original } }) => (
      <DeleteRowButton
        word="End"
        noun="sign-in"
        name={original.username ?? 'unknown user'}
        run={() =>
          agentGateway.removeAuthorization({
            params: { server_id: original.serverId, user_id: original.user_id },
          })
        }
        changes={gatewayKeys.servers}
      >
        Their tokens are given back. Their next call asks them to sign in again.
      </DeleteRowButton>
    ),
  }),
]);

/** Users who signed in at the server: all of them for its owner and administrators, otherwise only the current user. */
export function UsersSignedIn({ server }: { server: ServerDetail }) {
  const params = { server_id: server.id };
  const users = useQuery({
    queryKey: gatewayKeys.authorizations(server.id),
    queryFn: () => agentGateway.listAuthorizations({ params, query: { limit: 1000 } }),
  });
  return (
    <Panel title="Users who signed in">
      <QueryView query={users}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-ink-soft">Nobody yet: the first call of each user asks them to.</p>
          ) : (
            <DataTable
              label="Users who signed in"
              rows={items.map((item) => ({ ...item, serverId: server.id }))}
              columns={columns}
              rowKey={(row) => row.user_id}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}
