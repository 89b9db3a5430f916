import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  actionGuard,
  actionKeys,
  type ActionPolicy,
  type Rule,
  type RuleDraft,
} from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { TextArea } from '../../../parts/field.tsx';
import { PageHead, Panel } from '../../../parts/page.tsx';
import { QueryView } from '../../../parts/query-view.tsx';
import { useMayChange } from '../../../session/use-session.ts';
import type { Form } from './form.ts';
import { FormPanel } from './form-panel.tsx';
import { Reading } from './reading.tsx';
import { ReadsNow } from './reads-now.tsx';
import { SaveRule } from './save-rule.tsx';
import { CallTrial, LastWeek } from './trial.tsx';
import { type Editing, useEditing } from './use-editing.ts';

const list = { to: '/action-policies', name: 'Rules' } as const;

/** One rule: its sentence, what was understood of it, its form, and what it does. */
export function RulePage() {
  const { policyId, ruleKey } = useParams({ from: '/action-policies/$policyId/rules/$ruleKey' });
  const policy = useQuery({
    queryKey: actionKeys.policy(policyId),
    queryFn: () => actionGuard.getPolicy({ params: { policy_id: policyId } }),
  });
  return (
    <QueryView query={policy} list={list}>
      {(data) => <RuleEditor key={ruleKey} policy={data} ruleKey={ruleKey} rule={data.rules[ruleKey]} />}
    </QueryView>
  );
}

interface Edited {
  readonly editing: Editing;
  readonly mayChange: boolean;
}

function RuleEditor({
  policy,
  ruleKey,
  rule,
}: {
  policy: ActionPolicy;
  ruleKey: string;
  rule: Rule | undefined;
}) {
  const editing = useEditing(rule);
  const mayChange = useMayChange(policy.created_by) && !policy.is_template;
  const tried = { text: editing.text, form: editing.shown.form };
  return (
    <>
      <PageHead
        list={list}
        title={rule === undefined ? 'New rule' : 'Rule'}
        lead={`Of the policy “${policy.name}”.`}
      />
      <div className="grid gap-6">
        {rule?.reads_now !== undefined && (
          <ReadsNow rule={rule} {...(mayChange && { onTake: editing.take })} />
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <SentencePanel editing={editing} mayChange={mayChange} />
          <FormPanel editing={editing} mayChange={mayChange} />
        </div>
        <Enforced editing={editing} mayChange={mayChange} note={noteOn(rule, editing)} />
        {mayChange && <SaveRule {...{ policy, ruleKey, rule, editing }} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <CallTrial {...tried} />
          <LastWeek {...tried} />
        </div>
      </div>
    </>
  );
}

const SentencePanel = ({ editing, mayChange }: Edited) => (
  <Panel title="The sentence">
    <div className="grid gap-4">
      <TextArea
        label="Sentence"
        rows={4}
        value={editing.text}
        maxLength={2000}
        readOnly={!mayChange}
        placeholder="Refunds above 500 dollars need the approval of a manager."
        onChange={({ target }) => editing.take(target.value)}
      />
      <Reading {...editing} />
    </div>
  </Panel>
);

/** Of the rule as it is stored: what its sentence says beside its form. */
const noteOn = (rule: Rule | undefined, { text, form }: Editing) =>
  rule?.origin === 'form' && form !== undefined && text === rule.description ? rule.note : undefined;

function Enforced({
  editing: { text, setText, form, setForm, shown },
  mayChange,
  note,
}: Edited & { note: string | undefined }) {
  const draft = shown.draft;
  if (draft?.canonical === undefined) return null;
  const { canonical } = draft;
  return (
    <Panel title="What is enforced">
      <p className="break-words" data-testid="canonical">
        {canonical}
      </p>
      {note !== undefined && <p className="mt-2 text-sm text-ink-soft">{note}</p>}
      {draft.problem !== undefined && <p className="mt-2 text-sm text-flag">{draft.problem}</p>}
      {form !== undefined && mayChange && text !== canonical && (
        <Button size="small" className="mt-3" onClick={() => setText(canonical)}>
          Take this as the sentence
        </Button>
      )}
      {form === undefined && mayChange && <Alternatives draft={draft} onChoose={setForm} />}
    </Panel>
  );
}

function Alternatives({ draft, onChoose }: { draft: RuleDraft; onChoose: (form: Form) => void }) {
  if (draft.alternatives.length === 0) return null;
  return (
    <div className="mt-4">
      <h3 className="mb-1.5 text-[13px] font-medium">It may also mean</h3>
      <ul className="grid gap-2">
        {draft.alternatives.map(({ canonical, why, rule }) => (
          <li key={canonical} className="rounded-lg border border-line p-3 text-sm">
            <p className="break-words">{canonical}</p>
            <p className="mt-1 text-[13px] text-ink-soft">{why}</p>
            <Button size="small" className="mt-2" onClick={() => onChoose(rule as unknown as Form)}>
              Take this one
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
