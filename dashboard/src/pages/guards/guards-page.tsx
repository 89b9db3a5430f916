import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn, SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { Ago } from '../../parts/time.tsx';
import { GroupChoice } from './group-choice.tsx';
import { sharedOf } from './guard-sharing.tsx';

const column = columnsOf<Guard>();
const number = (header: string, of: (guard: Guard) => string) =>
  column.display({ id: `#${header}`, header, cell: ({ row }) => of(row.original) });
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Guard',
    cell: ({ row: { original } }) => (
      <div className="flex items-center gap-2">
        <Link
          to="/guards/$guardUuid"
          params={{ guardUuid: original.guard_uuid }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
        {!original.enabled && <Badge tone="warn">off</Badge>}
        {original.settings.mode === 'observe' && <Badge tone="warn">observes</Badge>}
      </div>
    ),
  }),
  ownerColumn(sharedOf),
  number('Groups', ({ policy_group_uuids: groups }) => String(groups.length)),
  number('Texts', ({ metrics }) => count(metrics.requests_total)),
  number('Flagged', ({ metrics }) => share(metrics.flag_rate)),
  number('Latency (p95)', ({ metrics }) => milliseconds(metrics.latency_ms_p95)),
  column.display({
    id: 'called',
    header: 'Last called',
    cell: ({ row }) => <Ago at={row.original.metrics.last_called_at} />,
  }),
]);

/** The guards, with their figures. */
export function GuardsPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const guards = useQuery({
    queryKey: keys.guardList(owner),
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000, owner } }),
    placeholderData: (previous) => previous,
    refetchInterval: 10_000,
  });
  return (
    <ListPage
      title="Guards"
      lead="A guard is what an application asks about a text: it judges by the policy groups that are attached to it."
      query={guards}
      rowsOf={({ guards: all }) => all}
      columns={columns}
      byOwner
      rowKey={(row) => row.guard_uuid}
      onOpen={({ guard_uuid: guardUuid }) =>
        void navigate({ to: '/guards/$guardUuid', params: { guardUuid } })
      }
      create={{ action: 'New guard', form: (close) => <NewGuard onClose={close} /> }}
      empty={{
        icon: ShieldCheck,
        title: 'No guard yet',
        text: 'Make one for each application, so that each can be as strict as it must be and has figures of its own.',
      }}
    />
  );
}

function NewGuard({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  const [groups, setGroups] = useState<readonly string[]>(['00000000-0000-4000-8000-000000000009']);
  return (
    <FormDialog
      title="New guard"
      action="Create"
      onClose={onClose}
      run={() => policyGuard.createGuard({ body: { name, visibility, policy_group_uuids: [...groups] } })}
      changes={keys.guards}
      onDone={({ guard_uuid: guardUuid }) => navigate({ to: '/guards/$guardUuid', params: { guardUuid } })}
    >
      <TextField
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder="Support chat"
        required
        maxLength={255}
      />
      <GroupChoice chosen={groups} onChange={setGroups} />
      <SharingChoice kind="guard" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
