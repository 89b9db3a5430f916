import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileText, Plus, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys, type ActionPolicy } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { ActionPolicyEditor } from './policy-editor.tsx';
import { RuleExtraction } from './rule-extraction.tsx';
import { RuleList } from './rule-list.tsx';

const column = columnsOf<ActionPolicy>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Policy',
    cell: ({ row: { original } }) => (
      <Link
        to="/action-policies/$policyId"
        params={{ policyId: original.id }}
        className="font-medium hover:underline"
      >
        {original.name}
      </Link>
    ),
  }),
  column.display({ id: 'category', header: 'Category', cell: ({ row }) => row.original.category }),
  column.display({
    id: 'rules',
    header: 'Rules',
    cell: ({ row: { original } }) => {
      const warnOnly = Object.values(original.rules).filter(
        ({ compiled }) => compiled.kind === 'similarity',
      ).length;
      return (
        <span className="flex items-center gap-2 tabular-nums">
          {original.rule_count} {warnOnly > 0 && <Badge tone="warn">{warnOnly} can only warn</Badge>}
        </span>
      );
    },
  }),
  column.display({
    id: 'changed',
    header: 'Changed',
    cell: ({ row }) => <Ago at={row.original.updated_at} />,
  }),
]);

/** Rules in plain sentences, one's own and the presets. */
export function ActionPoliciesPage() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'new' | 'extract'>();
  const policies = useQuery({ queryKey: actionKeys.policies, queryFn: () => actionGuard.listPolicies() });
  const show = (policyId: string) => navigate({ to: '/action-policies/$policyId', params: { policyId } });
  const newPolicy = (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Plus className="size-4" aria-hidden /> New policy
    </Button>
  );
  return (
    <>
      <PageHead
        title="Rules"
        lead="Write what an agent may not do in plain sentences. Each is compiled when it is saved, and shows what will be enforced."
        actions={
          <>
            <Button onClick={() => setOpen('extract')}>
              <FileText className="size-4" aria-hidden /> From a document
            </Button>
            {newPolicy}
          </>
        }
      />
      <QueryView query={policies}>
        {({ policies: all }) => (
          <div className="grid gap-9">
            {all.length === 0 ? (
              <Empty icon={ScrollText} title="No policy of your own yet" action={newPolicy}>
                Begin with a sentence, such as “Verify the customer before you refund more than 100 dollars”,
                or let your handbook be read.
              </Empty>
            ) : (
              <DataTable
                label="Your policies"
                columns={columns}
                rows={all}
                rowKey={(row) => row.id}
                onOpen={({ id }) => void show(id)}
              />
            )}
            <Presets />
          </div>
        )}
      </QueryView>
      {open === 'new' && (
        <ActionPolicyEditor onClose={() => setOpen(undefined)} onSaved={(id) => void show(id)} />
      )}
      {open === 'extract' && (
        <RuleExtraction onClose={() => setOpen(undefined)} onSaved={(id) => void show(id)} />
      )}
    </>
  );
}

function Presets() {
  const [shown, setShown] = useState<string>();
  const templates = useQuery({ queryKey: actionKeys.templates, queryFn: () => actionGuard.listTemplates() });
  return (
    <section aria-labelledby="presets">
      <h2 id="presets" className="mb-3 font-semibold tracking-tight">
        Presets
      </h2>
      <QueryView query={templates}>
        {({ templates: all }) => (
          <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {all.map(({ id, name, description, rule_count: rules }) => (
              <li key={id} className="flex flex-col rounded-xl border border-line bg-panel p-5 shadow-panel">
                <div className="flex items-start justify-between gap-2">
                  <h3 className="font-medium">{name}</h3>
                  <Badge>{rules} rules</Badge>
                </div>
                <p className="mt-1.5 line-clamp-3 flex-1 text-[13px] text-ink-soft">{description}</p>
                <Button
                  size="small"
                  className="mt-4 self-start"
                  onClick={() => setShown(id)}
                  aria-label={`Rules of ${name}`}
                >
                  See the rules
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {shown !== undefined && <Preset id={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

function Preset({ id, onClose }: { id: string; onClose: () => void }) {
  const template = useQuery({
    queryKey: actionKeys.template(id),
    queryFn: () => actionGuard.getTemplate({ params: { template_id: id } }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={template.data?.name ?? 'Preset'}
      lead={template.data?.description ?? ''}
    >
      <QueryView query={template}>{({ rules }) => <RuleList rules={rules} />}</QueryView>
    </Dialog>
  );
}
