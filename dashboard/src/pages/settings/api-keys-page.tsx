import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { identity } from '../../api/identity.ts';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

type ApiKey = Awaited<ReturnType<typeof identity.listApiKeys>>['api_keys'][number];

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
  column.display({ id: 'made', header: 'Made', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({
    id: 'ends',
    header: 'Ends',
    cell: ({ row }) =>
      row.original.expires_at === null ? (
        <span className="text-ink-soft">never</span>
      ) : (
        <Ago at={row.original.expires_at} />
      ),
  }),
  column.display({
    id: 'delete',
    header: () => <span className="sr-only">Delete</span>,
    cell: ({ row }) => <DeleteKey apiKey={row.original} />,
  }),
]);

/** Keys for programs; each acts as the person who made it. */
export function ApiKeysPage() {
  const [creating, setCreating] = useState(false);
  const apiKeys = useQuery({ queryKey, queryFn: () => identity.listApiKeys({ query: { limit: 1000 } }) });
  const newKey = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> New key
    </Button>
  );
  return (
    <>
      <PageHead
        title="API keys"
        lead="For programs. A key acts as you do, with the rights that you have at the time of each call."
        actions={newKey}
      />
      <QueryView query={apiKeys}>
        {({ api_keys: all }) =>
          all.length === 0 ? (
            <Empty icon={KeyRound} title="No key yet" action={newKey}>
              Applications send it in the header X-API-Key, or as a bearer token.
            </Empty>
          ) : (
            <DataTable label="API keys" columns={columns} rows={all} rowKey={(row) => row.id} />
          )
        }
      </QueryView>
      {creating && <NewKey onClose={() => setCreating(false)} />}
    </>
  );
}

function DeleteKey({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient();
  const remove = async () => {
    await identity.deleteApiKey({ params: { key_id: apiKey.id } });
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <Confirm
      trigger={
        <Button size="small" kind="quiet" aria-label={`Delete ${apiKey.name}`}>
          Delete
        </Button>
      }
      title={`Delete “${apiKey.name}”?`}
      action="Delete key"
      run={remove}
    >
      Programs that use it are refused at once.
    </Confirm>
  );
}

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'No end' },
];
const dayMs = 86_400_000;

function NewKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const create = useMutation({
    mutationFn: () =>
      identity.createApiKey({
        body: {
          name,
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  if (create.data !== undefined) {
    const { key } = create.data;
    return (
      <Dialog
        open
        onClose={onClose}
        title="Your new key"
        lead="It is shown this once. Keep it where secrets are kept."
      >
        <code className="block rounded-lg bg-raised p-3 font-mono text-sm break-all">{key}</code>
        <div className="mt-5 flex justify-end gap-2">
          <Button
            onClick={() => {
              void navigator.clipboard.writeText(key).then(() => toast.success('Copied.'));
            }}
          >
            Copy
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title="New API key">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint="What will use it, such as “support chat, production”."
          required
          maxLength={255}
        />
        <SelectField
          label="Ends after"
          value={days}
          options={lifetimes}
          onChange={({ target }) => setDays(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
