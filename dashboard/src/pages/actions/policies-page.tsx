import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileText, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys, type ActionPolicy } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Cards } from '../../parts/cards.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Ago } from '../../parts/time.tsx';
import { ActionPolicyEditor } from './policy-editor.tsx';
import { sharedOf } from './policy-sharing.tsx';
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
  ownerColumn<ActionPolicy>(sharedOf),
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

/** Rules in plain sentences: one's own, those shared by others, and the built-in ones. */
export function ActionPoliciesPage() {
  const navigate = useNavigate();
  const [extracting, setExtracting] = useState(false);
  const owner = useOwnerFilter();
  const policies = useQuery({
    queryKey: actionKeys.policyList(owner),
    queryFn: () => actionGuard.listPolicies({ query: { owner } }),
    placeholderData: (previous) => previous,
  });
  const show = (policyId: string) =>
    void navigate({ to: '/action-policies/$policyId', params: { policyId } });
  return (
    <>
      <ListPage
        title="Rules"
        label="Policies"
        byOwner
        lead="Write what an agent may not do in plain sentences. Each is compiled when it is saved, and shows what will be enforced."
        query={policies}
        rowsOf={({ policies: all }) => all}
        columns={columns}
        rowKey={(row) => row.id}
        onOpen={({ id }) => show(id)}
        create={{
          action: 'New policy',
          form: (close) => <ActionPolicyEditor onClose={close} onSaved={show} />,
        }}
        actions={
          <Button onClick={() => setExtracting(true)}>
            <FileText className="size-4" aria-hidden /> From a document
          </Button>
        }
        empty={{
          icon: ScrollText,
          title: 'No policy yet',
          text: 'Begin with a sentence, such as “Verify the customer before you refund more than 100 dollars”, or let your handbook be read.',
        }}
        after={() => <Presets />}
      />
      {extracting && <RuleExtraction onClose={() => setExtracting(false)} onSaved={show} />}
    </>
  );
}

function Presets() {
  const [shown, setShown] = useState<string>();
  const templates = useQuery({ queryKey: actionKeys.templates, queryFn: () => actionGuard.listTemplates() });
  return (
    <>
      <QueryView query={templates}>
        {({ templates: all }) => (
          <Cards title="Presets">
            {all.map(({ id, name, description, rule_count: rules }) => (
              <Card
                key={id}
                head={name}
                badge={<Badge>{rules} rules</Badge>}
                text={description}
                action={
                  <Button size="small" onClick={() => setShown(id)} aria-label={`Rules of ${name}`}>
                    See the rules
                  </Button>
                }
              />
            ))}
          </Cards>
        )}
      </QueryView>
      {shown !== undefined && <Preset id={shown} onClose={() => setShown(undefined)} />}
    </>
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
