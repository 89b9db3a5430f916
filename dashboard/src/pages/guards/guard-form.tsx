import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { NameField, SelectField, Switch } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { GroupChoice } from './group-choice.tsx';
import { GroupOverrides } from './group-overrides.tsx';

const modes = [
  { value: 'enforce', label: 'Enforce' },
  { value: 'observe', label: 'Observe only' },
];
const engines = [
  { value: '', label: 'As the deployment says' },
  { value: 'embedded', label: 'Embedded engine' },
  { value: 'cascade', label: 'Cascade' },
  { value: 'llm', label: 'Language model' },
  { value: 'moderation', label: 'Remote moderation' },
  { value: 'onnx', label: 'Local ONNX model' },
];

/** What a guard judges by, and what becomes of its verdicts. */
export function GuardForm({ guard }: { guard: Guard }) {
  const [name, setName] = useState(guard.name);
  const [groups, setGroups] = useState<readonly string[]>(guard.policy_group_uuids);
  const [overrides, setOverrides] = useState(guard.policy_group_overrides);
  const [enabled, setEnabled] = useState(guard.enabled);
  const [logs, setLogs] = useState(guard.settings.log_requests === true);
  const [caches, setCaches] = useState(guard.settings.cache_enabled !== false);
  const [mode, setMode] = useState(guard.settings.mode);
  const [engine, setEngine] = useState<NonNullable<Guard['settings']['engine']> | ''>(
    guard.settings.engine ?? '',
  );
  const save = () =>
    policyGuard.updateGuard({
      params: { guard_uuid: guard.guard_uuid },
      body: {
        name,
        policy_group_uuids: [...groups],
        policy_group_overrides: Object.fromEntries(
          Object.entries(overrides).filter(([uuid]) => groups.includes(uuid)),
        ),
        enabled,
        settings: {
          log_requests: logs,
          cache_enabled: caches,
          mode,
          engine: engine === '' ? null : engine,
        },
      },
    });
  return (
    <Panel title="Settings">
      <SettingsForm run={save} changes={keys.guards} className="gap-5">
        <NameField name={name} onName={setName} />
        <GroupChoice chosen={groups} onChange={setGroups} />
        <GroupOverrides groupUuids={groups} overrides={overrides} onChange={setOverrides} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Mode"
            value={mode}
            options={modes}
            hint="Observing flags nothing to the caller; the query log has what it found."
            onChange={({ target }) => setMode(target.value as typeof mode)}
          />
          <SelectField
            label="Judged by"
            value={engine}
            options={engines}
            onChange={({ target }) => setEngine(target.value as typeof engine)}
          />
        </div>
        <Switch
          label="Enabled"
          hint="A guard that is off answers 409."
          checked={enabled}
          onChange={setEnabled}
        />
        <Switch
          label="Cache verdicts"
          hint="The same text is judged once."
          checked={caches}
          onChange={setCaches}
        />
        <Switch
          label="Log requests"
          hint="Each evaluation is kept in the query log."
          checked={logs}
          onChange={setLogs}
        />
      </SettingsForm>
    </Panel>
  );
}
