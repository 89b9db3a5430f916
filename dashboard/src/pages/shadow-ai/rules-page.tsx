import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { shadowAi, shadowAiKey, type ShadowAiRule } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useUser } from '../../session/use-session.ts';
import { severities, SeverityBadge, type Severity } from './severity-badge.tsx';

type Change = { enabled?: boolean; severity_override?: Severity | null };

const column = columnsOf<ShadowAiRule>();
const severityOptions = [
  { value: '', label: 'Set severity …' },
  ...severities.map((value) => ({ value, label: value.toLowerCase() })),
  { value: 'own', label: 'as the catalogue' },
];

/** The rules that identify AI tools and providers; several can be changed together. */
export function RulesPage() {
  const { isAdmin } = useUser();
  const [words, setWords] = useAddress('words');
  const [shown, setShown] = useAddress('shown');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery({
    queryKey: [...shadowAiKey, 'rules'],
    queryFn: () => shadowAi.listRules({ query: {} }),
  });
  const labels = new Map(query.data?.categories.map(({ id, label }) => [id, label]));
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const columns = column.columns([
    ...(isAdmin
      ? [
          column.display({
            id: 'chosen',
            header: 'Choose',
            cell: ({ row: { original } }) => (
              <input
                type="checkbox"
                aria-label={`Choose ${original.name}`}
                className="size-4 accent-(--accent)"
                checked={chosen.has(original.id)}
                onChange={() => toggle(original.id)}
              />
            ),
          }),
        ]
      : []),
    column.display({
      id: 'rule',
      header: 'Rule',
      cell: ({ row: { original } }) => (
        <span className="block max-w-[44rem] min-w-0">
          <span className="font-medium">{original.name}</span>
          {!original.enabled && (
            <span className="ml-2">
              <Badge tone="warn">off</Badge>
            </span>
          )}
          <span className="block text-[13px] text-ink-soft">{original.description}</span>
        </span>
      ),
    }),
    column.display({
      id: 'severity',
      header: 'Severity',
      cell: ({ row: { original } }) => (
        <span className="flex flex-wrap gap-1">
          <SeverityBadge severity={original.severity_override ?? original.severity} />
          {original.severity_override !== null && <Badge>changed</Badge>}
        </span>
      ),
    }),
    column.display({
      id: 'category',
      header: 'Category',
      cell: ({ row }) => labels.get(row.original.category) ?? row.original.category,
    }),
    column.display({
      id: 'techniques',
      header: 'ATT&CK, ATLAS',
      cell: ({ row }) => (
        <span className="text-[13px]">{(row.original.mitre ?? []).slice(0, 3).join(' ')}</span>
      ),
    }),
  ]);
  return (
    <>
      <PageHead
        title="Catalogue"
        lead="What AI tools, providers and behaviours are known by. A rule that is off is left out of every list, and its detections come back when it is on again."
      />
      <QueryView query={query}>
        {({ categories, rules }) => {
          const fits = ({ id, name, description, category }: ShadowAiRule) =>
            (shown === '' || category === shown) &&
            `${id} ${name} ${description}`.toLowerCase().includes(words.trim().toLowerCase());
          const rows = rules.filter(fits);
          return (
            <div className="grid gap-4">
              <div className="grid gap-3 sm:grid-cols-2">
                <TextField label="Search" value={words} onChange={({ target }) => setWords(target.value)} />
                <SelectField
                  label="Category"
                  value={shown}
                  options={[
                    { value: '', label: 'All' },
                    ...categories.map(({ id, label, group }) => ({
                      value: id,
                      label: group === 'upcoming' ? `${label} (planned)` : label,
                    })),
                  ]}
                  onChoice={setShown}
                />
              </div>
              {isAdmin && (
                <Bulk
                  rows={rows}
                  chosen={chosen}
                  onAll={() => setChosen(new Set(rows.map(({ id }) => id)))}
                  onNone={() => setChosen(new Set())}
                />
              )}
              <DataTable label="Rules" columns={columns} rows={rows} rowKey={({ id }) => id} />
            </div>
          );
        }}
      </QueryView>
    </>
  );
}

function Bulk({
  rows,
  chosen,
  onAll,
  onNone,
}: {
  rows: readonly ShadowAiRule[];
  chosen: ReadonlySet<string>;
  onAll: () => void;
  onNone: () => void;
}) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: Change) =>
      shadowAi.updateRules({
        query: {},
        body: { rules: [...chosen].map((rule_id) => ({ rule_id, ...wanted })) },
      }),
    onSuccess: async ({ updated }) => {
      toast.success(`${count(updated)} rules are changed.`);
      onNone();
      await queries.invalidateQueries({ queryKey: shadowAiKey });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const none = chosen.size === 0;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-ink-soft">
        {count(rows.length)} rules, {count(chosen.size)} chosen
      </span>
      <Button size="small" onClick={none ? onAll : onNone}>
        {none ? 'Choose all shown' : 'Choose none'}
      </Button>
      <Button size="small" disabled={none} onClick={() => change.mutate({ enabled: true })}>
        Switch on
      </Button>
      <Button size="small" disabled={none} onClick={() => change.mutate({ enabled: false })}>
        Switch off
      </Button>
      <SelectField
        label="Severity of the chosen rules"
        hideLabel
        value=""
        options={severityOptions}
        disabled={none}
        onChoice={(value) => {
          const severity = severities.find((each) => each === value);
          if (severity !== undefined || value === 'own')
            change.mutate({ severity_override: severity ?? null });
        }}
      />
    </div>
  );
}
