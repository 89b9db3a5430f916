import { useState } from 'react';
import { keys, policyGuard, type Policy, type PolicyGroup } from '../../api/policy-guard.ts';
import { NameField, Switch, TextArea } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { linesOf } from './lines.ts';

const blank = { name: '', description: '', block_activities: [], safe_activities: [], enabled: true };

/** Creates a policy, or edits the given one. */
export function PolicyEditor({
  group,
  policy,
  onClose,
}: {
  group: PolicyGroup;
  policy?: Policy;
  onClose: () => void;
}) {
  const before = policy ?? blank;
  const [name, setName] = useState(before.name);
  const [description, setDescription] = useState(before.description);
  const [block, setBlock] = useState(before.block_activities.join('\n'));
  const [safe, setSafe] = useState(before.safe_activities.join('\n'));
  const [enabled, setEnabled] = useState(before.enabled);
  const save = async () => {
    const body = {
      name,
      description,
      block_activities: linesOf(block),
      safe_activities: linesOf(safe),
      enabled,
    };
    const { group_uuid } = group;
    if (policy === undefined) await policyGuard.addPolicy({ params: { group_uuid }, body });
    else await policyGuard.changePolicy({ params: { group_uuid, policy_id: policy._id }, body });
  };
  return (
    <FormDialog
      wide
      title={policy === undefined ? 'New policy' : `Edit “${policy.name}”`}
      lead="Say what a text does that must not pass, as you would tell a new colleague; then what comes close and is fine."
      action={policy === undefined ? 'Add policy' : 'Save'}
      onClose={onClose}
      run={save}
      changes={keys.groups}
    >
      <NameField name={name} onName={setName} />
      <TextArea
        label="What it is about"
        rows={2}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextArea
          label="Blocks"
          rows={7}
          value={block}
          onChange={({ target }) => setBlock(target.value)}
          hint="One activity a line."
        />
        <TextArea
          label="Allows"
          rows={7}
          value={safe}
          onChange={({ target }) => setSafe(target.value)}
          hint="One activity a line: what looks alike and may pass."
        />
      </div>
      <Switch
        label="Enabled"
        hint="A policy that is off does not run."
        checked={enabled}
        onChange={setEnabled}
      />
    </FormDialog>
  );
}
