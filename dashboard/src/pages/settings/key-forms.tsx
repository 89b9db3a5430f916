import { useState } from 'react';
import { identity, type ApiKey } from '../../api/identity.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { endOf, LifetimeField, type Lifetime } from '../../parts/lifetime-field.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';

type Scope = ApiKey['scope'];

export const scopeNames: Record<Scope, string> = {
  all: 'Guards, actions, gateways',
  policies: 'Policies, guards, templates',
};
const scopeChoices = Object.entries(scopeNames).map(([value, label]) => ({ value: value as Scope, label }));

/** The first part of the query keys of API keys. */
export const apiKeysKey = ['api-keys'];

const Made = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce
    title="Your new key"
    lead="It is shown this once. Keep it where secrets are kept."
    secret={secret}
    onClose={onClose}
  />
);

/** The form that makes a key, and then shows it. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('all');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <Made secret={made} onClose={onClose} />;
  return (
    <FormDialog
      title="New API key"
      action="Create"
      onClose={onClose}
      run={() => identity.createApiKey({ body: { name, scope, expires_at: endOf(lifetime) } })}
      changes={apiKeysKey}
      onDone={({ key }) => setMade(key)}
    >
      <TextField
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        hint="What will use it, such as “support chat, production”."
        required
        maxLength={255}
      />
      <SelectField
        label="Good for"
        value={scope}
        options={scopeChoices}
        onChoice={setScope}
        hint="Asking guards and gateways, or keeping policies as code; a key does one of them."
      />
      <LifetimeField value={lifetime} onChoice={setLifetime} />
    </FormDialog>
  );
}

const graces = [
  { value: '0', label: 'At once' },
  { value: '60', label: 'In an hour' },
  { value: '1440', label: 'In a day' },
  { value: '10080', label: 'In a week' },
] as const;

/** The form that replaces a key by a new one, while programs change over. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [minutes, setMinutes] = useState<(typeof graces)[number]['value']>('1440');
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <Made secret={made} onClose={onClose} />;
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      lead="The new key has the same name and is good for the same; the old one works until its end."
      action="Make the new key"
      onClose={onClose}
      run={() =>
        identity.rotateApiKey({
          params: { key_id: apiKey.id },
          body: { old_key_ends_in_minutes: Number(minutes) },
        })
      }
      changes={apiKeysKey}
      onDone={({ key }) => setMade(key)}
    >
      <SelectField label="The old key ends" value={minutes} options={graces} onChoice={setMinutes} />
    </FormDialog>
  );
}
