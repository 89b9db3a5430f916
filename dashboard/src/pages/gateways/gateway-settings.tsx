import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { ModeField } from '../../parts/mode-field.tsx';
import { Panel } from '../../parts/page.tsx';
import { namesTaken, SameNameNote } from './same-name.tsx';
import { useOwnGateways } from './use-own-gateways.ts';

const failures = [
  { value: 'closed', label: 'Refuse the call' },
  { value: 'open', label: 'Let it through' },
] as const;
const checks = [
  { value: 'off', label: 'Off' },
  { value: 'warn', label: 'Warn' },
  { value: 'block', label: 'Block' },
] as const;

const descriptionModes = [
  { value: 'off', label: 'Off' },
  { value: 'warn', label: 'Warn' },
  { value: 'quarantine', label: 'Hide until approved' },
] as const;
const redactions = [
  { value: 'off', label: 'Nothing' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'all', label: 'Secrets and personal data' },
] as const;

const levels = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
  { value: 'info', label: 'Info' },
] as const;

/** The guarding settings of a gateway. */
export function GatewaySettings({ gateway, editable }: { gateway: Gateway; editable: boolean }) {
  const sets = useQuery({ queryKey: actionKeys.setList('all'), queryFn: () => actionGuard.listPolicySets() });
  const [name, setName] = useState(gateway.name);
  const gateways = useOwnGateways();
  const [policy, setPolicy] = useState(gateway.action_guard_policy_id ?? '');
  const [mode, setMode] = useState(gateway.guard_mode);
  const [failure, setFailure] = useState(gateway.guard_failure);
  const [output, setOutput] = useState(gateway.output_guard);
  const [pins, setPins] = useState(gateway.pin_tools);
  const [descriptions, setDescriptions] = useState(gateway.description_guard);
  const [redaction, setRedaction] = useState(gateway.result_redaction);
  const [gateMode, setGateMode] = useState(gateway.scan_gate.mode);
  const [gateLevel, setGateLevel] = useState(gateway.scan_gate.level);
  const [rate, setRate] = useState(gateway.rate_limit?.calls_per_minute.toString() ?? '');
  const listed = sets.data?.policy_sets ?? [];
  // A chosen policy set stays in use after it is no longer shared; its name is the one it had when it was chosen.
  const chosenSet =
    gateway.action_guard_policy_id === null
      ? []
      : [
          {
            value: gateway.action_guard_policy_id,
            label:
              listed.find(({ id }) => id === gateway.action_guard_policy_id)?.name ??
              gateway.action_guard_policy_name ??
              'unknown policy set',
          },
        ];
  const others = listed
    .filter(({ id }) => id !== gateway.action_guard_policy_id)
    .map(({ id, name: label }) => ({ value: id, label }));
  const save = () =>
    agentGateway.updateGateway({
      params: { gateway_id: gateway.id },
      body: {
        name,
        // If unchanged it is not sent: the set may no longer be shared and could not be chosen again.
        ...(policy !== (gateway.action_guard_policy_id ?? '') && {
          action_guard_policy_id: policy === '' ? null : policy,
        }),
        guard_mode: mode,
        guard_failure: failure,
        output_guard: output,
        pin_tools: pins,
        description_guard: descriptions,
        result_redaction: redaction,
        scan_gate: { mode: gateMode, level: gateLevel },
        rate_limit: rate === '' ? null : { calls_per_minute: Number(rate) },
      },
    });
  return (
    <Panel title="Guarding" className="max-w-3xl">
      <SettingsForm editable={editable} run={save} changes={gatewayKeys.gateways}>
        <fieldset disabled={!editable} className="grid min-w-0 gap-4">
          <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} required />
          <SameNameNote ids={namesTaken(gateways, name, gateway.id)} />
          <SelectField
            label="Action guard"
            value={policy}
            options={[{ value: '', label: 'No action guard' }, ...chosenSet, ...others]}
            hint="The policy set that each call is judged by."
            onChoice={setPolicy}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <ModeField
              value={mode}
              hint="Observing lets every call through, and logs what it would have blocked."
              onChoice={setMode}
            />
            <SelectField
              label="When it cannot judge"
              value={failure}
              options={failures}
              onChoice={setFailure}
            />
            <SelectField
              label="Instructions in tool outputs"
              value={output}
              options={checks}
              onChoice={setOutput}
            />
            <SelectField label="Tools that change" value={pins} options={checks} onChoice={setPins} />
            <SelectField
              label="Descriptions that speak to the model"
              value={descriptions}
              options={descriptionModes}
              onChoice={setDescriptions}
            />
            <SelectField
              label="Taken out of answers"
              value={redaction}
              options={redactions}
              hint="Keys, tokens and passwords, or names, addresses and numbers of people too."
              onChoice={setRedaction}
            />
            <SelectField
              label="Scan before a server is attached"
              value={gateMode}
              options={checks}
              hint="Its newest scan counts; where there is none, one is made."
              onChoice={setGateMode}
            />
            {gateMode !== 'off' && (
              <SelectField
                label="From which severity on"
                value={gateLevel}
                options={levels}
                onChoice={setGateLevel}
              />
            )}
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
        </fieldset>
      </SettingsForm>
    </Panel>
  );
}
