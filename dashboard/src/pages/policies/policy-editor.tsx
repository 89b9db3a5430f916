import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, policyGuard, type Policy, type PolicyGroup } from '../../api/policy-guard.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Switch, TextArea, TextField } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const blank = { name: '', description: '', block_activities: [], safe_activities: [], enabled: true };

/** Writes a new policy, or changes the one that is given. */
export function PolicyEditor({
  group,
  policy,
  onClose,
}: {
  group: PolicyGroup;
  policy?: Policy;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const before = policy ?? blank;
  const [name, setName] = useState(before.name);
  const [description, setDescription] = useState(before.description);
  const [block, setBlock] = useState(before.block_activities.join('\n'));
  const [safe, setSafe] = useState(before.safe_activities.join('\n'));
  const [enabled, setEnabled] = useState(before.enabled);
  const save = useMutation({
    mutationFn: async () => {
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
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.groups });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={policy === undefined ? 'New policy' : `Edit “${policy.name}”`}
      lead="Say what a text does that must not pass, as you would tell a new colleague; then what comes close and is fine."
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {save.isError && <Failure error={save.error} />}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={255}
        />
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={save.isPending}>
            {policy === undefined ? 'Add policy' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
