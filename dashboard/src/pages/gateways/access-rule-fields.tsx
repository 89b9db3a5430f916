import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { AccessRule } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';

const effects = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
] as const;

const globsOf = (text: string): string[] => {
  const globs = text
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  return globs.length === 0 ? ['*'] : globs;
};

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The names of the users whose ids are in the rule, in the same order; unknown ids are marked as unknown. */
function whoIsMeant(principals: readonly string[], names: Readonly<Record<string, string>>): ReactNode {
  const ids = principals.filter((principal) => principal in names || idShape.test(principal));
  if (ids.length === 0) return undefined;
  return ids.map((id) => names[id] ?? `${id.slice(0, 8)}…: not a user of this tenant`).join(', ');
}

/** One rule: its effect, and the principals, servers and tools that it applies to. */
export const AccessRuleFields = ({
  place,
  rule,
  names,
  onChange,
  onRemove,
}: {
  place: number;
  rule: AccessRule;
  /** User names by user id. */
  names: Readonly<Record<string, string>>;
  onChange: (rule: AccessRule) => void;
  onRemove: () => void;
}) => (
  <li className="grid items-start gap-3 rounded-lg border border-line p-4 md:grid-cols-[1.5rem_7rem_repeat(3,minmax(0,1fr))_auto]">
    <span className="text-sm md:pt-8 text-ink-soft tabular-nums" aria-hidden>
      {place}.
    </span>
    <SelectField
      label={`Rule ${place}`}
      value={rule.effect}
      options={effects}
      onChoice={(next) => onChange({ ...rule, effect: next })}
    />
    <Globs
      label="Who"
      of={place}
      placeholder="member, 5f0c…"
      globs={rule.principals}
      hint={whoIsMeant(rule.principals, names)}
      onChange={(principals) => onChange({ ...rule, principals })}
    />
    <Globs
      label="Servers"
      of={place}
      placeholder="Files"
      globs={rule.servers}
      onChange={(servers) => onChange({ ...rule, servers })}
    />
    <Globs
      label="Tools"
      of={place}
      placeholder="*__delete*"
      globs={rule.tools}
      onChange={(tools) => onChange({ ...rule, tools })}
    />
    <Button
      kind="quiet"
      size="icon"
      className="md:mt-6"
      aria-label={`Remove rule ${place}`}
      onClick={onRemove}
    >
      <Trash2 className="size-4" aria-hidden />
    </Button>
  </li>
);

/** Names with `*`, separated by commas; the entered text is kept unchanged. */
function Globs({
  label,
  of,
  placeholder,
  globs,
  hint,
  onChange,
}: {
  label: string;
  of: number;
  placeholder: string;
  globs: readonly string[];
  hint?: ReactNode;
  onChange: (globs: string[]) => void;
}) {
  const [text, setText] = useState(globs.join(', '));
  return (
    <TextField
      label={label}
      aria-label={`${label} of rule ${of}`}
      className="font-mono"
      value={text}
      placeholder={placeholder}
      hint={hint}
      onChange={({ target }) => {
        setText(target.value);
        onChange(globsOf(target.value));
      }}
    />
  );
}
