import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  actionGuard,
  actionKeys,
  type ActionPolicy,
  type Rule,
  type RuleDraft,
  type Severity,
} from '../../../api/action-guard.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { SelectField, TextArea } from '../../../parts/field.tsx';
import { Form as FormElement } from '../../../parts/form.tsx';
import { PageHead, Panel } from '../../../parts/page.tsx';
import { QueryView } from '../../../parts/query-view.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useMayChange } from '../../../session/use-session.ts';
import { ColouredSentence } from './coloured-sentence.tsx';
import { FormChips } from './form-chips.tsx';
import type { Form } from './form.ts';
import { LastWeek, TraceTrial } from './trial.tsx';
import { ReadsNow } from './reads-now.tsx';
import { Doubts, UnderstoodBadge } from './understanding.tsx';
import { useDraft } from './use-draft.ts';

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

const severities = (['High', 'Medium', 'Low'] as const).map((value) => ({ value, label: value }));

const formOf = (rule: Rule | undefined): Form | undefined => rule?.rule as Form | undefined;

/** What is written at the moment, and what the service makes of it. */
function useEditing(rule: Rule | undefined) {
  const [text, setText] = useState(rule?.description ?? '');
  // A form that a person gave or confirmed, or that an older version read, is what counts; else the sentence is read as
  // it is typed.
  const isFixed =
    rule !== undefined &&
    (rule.origin !== 'sentence' || rule.confirmed_by !== null || rule.reads_now !== undefined);
  const [form, setForm] = useState<Form | undefined>(() => (isFixed ? formOf(rule) : undefined));
  const [severity, setSeverity] = useState<Severity>(rule?.severity ?? 'Medium');
  const draft = useDraft({ text, form });
  const ofSentence = useDraft({ text, form: undefined });
  const current = form ?? (draft.data?.rule as Form | undefined);
  const take = (sentence: string) => {
    setText(sentence);
    setForm(undefined);
  };
  return { text, setText, form, setForm, take, severity, setSeverity, draft, ofSentence, current };
}

type Editing = ReturnType<typeof useEditing>;

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
  const { text, current } = editing;
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
          <FormPanel editing={editing} />
        </div>
        <Enforced editing={editing} mayChange={mayChange} note={noteOn(rule, editing)} />
        {mayChange && <Save {...{ policy, ruleKey, rule, editing }} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <TraceTrial text={text} form={current} />
          <LastWeek text={text} form={current} />
        </div>
      </div>
    </>
  );
}

const SentencePanel = ({ editing: { text, form, take, ofSentence }, mayChange }: Edited) => (
  <Panel title="The sentence">
    <div className="grid gap-4">
      <TextArea
        label="Sentence"
        rows={4}
        value={text}
        maxLength={2000}
        readOnly={!mayChange}
        placeholder="Refunds above 500 dollars need the approval of a manager."
        onChange={({ target }) => take(target.value)}
      />
      <Reading text={text} draft={ofSentence.data} form={form} />
    </div>
  </Panel>
);

const FormPanel = ({ editing: { text, draft, current, setForm } }: Pick<Edited, 'editing'>) => (
  <Panel title="The rule">
    {draft.isError && <Failure error={draft.error} />}
    {current === undefined || draft.data === undefined ? (
      <p className="text-sm text-ink-soft">
        {text.trim() === ''
          ? 'Write a sentence: what was understood of it appears here.'
          : 'Nothing of the sentence was understood as a test of a call.'}
      </p>
    ) : (
      <FormChips form={current} parts={draft.data.parts} onChange={setForm} />
    )}
  </Panel>
);

/** Of the rule as it is stored: what its sentence says beside its form. */
const noteOn = (rule: Rule | undefined, { text, form }: Editing) =>
  rule?.origin === 'form' && form !== undefined && text === rule.description ? rule.note : undefined;

function Enforced({
  editing: { text, setText, form, setForm, draft },
  mayChange,
  note,
}: Edited & { note: string | undefined }) {
  const shown = draft.data;
  if (shown?.canonical === undefined) return null;
  return (
    <Panel title="What is enforced">
      <p className="break-words" data-testid="canonical">
        {shown.canonical}
      </p>
      {note !== undefined && <p className="mt-2 text-sm text-ink-soft">{note}</p>}
      {shown.problem !== undefined && <p className="mt-2 text-sm text-flag">{shown.problem}</p>}
      {form !== undefined && mayChange && (
        <Button size="small" className="mt-3" onClick={() => setText(shown.canonical ?? text)}>
          Take this as the sentence
        </Button>
      )}
      {form === undefined && mayChange && <Alternatives draft={shown} onChoose={setForm} />}
    </Panel>
  );
}

/** The sentence in colours, with what was not understood. */
function Reading({
  text,
  draft,
  form,
}: {
  text: string;
  draft: RuleDraft | undefined;
  form: Form | undefined;
}) {
  if (draft === undefined || text.trim() === '') return null;
  return (
    <div className="rounded-lg bg-raised p-3 text-sm">
      <p className="mb-2 flex flex-wrap items-center gap-2 text-[13px] text-ink-soft">
        <UnderstoodBadge understood={draft.understood} />
        {form !== undefined && 'The form counts, not the sentence.'}
      </p>
      <ColouredSentence text={text} draft={draft} />
      {form === undefined && <Doubts {...draft} />}
      {draft.note !== undefined && <p className="mt-2 text-[13px] text-ink-soft">{draft.note}</p>}
      {form === undefined && <ModelExamples examples={draft.examples} />}
    </div>
  );
}

/** Calls that the language model made from the sentence, as its form treats them. */
function ModelExamples({ examples }: Pick<RuleDraft, 'examples'>) {
  if (examples.length === 0) return null;
  return (
    <div className="mt-3">
      <h3 className="mb-1 text-[13px] font-medium">Examples of the language model, run</h3>
      <ul className="grid gap-1 text-[13px]">
        {examples.map(({ tool_name: tool, tool_params: params, expected, as_expected: isMet }) => (
          <li key={`${expected} ${tool} ${JSON.stringify(params)}`} className="flex items-start gap-2">
            <Badge tone={isMet ? 'good' : 'flag'}>
              {expected === 'broken' ? 'breaks it' : 'keeps to it'}
              {!isMet && ', but does not here'}
            </Badge>
            <code className="min-w-0 font-mono break-all">
              {tool}({JSON.stringify(params).slice(1, -1)})
            </code>
          </li>
        ))}
      </ul>
    </div>
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

interface Saving {
  readonly policy: ActionPolicy;
  readonly ruleKey: string;
  readonly rule: Rule | undefined;
  readonly editing: Editing;
}

/** The other rules are sent as they are: those that say the same keep their forms and their confirmations. */
const others = ({ rules }: ActionPolicy) =>
  Object.fromEntries(
    Object.entries(rules).map(([key, { description, severity, source, rule, origin }]) => [
      key,
      {
        description,
        severity,
        ...(source !== undefined && { source }),
        ...(rule !== undefined && origin !== 'sentence' && { rule }),
      },
    ]),
  );

/** Nobody has confirmed it, and there is a form to confirm. */
const isOpen = (rule: Rule) => rule.confirmed_by === null && rule.canonical !== undefined;

function Save({ policy, ruleKey, rule, editing }: Saving) {
  const { text, form, severity, setSeverity, draft } = editing;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const params = { policy_id: policy.id };
  const key = rule === undefined ? `rule_${Date.now()}` : ruleKey;
  const canConfirm = form === undefined && text === rule?.description && isOpen(rule);
  const confirm = async () => {
    await actionGuard.confirmRule({
      params: { ...params, rule_key: ruleKey },
      body: { canonical: rule?.canonical ?? '' },
    });
    await queries.invalidateQueries({ queryKey: actionKeys.policies });
    toast.success('Confirmed: no upgrade reads the sentence again.');
  };
  return (
    <FormElement
      action="Save"
      className="max-w-3xl"
      ready={text.trim() !== '' && draft.data?.problem === undefined}
      changes={actionKeys.policies}
      run={() =>
        actionGuard.updatePolicy({
          params,
          body: {
            rules: {
              ...others(policy),
              [key]: { description: text, severity, ...(form !== undefined && { rule: { ...form } }) },
            },
          },
        })
      }
      onDone={() => {
        toast.success('Saved.');
        void navigate({ to: '/action-policies/$policyId', params: { policyId: policy.id } });
      }}
      beside={
        canConfirm && (
          <Button onClick={() => void confirm().catch((error: unknown) => toast.error(String(error)))}>
            Confirm what is enforced
          </Button>
        )
      }
    >
      <SelectField
        label="Severity"
        className="max-w-40"
        value={severity}
        options={severities}
        onChoice={setSeverity}
      />
    </FormElement>
  );
}
