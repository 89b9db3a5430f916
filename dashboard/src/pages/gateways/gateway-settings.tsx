import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { JsonEditor } from '../../parts/json-editor.tsx';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';

const guardModes = [
  { value: 'enforce', label: 'Enforce' },
  { value: 'observe', label: 'Observe: only log' },
];
const failures = [
  { value: 'closed', label: 'Refuse the call' },
  { value: 'open', label: 'Let it through' },
];
const checks = [
  { value: 'off', label: 'Off' },
  { value: 'warn', label: 'Warn' },
  { value: 'block', label: 'Block' },
];

/** What a gateway judges by, and who may call what. */
export function GatewaySettings({ gateway }: { gateway: Gateway }) {
  const queries = useQueryClient();
  const sets = useQuery({ queryKey: actionKeys.sets, queryFn: () => actionGuard.listPolicySets() });
  const [name, setName] = useState(gateway.name);
  const [policy, setPolicy] = useState(gateway.action_guard_policy_id ?? '');
  const [mode, setMode] = useState(gateway.guard_mode);
  const [failure, setFailure] = useState(gateway.guard_failure);
  const [output, setOutput] = useState(gateway.output_guard);
  const [pins, setPins] = useState(gateway.pin_tools);
  const [rate, setRate] = useState(gateway.rate_limit?.calls_per_minute.toString() ?? '');
  const [access, setAccess] = useState(() => JSON.stringify(gateway.access_control, null, 2));
  const save = useMutation({
    mutationFn: () =>
      agentGateway.updateGateway({
        params: { gateway_id: gateway.id },
        body: {
          name,
          action_guard_policy_id: policy === '' ? null : policy,
          guard_mode: mode,
          guard_failure: failure,
          output_guard: output,
          pin_tools: pins,
          rate_limit: rate === '' ? null : { calls_per_minute: Number(rate) },
          access_control: JSON.parse(access) as Gateway['access_control'],
        },
      }),
    onSuccess: async () => {
      toast.success('Saved.');
      await queries.invalidateQueries({ queryKey: gatewayKeys.gateways });
    },
  });
  return (
    <form
      className="grid items-start gap-6 lg:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Panel title="Guarding">
        <div className="grid gap-4">
          {save.isError && <Failure error={save.error} />}
          <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} required />
          <SelectField
            label="Action guard"
            value={policy}
            options={[
              { value: '', label: 'None' },
              ...(sets.data?.policy_sets.map(({ id, name: label }) => ({ value: id, label })) ?? []),
            ]}
            hint="The policy set that each call is judged by."
            onChange={({ target }) => setPolicy(target.value)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="Mode"
              value={mode}
              options={guardModes}
              onChange={({ target }) => setMode(target.value as typeof mode)}
            />
            <SelectField
              label="When it cannot judge"
              value={failure}
              options={failures}
              onChange={({ target }) => setFailure(target.value as typeof failure)}
            />
            <SelectField
              label="Instructions in tool outputs"
              value={output}
              options={checks}
              onChange={({ target }) => setOutput(target.value as typeof output)}
            />
            <SelectField
              label="Tools that change"
              value={pins}
              options={checks}
              onChange={({ target }) => setPins(target.value as typeof pins)}
            />
          </div>
          <TextField
            label="Calls a minute"
            type="number"
            min={1}
            value={rate}
            placeholder="no limit"
            hint="Of each caller."
            onChange={({ target }) => setRate(target.value)}
          />
          <Button type="submit" kind="primary" busy={save.isPending} className="justify-self-start">
            Save
          </Button>
        </div>
      </Panel>
      <Panel
        title="Who may call what"
        note="Rules for users, roles and clients, servers and tools, with * for any; a rule that denies wins."
      >
        <JsonEditor
          label="Access rules as JSON"
          initial={JSON.stringify(gateway.access_control, null, 2)}
          onChange={setAccess}
        />
      </Panel>
    </form>
  );
}
