import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { identity, type Member } from '../../api/identity.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';
import { NewCredentials } from './new-credentials.tsx';
import { TenantChoice, useTenant } from './tenant-choice.tsx';

type Role = Member['roles'][number];

const queryKey = ['users'];
const roleChoices: { value: Role; label: string }[] = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Administrator' },
];
const column = columnsOf<Member>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'User',
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2 font-medium">
        {original.username} <You id={original.id} />{' '}
        {!original.enabled && <Badge tone="warn">disabled</Badge>}
        {original.source === 'oidc' && <Badge>single sign-on</Badge>}
        {original.email !== null && (
          <span className="text-[13px] font-normal text-ink-soft">{original.email}</span>
        )}
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
    header: 'Actions',
    cell: ({ row }) => <Actions member={row.original} />,
  }),
]);

/** The user, also of a tenant that is not one's own. */
const whichUser = ({ id, tenant_id: tenantId }: Member) => ({
  params: { user_id: id },
  query: { tenant_id: tenantId },
});

function You({ id }: { id: string }) {
  return useUser().id === id ? <Badge tone="accent">you</Badge> : null;
}

/** The users of the tenant; administrators of `system` may choose another one. */
export function UsersPage() {
  const { tenantId, tenantName } = useTenant();
  const users = useQuery({
    queryKey: [...queryKey, tenantId],
    queryFn: () =>
      identity.listUsers({ query: { limit: 1000, ...(tenantId !== undefined && { tenant_id: tenantId }) } }),
  });
  return (
    <ListPage
      title="Users"
      lead="Administrators see and change everything in the tenant. Members see what they created and what others share with them, and change only their own."
      query={users}
      rowsOf={({ users: all }) => all}
      columns={columns}
      rowKey={(row) => row.id}
      actions={<TenantChoice />}
      create={{ action: 'New user', form: (close) => <NewUser tenantName={tenantName} onClose={close} /> }}
    />
  );
}

/** Role, e-mail address and password of a user; those of users of the issuer are managed there. */
function EditUser({ member, onClose }: { member: Member; onClose: () => void }) {
  const self = useUser().id === member.id;
  const [role, setRole] = useState<Role>(member.roles.includes('admin') ? 'admin' : 'member');
  const [email, setEmail] = useState(member.email ?? '');
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={`Edit ${member.username}`}
      action="Save"
      onClose={onClose}
      run={() =>
        identity.updateUser({
          ...whichUser(member),
          body: {
            ...(!self && { roles: [role] }),
            email: email === '' ? null : email,
            ...(password !== '' && { password }),
          },
        })
      }
      changes={queryKey}
    >
      {!self && (
        <SelectField
          label="Role"
          value={role}
          options={roleChoices}
          hint="Holds from their next request on."
          onChoice={setRole}
        />
      )}
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        hint="Sent to MCP servers that are configured to receive the caller’s identity; may be empty."
        onChange={({ target }) => setEmail(target.value)}
      />
      {!self && (
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          value={password}
          placeholder="as it is"
          hint="At least 8 characters. It ends all their sign-ins."
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
    </FormDialog>
  );
}

function EditButton({ member }: { member: Member }) {
  const [open, setOpen] = useState(false);
  if (member.source === 'oidc') return null;
  return (
    <>
      <Button size="small" kind="quiet" aria-label={`Edit ${member.username}`} onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open && <EditUser member={member} onClose={() => setOpen(false)} />}
    </>
  );
}

function Actions({ member }: { member: Member }) {
  const queries = useQueryClient();
  const self = useUser().id === member.id;
  const which = whichUser(member);
  const toggle = useMutation({
    mutationFn: () => identity.updateUser({ ...which, body: { enabled: !member.enabled } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toast.error(messageOf(error)),
  });
  if (self)
    return (
      <span className="flex gap-1">
        <EditButton member={member} />
      </span>
    );
  return (
    <span className="flex gap-1">
      <EditButton member={member} />
      <Button
        size="small"
        kind="quiet"
        busy={toggle.isPending}
        aria-label={`${member.enabled ? 'Disable' : 'Enable'} ${member.username}`}
        onClick={() => toggle.mutate()}
      >
        {member.enabled ? 'Disable' : 'Enable'}
      </Button>
      <DeleteRowButton
        noun="user"
        name={member.username}
        run={() => identity.deleteUser(which)}
        changes={queryKey}
      >
        Their sign-ins and API keys end at once.
      </DeleteRowButton>
    </span>
  );
}

function NewUser({ tenantName, onClose }: { tenantName: string; onClose: () => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('member');
  return (
    <FormDialog
      title="New user"
      lead={`Of the tenant ${tenantName}. They sign in with this name and password.`}
      action="Create"
      onClose={onClose}
      run={() => identity.register({ body: { username, password, tenant_name: tenantName, roles: [role] } })}
      changes={queryKey}
    >
      <NewCredentials
        nameLabel="Username"
        username={username}
        onUsername={setUsername}
        password={password}
        onPassword={setPassword}
      />
      <SelectField label="Role" value={role} options={roleChoices} onChoice={setRole} />
    </FormDialog>
  );
}
