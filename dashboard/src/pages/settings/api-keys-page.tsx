import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { identity, type ApiKey } from '../../api/identity.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';
import { apiKeysKey, NewKey, RotateKey, scopeNames } from './key-forms.tsx';

const isOver = ({ expires_at: at }: ApiKey) => at !== null && new Date(at).getTime() <= Date.now();

const column = columnsOf<ApiKey>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Key',
    cell: ({ row: { original } }) => (
      <span className="flex flex-wrap items-center gap-x-2 font-medium">
        {original.name} {isOver(original) && <Badge>ended</Badge>}
        <code className="basis-full font-mono text-[13px] font-normal text-ink-soft">
          {original.key_prefix}…
        </code>
      </span>
    ),
  }),
  column.display({
    id: 'owner',
    header: 'Acts as',
    cell: ({ row }) => <Owner apiKey={row.original} />,
  }),
  column.display({
    id: 'scope',
    header: 'Good for',
    cell: ({ row }) => scopeNames[row.original.scope],
  }),
  column.display({
    id: 'used',
    header: 'Last used',
    cell: ({ row }) => <Ago at={row.original.last_used_at} />,
  }),
  column.display({ id: 'made', header: 'Made', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({
    id: 'ends',
    header: 'Ends',
    cell: ({ row }) => <Ago at={row.original.expires_at} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row }) => <Actions apiKey={row.original} />,
  }),
]);

function Owner({ apiKey: { user_id: id, user_name: name } }: { apiKey: ApiKey }) {
  return (
    <span className="break-words">
      {name ?? 'unknown user'}
      {useUser().id === id && <span className="text-ink-soft"> (you)</span>}
    </span>
  );
}

/** API keys; each acts as the user who created it. Administrators see those of the tenant. */
export function ApiKeysPage() {
  const { isAdmin } = useUser();
  const owner = useOwnerFilter();
  const apiKeys = useQuery({
    queryKey: [...apiKeysKey, owner],
    queryFn: () => identity.listApiKeys({ query: { limit: 1000, owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="API keys"
      lead="For programs. A key acts as its user does, with the rights that the user has at the time of each call."
      query={apiKeys}
      rowsOf={({ api_keys: all }) => all}
      columns={columns}
      rowKey={(row) => row.id}
      byOwner={isAdmin}
      create={{ action: 'New key', form: (close) => <NewKey onClose={close} /> }}
      empty={{
        icon: KeyRound,
        title: 'No key yet',
        text: 'Applications send it in the header X-API-Key, or as a bearer token.',
      }}
    />
  );
}

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const [rotating, setRotating] = useState(false);
  const isOwn = useUser().id === apiKey.user_id;
  return (
    <span className="flex gap-1">
      {isOwn && !isOver(apiKey) && (
        <Button
          size="small"
          kind="quiet"
          aria-label={`Rotate ${apiKey.name}`}
          onClick={() => setRotating(true)}
        >
          Rotate
        </Button>
      )}
      <DeleteRowButton
        noun="key"
        name={apiKey.name}
        run={() => identity.deleteApiKey({ params: { key_id: apiKey.id } })}
        changes={apiKeysKey}
      >
        Programs that use it are refused at once.
      </DeleteRowButton>
      {rotating && <RotateKey apiKey={apiKey} onClose={() => setRotating(false)} />}
    </span>
  );
}
