import { NameField, Switch, TextArea } from '../../parts/field.tsx';

/** A policy as it is typed: activities one a line. */
export interface PolicyText {
  readonly name: string;
  readonly description: string;
  readonly block: string;
  readonly safe: string;
  readonly enabled: boolean;
}

/** The text of a policy, field by field. */
export function PolicyFields({
  text,
  onChange,
}: {
  text: PolicyText;
  onChange: (change: Partial<PolicyText>) => void;
}) {
  return (
    <div className="grid min-w-0 gap-4">
      <NameField name={text.name} onName={(name) => onChange({ name })} />
      <TextArea
        label="What it is about"
        rows={2}
        value={text.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <TextArea
        label="Blocks"
        rows={3}
        value={text.block}
        onChange={({ target }) => onChange({ block: target.value })}
        hint="One activity a line."
      />
      <TextArea
        label="Allows"
        rows={3}
        value={text.safe}
        onChange={({ target }) => onChange({ safe: target.value })}
        hint="One activity a line: what looks alike and may pass."
      />
      <Switch
        label="Enabled"
        hint="A policy that is off does not run."
        checked={text.enabled}
        onChange={(enabled) => onChange({ enabled })}
      />
    </div>
  );
}
