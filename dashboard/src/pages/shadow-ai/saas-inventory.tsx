import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shadowAi, shadowAiKey, type SaasFinding } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useUser } from '../../session/use-session.ts';

const column = columnsOf<SaasFinding>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Resource',
    cell: ({ row }) => <span className="font-medium">{row.original.resource_name}</span>,
  }),
  column.display({
    id: 'type',
    header: 'Type',
    cell: ({ row: { original } }) => (
      <Badge tone={original.resource_type === 'coverage' ? 'warn' : 'plain'}>
        {original.resource_type.replaceAll('_', ' ')}
      </Badge>
    ),
  }),
  column.display({ id: 'scope', header: 'Scope', cell: ({ row }) => row.original.scope }),
  column.display({ id: 'by', header: 'Made by', cell: ({ row }) => row.original.created_by }),
]);

/** AI resources of a SaaS instance, scanned on request. */
export function SaasInventory() {
  const { isAdmin } = useUser();
  const [editing, setEditing] = useState(false);
  const config = useQuery({
    queryKey: [...shadowAiKey, 'saas'],
    queryFn: () => shadowAi.getSaasConfig({ query: {} }),
  });
  const inventory = useQuery({
    queryKey: [...shadowAiKey, 'saas', 'inventory'],
    queryFn: () => shadowAi.getSaasInventory({ query: {} }),
    enabled: false,
    retry: false,
  });
  return (
    <QueryView query={config}>
      {({ host, user, has_password: isSet }) => (
        <div className="grid gap-6">
          <Panel
            title={isSet ? (host ?? 'Instance') : 'No instance is configured'}
            note="Beta. Each scan asks the instance anew; tables that it may not read are listed as gaps."
            actions={
              <>
                {isSet && (
                  <Button kind="primary" busy={inventory.isFetching} onClick={() => void inventory.refetch()}>
                    Scan
                  </Button>
                )}
                {isAdmin && <Button onClick={() => setEditing(true)}>{isSet ? 'Change' : 'Set up'}</Button>}
              </>
            }
          >
            {user !== null && <p className="text-sm text-ink-soft">Signed in as {user}.</p>}
          </Panel>
          {(inventory.data !== undefined || inventory.isError) && (
            <QueryView query={inventory}>
              {({ findings }) => (
                <DataTable
                  label="AI resources"
                  columns={columns}
                  rows={findings}
                  rowKey={(row) => `${row.resource_type} ${row.resource_id}`}
                />
              )}
            </QueryView>
          )}
          {editing && <SaasForm host={host ?? ''} user={user ?? ''} onClose={() => setEditing(false)} />}
        </div>
      )}
    </QueryView>
  );
}

function SaasForm({ onClose, ...before }: { host: string; user: string; onClose: () => void }) {
  const [host, setHost] = useState(before.host);
  const [user, setUser] = useState(before.user);
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title="SaaS instance"
      action="Save"
      ready={host !== '' && user !== '' && password !== ''}
      changes={shadowAiKey}
      onClose={onClose}
      run={() => shadowAi.putSaasConfig({ query: {}, body: { host, user, password } })}
    >
      <TextField label="Host" value={host} onChange={({ target }) => setHost(target.value)} required />
      <TextField label="User" value={user} onChange={({ target }) => setUser(target.value)} required />
      <TextField
        label="Password"
        type="password"
        autoComplete="off"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        required
      />
    </FormDialog>
  );
}
