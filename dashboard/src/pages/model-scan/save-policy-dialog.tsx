import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type DefenceProposal, modelScan, modelScanKey } from '../../api/model-scan.ts';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

/** Saves a proposed policy in a group of its own, and attaches the group to a guard. */
export function SavePolicyDialog({
  scanId,
  number,
  proposal,
  onClose,
}: {
  scanId: string;
  number: number;
  proposal: DefenceProposal;
  onClose: () => void;
}) {
  const [name, setName] = useState(proposal.policy.name);
  const [guardId, setGuardId] = useState('');
  const { data: guards = [] } = useQuery({
    queryKey: [...modelScanKey, 'guards-to-attach-to'],
    queryFn: async () => (await policyGuard.listGuards({ query: { limit: 1000, owner: 'me' } })).guards,
  });
  const { place, template, policy, threshold, strictness_level: strictness } = proposal;
  return (
    <FormDialog
      title="Save the policy"
      lead={
        place === 'request'
          ? 'The guard has to judge what users send.'
          : 'The guard has to judge what the model answers (context: reply).'
      }
      action="Save"
      changes={keys.groups}
      onClose={onClose}
      ready={name.trim() !== ''}
      onDone={({ message }) => {
        toast.success(message);
        onClose();
      }}
      run={() =>
        modelScan.saveDefence({
          params: { scan_id: scanId, number },
          body: {
            place,
            ...(template === null ? { policy } : { template }),
            threshold,
            strictness_level: strictness,
            group_name: name.trim(),
            ...(guardId !== '' && { guard_uuid: guardId }),
          },
        })
      }
    >
      <TextField
        label="Name of the policy group"
        value={name}
        maxLength={255}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label="Guard"
        value={guardId}
        onChoice={setGuardId}
        hint="It enforces the policy from then on."
        options={[
          { value: '', label: 'None for now' },
          ...guards.map(({ guard_uuid: value, name: label }) => ({ value, label })),
        ]}
      />
    </FormDialog>
  );
}
