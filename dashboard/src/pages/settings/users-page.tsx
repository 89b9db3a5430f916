import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { identity } from '../../api/identity.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';

type Member = Awaited<ReturnType<typeof identity.listUsers>>['users'][number];
type Role = Member['roles'][number];

const queryKey = ['users'];
const column = columnsOf<Member>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'User',
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2 font-medium">
        {original.username} {!original.enabled && <Badge tone="warn">disabled</Badge>}
        {original.source === 'oidc' && <Badge>single sign-on</Badge>}
      </span>
    ),
  }),
  column.display({
    id: 'roles',
    header: 'Roles',
    cell: ({ row }) => (
      <span className="flex gap-1.5">
        {row.original.roles.map((role) => (
          <Badge key={role} tone={role === 'admin' ? 'accent' : 'plain'}>
            {role}
          </Badge>
        ))}
      </span>
    ),
  }),
  column.display({ id: 'since', header: 'Since', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    cell: ({ row }) => <Actions member={row.original} />,
  }),
]);

/** The people of the tenant. */
export function UsersPage() {
  const [creating, setCreating] = useState(false);
  const users = useQuery({ queryKey, queryFn: () => identity.listUsers({ query: { limit: 1000 } }) });
  return (
    <>
      <PageHead
        title="Users"
        lead="Administrators see and change everything in the tenant; members have what they made themselves."
        actions={
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden /> New user
          </Button>
        }
      />
      <QueryView query={users}>
        {({ users: all }) => (
          <DataTable label="Users" columns={columns} rows={all} rowKey={(row) => row.id} />
        )}
      </QueryView>
      {creating && <NewUser onClose={() => setCreating(false)} />}
    </>
  );
}

function Actions({ member }: { member: Member }) {
  const queries = useQueryClient();
  const self = useUser().id === member.id;
  const params = { user_id: member.id };
  const toggle = useMutation({
    mutationFn: () => identity.updateUser({ params, body: { enabled: !member.enabled } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toast.error(messageOf(error)),
  });
  const remove = async () => {
    await identity.deleteUser({ params });
    await queries.invalidateQueries({ queryKey });
  };
  if (self) return <span className="text-[13px] text-ink-soft">you</span>;
  return (
    <span className="flex gap-1">
      <Button size="small" kind="quiet" busy={toggle.isPending} onClick={() => toggle.mutate()}>
        {member.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Confirm
        trigger={
          <Button size="small" kind="quiet" aria-label={`Delete ${member.username}`}>
            Delete
          </Button>
        }
        title={`Delete “${member.username}”?`}
        action="Delete user"
        run={remove}
      >
        Their sign-ins and API keys end at once.
      </Confirm>
    </span>
  );
}

const roleChoices: { value: Role; label: string }[] = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Administrator' },
];

function NewUser({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { tenantName } = useUser();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('member');
  const create = useMutation({
    mutationFn: () =>
      identity.register({ body: { username, password, tenant_name: tenantName, roles: [role] } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="New user">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label="Username"
          value={username}
          onChange={({ target }) => setUsername(target.value)}
          autoComplete="off"
          required
        />
        <TextField
          label="First password"
          type="password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          autoComplete="new-password"
          hint="At least 8 characters; they can change it."
          required
          minLength={8}
        />
        <SelectField
          label="Role"
          value={role}
          options={roleChoices}
          onChange={({ target }) => setRole(target.value as Role)}
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
