import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { identity } from '../../api/identity.ts';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { endOf, LifetimeField, type Lifetime } from '../../parts/lifetime-field.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Ago } from '../../parts/time.tsx';

type ApiKey = Awaited<ReturnType<typeof identity.listApiKeys>>['api_keys'][number];

type Scope = ApiKey['scope'];

const scopeNames: Record<Scope, string> = {
  all: 'Guards, actions, gateways',
  policies: 'Policies, guards, templates',
};
const scopeChoices = Object.entries(scopeNames).map(([value, label]) => ({ value: value as Scope, label }));
const queryKey = ['api-keys'];
const column = columnsOf<ApiKey>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Key',
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.display({
    id: 'prefix',
    header: 'Begins with',
    cell: ({ row }) => <code className="font-mono text-[13px]">{row.original.key_prefix}…</code>,
  }),
  column.display({
    id: 'scope',
    header: 'Good for',
    cell: ({ row }) => scopeNames[row.original.scope],
  }),
  column.display({ id: 'made', header: 'Made', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({
    id: 'ends',
    header: 'Ends',
    cell: ({ row }) => <Ago at={row.original.expires_at} />,
  }),
  column.display({
    id: 'delete',
    header: () => <span className="sr-only">Delete</span>,
    cell: ({ row }) => <DeleteKey apiKey={row.original} />,
  }),
]);

/** API keys; each acts as the user who created it. */
export function ApiKeysPage() {
  const apiKeys = useQuery({ queryKey, queryFn: () => identity.listApiKeys({ query: { limit: 1000 } }) });
  return (
    <ListPage
      title="API keys"
      lead="For programs. A key acts as you do, with the rights that you have at the time of each call."
      query={apiKeys}
      rowsOf={({ api_keys: all }) => all}
      columns={columns}
      rowKey={(row) => row.id}
      create={{ action: 'New key', form: (close) => <NewKey onClose={close} /> }}
      empty={{
        icon: KeyRound,
        title: 'No key yet',
        text: 'Applications send it in the header X-API-Key, or as a bearer token.',
      }}
    />
  );
}

const DeleteKey = ({ apiKey: { id, name } }: { apiKey: ApiKey }) => (
  <DeleteRowButton
    noun="key"
    name={name}
    run={() => identity.deleteApiKey({ params: { key_id: id } })}
    changes={queryKey}
  >
    Programs that use it are refused at once.
  </DeleteRowButton>
);

function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('all');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [made, setMade] = useState<string>();
  if (made !== undefined)
    return (
      <ShownOnce
        title="Your new key"
        lead="It is shown this once. Keep it where secrets are kept."
        secret={made}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="New API key"
      action="Create"
      onClose={onClose}
      run={() => identity.createApiKey({ body: { name, scope, expires_at: endOf(lifetime) } })}
      changes={queryKey}
      onDone={({ key }) => setMade(key)}
    >
      <TextField
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        hint="What will use it, such as “support chat, production”."
        required
        maxLength={255}
      />
      <SelectField
        label="Good for"
        value={scope}
        options={scopeChoices}
        onChoice={setScope}
        hint="Asking guards and gateways, or keeping policies as code; a key does one of them."
      />
      <LifetimeField value={lifetime} onChoice={setLifetime} />
    </FormDialog>
  );
}
