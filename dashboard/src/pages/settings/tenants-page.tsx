import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { identity } from '../../api/identity.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { NameField, Switch } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';
import { NewCredentials } from './new-credentials.tsx';
import { tenantsKey as queryKey } from './tenant-choice.tsx';

type Tenant = Awaited<ReturnType<typeof identity.listTenants>>['tenants'][number];

const systemTenant = 'system';
const column = columnsOf<Tenant>();
const columns = column.columns([
  column.display({ id: 'name', header: 'Tenant', cell: ({ row }) => <Name tenant={row.original} /> }),
  column.display({
    id: 'registration',
    header: 'Registration',
    cell: ({ row }) => <Registration tenant={row.original} />,
  }),
  column.display({ id: 'since', header: 'Since', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
]);

/** The tenants that the user administers: all for administrators of `system`, otherwise their own. */
export function TenantsPage() {
  const { tenantName } = useUser();
  const tenants = useQuery({ queryKey, queryFn: () => identity.listTenants({ query: { limit: 1000 } }) });
  return (
    <ListPage
      title="Tenants"
      lead="Each tenant has users, guards, gateways and logs of its own; nothing is shared between them."
      query={tenants}
      rowsOf={({ tenants: all }) => all}
      columns={columns}
      rowKey={(row) => row.id}
      {...(tenantName === systemTenant && {
        create: { action: 'New tenant', form: (close: () => void) => <NewTenant onClose={close} /> },
      })}
    />
  );
}

function Name({ tenant: { name } }: { tenant: Tenant }) {
  const own = useUser().tenantName === name;
  return (
    <span className="flex items-center gap-2 font-medium">
      {name} {own && <Badge tone="accent">yours</Badge>}
    </span>
  );
}

function Registration({ tenant: { id, name, self_registration: open } }: { tenant: Tenant }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: boolean) =>
      identity.updateTenant({ params: { tenant_id: id }, body: { self_registration: next } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toast.error(messageOf(error)),
  });
  if (name === systemTenant)
    return <span className="text-ink-soft">administrators add users, here always</span>;
  return (
    <Switch
      label={`Anybody may register in ${name}`}
      checked={open}
      disabled={change.isPending}
      onChange={change.mutate}
    />
  );
}

function NewTenant({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const create = async () => {
    await identity.createTenant({ body: { name } });
    await identity.register({ body: { username, password, tenant_name: name, roles: ['admin'] } });
  };
  return (
    <FormDialog
      title="New tenant"
      lead="With its first administrator, who adds everybody else."
      action="Create"
      onClose={onClose}
      run={create}
      changes={queryKey}
    >
      <NameField name={name} onName={setName} />
      <NewCredentials
        nameLabel="First administrator"
        username={username}
        onUsername={setUsername}
        password={password}
        onPassword={setPassword}
      />
    </FormDialog>
  );
}
