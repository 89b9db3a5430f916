import { useState } from 'react';
import { shadowAi, shadowAiKey, type ConnectorConfig } from '../../api/shadow-ai.ts';
import { SelectField, Switch, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

type Kind = ConnectorConfig['edr_framework'];

export const kindNames: Readonly<Record<Kind, string>> = {
  'edr-a': 'Platform vendor’s defender suite (edr-a)',
  'edr-b': 'Endpoint-security vendor (edr-b)',
  'edr-b-ngsiem': 'Endpoint-security vendor with log management (edr-b-ngsiem)',
  'edr-c': 'Autonomous endpoint vendor (edr-c)',
};
const kinds = ['edr-a', 'edr-b', 'edr-b-ngsiem', 'edr-c'] as const;

const fieldsOf: Readonly<Record<Kind, readonly { name: string; label: string; isSecret?: true }[]>> = {
  'edr-a': [
    { name: 'tenant_id', label: 'Tenant id' },
    { name: 'client_id', label: 'Client id' },
    { name: 'client_secret', label: 'Client secret', isSecret: true },
  ],
  'edr-b': [
    { name: 'base_url', label: 'Address' },
    { name: 'client_id', label: 'Client id' },
    { name: 'client_secret', label: 'Client secret', isSecret: true },
  ],
  'edr-b-ngsiem': [
    { name: 'base_url', label: 'Address' },
    { name: 'client_id', label: 'Client id' },
    { name: 'client_secret', label: 'Client secret', isSecret: true },
  ],
  'edr-c': [
    { name: 'base_url', label: 'Address' },
    { name: 'api_token', label: 'API token', isSecret: true },
  ],
};

/** Connects a source, or changes the existing one; an empty secret field keeps the stored secret. */
export function ConnectorForm({ config, onClose }: { config: ConnectorConfig | null; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>(config?.edr_framework ?? 'edr-c');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(config?.credential_fields ?? {});
  const [prompts, setPrompts] = useState(config?.settings['prompt_extraction'] === true);
  const isSame = config?.edr_framework === kind;
  const fields = fieldsOf[kind];
  const sent = Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = values[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  const ready = fields.every(({ name, isSecret }) => name in sent || (isSecret === true && isSame));
  return (
    <FormDialog
      title={config === null ? 'Connect endpoint security' : 'Change the source'}
      lead={
        isSame || config === null
          ? 'Credentials are encrypted, and secrets are never shown again.'
          : 'The source of the other kind is not polled any more; its history stays.'
      }
      action="Save"
      ready={ready}
      changes={shadowAiKey}
      onClose={onClose}
      run={() =>
        shadowAi.putConnectorConfig({
          query: {},
          body: {
            edr_framework: kind,
            credentials: sent,
            settings: { ...(isSame && config.settings), prompt_extraction: prompts },
          },
        })
      }
    >
      <SelectField
        label="Kind"
        value={kind}
        options={kinds.map((value) => ({ value, label: kindNames[value] }))}
        onChoice={setKind}
      />
      {fields.map(({ name, label, isSecret }) => (
        <TextField
          key={name}
          label={label}
          value={values[name] ?? ''}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          {...(isSecret === true && { type: 'password', autoComplete: 'off' })}
          {...(isSecret === true && isSame && { hint: 'Empty: as it is.' })}
          {...(name === 'base_url' && { placeholder: 'https://', type: 'url' })}
        />
      ))}
      <Switch
        label="Take prompts from command lines"
        hint="Secrets and personal data are taken out. This is monitoring of employees: ask first."
        checked={prompts}
        onChange={setPrompts}
      />
    </FormDialog>
  );
}
