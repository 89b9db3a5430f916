import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { agentGateway } from '../../api/agent-gateway.ts';
import { type Evaluation, redTeam, redTeamKey } from '../../api/red-team.ts';
import { useRunning } from '../../frame/use-running.ts';
import { labelOf } from '../gateways/same-name.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

/** Starts a run with a concurrency of its own, bare or through a gateway. */
export function StartRunDialog({ evaluation, onClose }: { evaluation: Evaluation; onClose: () => void }) {
  const navigate = useNavigate();
  const isRunning = useRunning()('agent-gateway');
  const [concurrency, setConcurrency] = useState('');
  const [gatewayId, setGatewayId] = useState('');
  const [budget, setBudget] = useState('');
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'gateways'],
    queryFn: () => agentGateway.listGateways({}),
    enabled: isRunning,
  });
  return (
    <FormDialog
      title="Run the evaluation"
      lead="Every task is given to the agent once."
      action="Start the run"
      changes={redTeamKey}
      onClose={onClose}
      onDone={({ run_id: runId }) => navigate({ to: '/red-team/runs/$runId', params: { runId } })}
      run={async () => {
        const { run_id: runId } = await redTeam.createRun({
          body: {
            evaluation_id: evaluation.evaluation_id,
            ...(concurrency.trim() !== '' && { concurrency: Number(concurrency) }),
            ...(budget.trim() !== '' && { adaptive_budget: Number(budget) }),
            ...(gatewayId !== '' && { gateway_id: gatewayId }),
          },
        });
        return redTeam.startRun({ params: { run_id: runId } });
      }}
    >
      <TextField
        label="Tasks at a time"
        inputMode="numeric"
        value={concurrency}
        hint="Empty: as configured. An agent with one fixed MCP address works on one task at a time."
        onChange={({ target }) => setConcurrency(target.value)}
      />
      <TextField
        label="Rewritten injections"
        inputMode="numeric"
        value={budget}
        hint="How many injections that were resisted a language model may rewrite and try again. Empty: none."
        onChange={({ target }) => setBudget(target.value)}
      />
      {isRunning && (
        <SelectField
          label="Through a gateway"
          value={gatewayId}
          onChoice={setGatewayId}
          hint="The agent’s calls are guarded as this gateway is set: action guard, output guard, pins. Compare the run with a bare one."
          options={[
            { value: '', label: 'No gateway: the agent alone' },
            ...(data?.items ?? []).map((each) => ({ value: each.id, label: labelOf(each) })),
          ]}
        />
      )}
    </FormDialog>
  );
}
