import { useState } from 'react';
import { keys, policyGuard, type PolicyGroup, type Strictness } from '../../api/policy-guard.ts';
import { SelectField, ShareField, TextArea, TextField } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { StrictnessPreview } from './strictness-preview.tsx';

const strictnessOptions = [
  { value: 'low', label: 'Low: flags less' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High: flags more' },
] as const;

/** Name, threshold and strictness of a group, with the effect on example texts. */
export function GroupSettings({ group, editable }: { group: PolicyGroup; editable: boolean }) {
  const [name, setName] = useState(group.name);
  const [description, setDescription] = useState(group.description);
  const [threshold, setThreshold] = useState(group.threshold);
  const [strictness, setStrictness] = useState<Strictness>(group.strictness_level);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel
        title="Settings"
        {...(!editable && {
          note: 'You cannot change this group. Try other values here, or copy the group.',
        })}
      >
        <SettingsForm
          editable={editable}
          run={() =>
            policyGuard.replacePolicyGroup({
              params: { group_uuid: group.group_uuid },
              body: { name, description, threshold, strictness_level: strictness },
            })
          }
          changes={keys.groups}
        >
          {editable && (
            <>
              <TextField
                label="Name"
                value={name}
                onChange={({ target }) => setName(target.value)}
                required
              />
              <TextArea
                label="Description"
                rows={3}
                value={description}
                onChange={({ target }) => setDescription(target.value)}
              />
            </>
          )}
          <ShareField
            label="Threshold"
            hint="A policy flags a text at this probability and above."
            value={threshold}
            onChange={setThreshold}
          />
          <SelectField
            label="Strictness"
            hint="Moves every probability up or down before the threshold decides."
            value={strictness}
            options={strictnessOptions}
            onChoice={setStrictness}
          />
        </SettingsForm>
      </Panel>
      <StrictnessPreview group={group} threshold={threshold} strictness={strictness} />
    </div>
  );
}
