import { useState } from 'react';
import {
  keys,
  policyGuard,
  type Policy,
  type PolicyDraft,
  type PolicyGroup,
} from '../../api/policy-guard.ts';
import { NameField, Switch, TextArea } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { linesOf } from './lines.ts';
import { Replay } from './replay.tsx';
import { TestCases } from './test-cases.tsx';
import { useTestCases } from './use-test-cases.ts';

const blank = { name: '', description: '', block_activities: [], safe_activities: [], enabled: true };

const withLine = (text: string, line: string) => (text.trim() === '' ? line : `${text.trimEnd()}\n${line}`);

/** Creates a policy, or edits the given one: its text at the left, and beside it what the text does. */
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
  const cases = useTestCases(group, policy);
  const { group_uuid } = group;
  const body = {
    name,
    description,
    block_activities: linesOf(block),
    safe_activities: linesOf(safe),
    enabled,
  };
  const draft: PolicyDraft = { ...body, ...(policy !== undefined && { _id: policy._id }) };
  const save = async () => {
    const saved =
      policy === undefined
        ? await policyGuard.addPolicy({ params: { group_uuid }, body })
        : await policyGuard.changePolicy({ params: { group_uuid, policy_id: policy._id }, body });
    await cases.save(saved._id);
  };
  return (
    <FormDialog
      wide="full"
      edited={
        cases.areEdited ||
        block !== before.block_activities.join('\n') ||
        safe !== before.safe_activities.join('\n')
      }
      title={policy === undefined ? 'New policy' : `Edit “${policy.name}”`}
      lead="Say what a text does that must not pass, as you would tell a new colleague; then what comes close and is fine."
      action={policy === undefined ? 'Add policy' : 'Save'}
      onClose={onClose}
      run={save}
      changes={keys.groups}
    >
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <NameField name={name} onName={setName} />
          <TextArea
            label="What it is about"
            rows={2}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
          <TextArea
            label="Blocks"
            rows={6}
            value={block}
            onChange={({ target }) => setBlock(target.value)}
            hint="One activity a line."
          />
          <TextArea
            label="Allows"
            rows={5}
            value={safe}
            onChange={({ target }) => setSafe(target.value)}
            hint="One activity a line: what looks alike and may pass."
          />
          <Switch
            label="Enabled"
            hint="A policy that is off does not run."
            checked={enabled}
            onChange={setEnabled}
          />
        </div>
        <div className="grid min-w-0 gap-6 lg:border-l lg:border-line lg:pl-8">
          <TestCases
            group={group}
            draft={draft}
            cases={cases}
            onActivity={(list, activity) =>
              list === 'block_activities'
                ? setBlock((text) => withLine(text, activity))
                : setSafe((text) => withLine(text, activity))
            }
          />
          <Replay group={group} draft={draft} onCase={cases.add} />
        </div>
      </div>
    </FormDialog>
  );
}
