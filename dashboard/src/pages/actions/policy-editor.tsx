import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys, type ActionPolicy, type Severity } from '../../api/action-guard.ts';
import { Button } from '../../parts/button.tsx';
import { NameField, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SharingChoice, type Visibility } from '../../parts/sharing.tsx';

/** A rule while it is edited; `key` is that of the saved rule, whose id it keeps. */
export interface RuleDraft {
  readonly key: string;
  readonly description: string;
  readonly severity: Severity;
  readonly source?: string;
}

const severities = (['High', 'Medium', 'Low'] as const).map((value) => ({ value, label: value }));

const draftsOf = (policy: ActionPolicy): RuleDraft[] =>
  Object.entries(policy.rules).map(([key, { description, severity, source }]) => ({
    key,
    description,
    severity,
    ...(source !== undefined && { source }),
  }));

let made = 0;
const newRule = (): RuleDraft => ({
  key: `rule_${Date.now()}_${made++}`,
  description: '',
  severity: 'Medium',
});

/** Creates a policy, from drafts if there are any, or edits the given one. */
export function ActionPolicyEditor({
  policy,
  drafts,
  suggestedName = '',
  onClose,
  onSaved,
}: {
  policy?: ActionPolicy;
  drafts?: readonly RuleDraft[];
  suggestedName?: string;
  onClose: () => void;
  onSaved?: (policyId: string) => void;
}) {
  const [name, setName] = useState(policy?.name ?? suggestedName);
  const [description, setDescription] = useState(policy?.description ?? '');
  const [rules, setRules] = useState<readonly RuleDraft[]>(
    () => drafts ?? (policy === undefined ? [newRule()] : draftsOf(policy)),
  );
  const [visibility, setVisibility] = useState<Visibility>('private');
  const save = async () => {
    const body = {
      name,
      description,
      rules: Object.fromEntries(
        rules.filter((rule) => rule.description.trim() !== '').map(({ key, ...rule }) => [key, rule]),
      ),
    };
    if (policy === undefined)
      return (await actionGuard.createPolicy({ body: { ...body, visibility } })).policy_id;
    await actionGuard.updatePolicy({ params: { policy_id: policy.id }, body });
    return policy.id;
  };
  const change = (key: string, changes: Partial<RuleDraft>) =>
    setRules(rules.map((rule) => (rule.key === key ? { ...rule, ...changes } : rule)));
  return (
    <FormDialog
      wide
      title={policy === undefined ? 'New policy' : `Edit “${policy.name}”`}
      lead="One sentence a rule. Name the action, the limit, who is meant, and what is excepted; the saved rule shows what it became."
      action={policy === undefined ? 'Create' : 'Save'}
      onClose={onClose}
      run={save}
      changes={actionKeys.policies}
      onDone={(policyId) => {
        onClose();
        onSaved?.(policyId);
      }}
    >
      <NameField name={name} onName={setName} />
      <TextField
        label="Description"
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <ul className="grid gap-3">
        {rules.map((rule, i) => (
          <li key={rule.key} className="grid items-start gap-2 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
            <TextArea
              label={`Rule ${i + 1}`}
              hideLabel
              rows={2}
              value={rule.description}
              placeholder="Never send customer data to addresses outside our company."
              onChange={({ target }) => change(rule.key, { description: target.value })}
            />
            <SelectField
              label={`Severity of rule ${i + 1}`}
              hideLabel
              value={rule.severity}
              options={severities}
              onChoice={(next) => change(rule.key, { severity: next })}
            />
            <Button
              kind="quiet"
              size="icon"
              aria-label={`Remove rule ${i + 1}`}
              onClick={() => setRules(rules.filter(({ key }) => key !== rule.key))}
            >
              <Trash2 className="size-4" aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Button size="small" className="justify-self-start" onClick={() => setRules([...rules, newRule()])}>
        <Plus className="size-3.5" aria-hidden /> Add a rule
      </Button>
      {policy === undefined && <SharingChoice kind="policy" value={visibility} onChange={setVisibility} />}
    </FormDialog>
  );
}
