import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { NameField, SelectField, Switch } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { ModeField } from '../../parts/mode-field.tsx';
import { Panel } from '../../parts/page.tsx';
import { GroupChoice } from './group-choice.tsx';
import { GroupOverrides } from './group-overrides.tsx';

const engines: readonly { value: NonNullable<Guard['settings']['engine']> | ''; label: string }[] = [
  { value: '', label: 'As the deployment says' },
  { value: 'embedded', label: 'Embedded engine' },
  { value: 'cascade', label: 'Cascade' },
  { value: 'llm', label: 'Language model' },
  { value: 'moderation', label: 'Remote moderation' },
  { value: 'onnx', label: 'Local ONNX model' },
];

/** A guard's policy groups, and what happens with its verdicts. */
export function GuardForm({ guard, editable }: { guard: Guard; editable: boolean }) {
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
      <SettingsForm editable={editable} run={save} changes={keys.guards} className="gap-5">
        <fieldset disabled={!editable} className="grid min-w-0 gap-5">
          <NameField name={name} onName={setName} />
          <GroupChoice
            chosen={groups}
            onChange={setGroups}
            attached={guard.policy_group_names}
            readOnly={!editable}
          />
          <GroupOverrides groupUuids={groups} overrides={overrides} onChange={setOverrides} />
          <div className="grid gap-4 sm:grid-cols-2">
            <ModeField
              value={mode}
              hint="In observe mode the guard blocks nothing and only logs its verdicts."
              onChoice={setMode}
            />
            <SelectField
              label="Judged by"
              value={engine}
              options={engines}
              hint="What decides where the policies leave it open."
              onChoice={setEngine}
            />
          </div>
          <Switch
            label="Enabled"
            hint="Off, it refuses every call (409)."
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
            hint="The query log keeps each text and its verdict."
            checked={logs}
            onChange={setLogs}
          />
        </fieldset>
      </SettingsForm>
    </Panel>
  );
}
