import { useQuery } from '@tanstack/react-query';
import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import { monitoring, textKey } from '../../api/monitoring.ts';
import { keys, policyGuard, type AllowEntry, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { endOf, LifetimeField, type Lifetime } from '../../parts/lifetime-field.tsx';
import { AddableList } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';

const column = columnsOf<AllowEntry & { guardUuid: string }>();
const columns = column.columns([
  column.display({
    id: 'content',
    header: 'Text or pattern',
    cell: ({ row: { original } }) => (
      <span className="block max-w-xl">
        <code className="line-clamp-2 font-mono text-[13px] break-words">{original.content}</code>
        <span className="text-[13px] text-ink-soft">{original.reason}</span>
      </span>
    ),
  }),
  column.display({
    id: 'kind',
    header: 'Kind',
    cell: ({ row: { original } }) => (
      <span className="flex gap-1.5">
        <Badge>{original.kind}</Badge>
        {original.expired && <Badge tone="warn">expired</Badge>}
      </span>
    ),
  }),
  column.display({
    id: 'ends',
    header: 'Ends',
    cell: ({ row }) => <Ago at={row.original.expires_at} />,
  }),
  column.display({
    id: 'by',
    header: 'Allowed by',
    cell: ({ row }) => row.original.created_by_name ?? 'unknown user',
  }),
  column.display({ id: 'since', header: 'Since', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({
    id: 'actions',
    header: 'Delete',
    cell: ({ row: { original } }) => (
      <DeleteRowButton
        noun="entry"
        name={original.content.slice(0, 60)}
        run={() =>
          policyGuard.disallow({ params: { guard_uuid: original.guardUuid, entry_id: original.entry_id } })
        }
        changes={keys.allowList(original.guardUuid)}
      >
        The guard judges such texts again, from the next one on.
      </DeleteRowButton>
    ),
  }),
]);

/** The allow-list: texts that pass without being judged. */
export function AllowList({ guard }: { guard: Guard }) {
  const [adding, setAdding] = useState(false);
  // The page of a judged text leads here with its id.
  const [queryId, setQueryId] = useAddress('shown');
  const judged = useQuery({
    queryKey: textKey(queryId),
    queryFn: () => monitoring.getQuery({ params: { query_id: queryId } }),
    enabled: queryId !== '',
  });
  const entries = useQuery({
    queryKey: keys.allowList(guard.guard_uuid),
    queryFn: () => policyGuard.listAllowed({ params: { guard_uuid: guard.guard_uuid } }),
  });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus className="size-4" aria-hidden /> Allow a text
    </Button>
  );
  return (
    <>
      <QueryView query={entries}>
        {({ entries: all }) =>
          all.length === 0 ? (
            <Empty icon={ListChecks} title="Nothing is allowed unjudged" action={add}>
              A text that is flagged by mistake again and again can pass here; better still is to teach the
              guard by examples.
            </Empty>
          ) : (
            <AddableList note="These texts pass without being judged." action={add}>
              <DataTable
                label="Allow-list"
                columns={columns}
                rows={all.map((entry) => ({ ...entry, guardUuid: guard.guard_uuid }))}
                rowKey={(row) => row.entry_id}
              />
            </AddableList>
          )
        }
      </QueryView>
      {(adding || judged.data !== undefined) && (
        <Allow
          guard={guard}
          text={judged.data?.text ?? ''}
          onClose={() => {
            setAdding(false);
            setQueryId('');
          }}
        />
      )}
    </>
  );
}

const kinds = [
  { value: 'exact', label: 'This text' },
  { value: 'pattern', label: 'All that match a pattern' },
] as const;

function Allow({ guard, text, onClose }: { guard: Guard; text: string; onClose: () => void }) {
  const [kind, setKind] = useState<AllowEntry['kind']>('exact');
  const [content, setContent] = useState(text);
  const [reason, setReason] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  return (
    <FormDialog
      title="Allow a text"
      lead="It is compared with the whole text, whatever its case and spaces, and passes without being judged."
      action="Allow"
      onClose={onClose}
      run={() =>
        policyGuard.allow({
          params: { guard_uuid: guard.guard_uuid },
          body: {
            kind,
            content,
            reason,
            expires_at: endOf(lifetime),
          },
        })
      }
      changes={keys.allowList(guard.guard_uuid)}
    >
      <SelectField label="What" value={kind} options={kinds} onChoice={setKind} />
      <TextArea
        label={kind === 'exact' ? 'Text' : 'Pattern'}
        rows={3}
        className="font-mono"
        value={content}
        onChange={({ target }) => setContent(target.value)}
        required
        maxLength={kind === 'exact' ? 8000 : 200}
        {...(kind === 'pattern' && {
          hint: 'A regular expression for the whole text, such as: ticket \\d{6} is (open|closed)',
        })}
      />
      <TextField
        label="Why it is harmless"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        required
        minLength={3}
        maxLength={500}
      />
      <LifetimeField value={lifetime} onChoice={setLifetime} />
    </FormDialog>
  );
}
