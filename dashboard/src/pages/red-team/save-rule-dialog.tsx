import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard } from '../../api/action-guard.ts';
import { type DefenceProposal, redTeam, redTeamKey } from '../../api/red-team.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

const severities = [
  { value: 'High', label: 'High' },
  { value: 'Medium', label: 'Medium' },
  { value: 'Low', label: 'Low' },
] as const;

/** Saves a proposed rule in a new policy or in one that there is, and attaches it to a policy set. */
export function SaveRuleDialog({
  resultId,
  proposal,
  onClose,
}: {
  resultId: string;
  proposal: DefenceProposal;
  onClose: () => void;
}) {
  const [policyId, setPolicyId] = useState('');
  const [name, setName] = useState('Found by red teaming');
  const [setId, setSetId] = useState('');
  const [severity, setSeverity] = useState<(typeof severities)[number]['value']>('High');
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'policies-to-save-in'],
    queryFn: async () => {
      const [{ policies }, { policy_sets: sets }] = await Promise.all([
        actionGuard.listPolicies({ query: { owner: 'me' } }),
        actionGuard.listPolicySets({ query: { owner: 'me' } }),
      ]);
      return { policies, sets: sets.filter(({ created_by: owner }) => owner !== null) };
    },
  });
  return (
    <FormDialog
      title="Save the rule"
      lead={proposal.canonical}
      action="Save"
      changes={['action-guard']}
      onClose={onClose}
      ready={policyId !== '' || name.trim() !== ''}
      onDone={({ message }) => {
        toast.success(message);
        onClose();
      }}
      run={() =>
        redTeam.saveDefence({
          params: { result_id: resultId },
          body: {
            rule: proposal.rule,
            severity,
            policy_name: name.trim(),
            ...(policyId !== '' && { policy_id: policyId }),
            ...(setId !== '' && { policy_set_id: setId }),
          },
        })
      }
    >
      <SelectField
        label="Policy"
        value={policyId}
        onChoice={setPolicyId}
        options={[
          { value: '', label: 'A new policy' },
          ...(data?.policies ?? []).map(({ id, name: label }) => ({ value: id, label })),
        ]}
      />
      {policyId === '' && (
        <TextField
          label="Name of the policy"
          value={name}
          maxLength={255}
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <SelectField label="Severity" value={severity} options={severities} onChoice={setSeverity} />
      <SelectField
        label="Policy set"
        value={setId}
        onChoice={setSetId}
        hint="Gateways and applications that use the set enforce the rule."
        options={[
          { value: '', label: 'None for now' },
          ...(data?.sets ?? []).map(({ id, name: label }) => ({ value: id, label })),
        ]}
      />
    </FormDialog>
  );
}
