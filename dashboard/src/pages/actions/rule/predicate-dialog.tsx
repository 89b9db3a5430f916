import { useState } from 'react';
import type { PredicateField, PredicateKind } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckList } from '../../../parts/check-list.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { SelectField, Switch, TextArea, TextField } from '../../../parts/field.tsx';
import { plainName, textOfField, valueOfField } from './field-text.ts';
import type { Predicate } from './form.ts';

const hints: Partial<Record<PredicateField['type'], string>> = {
  texts: 'One a line.',
  things: 'One a line; words in double quotes are meant exactly so.',
  operand: 'A value, or several, one a line. Another argument of the call: {"argument": "its name"}.',
};

/** Changes one test of a rule, or adds one. */
export function PredicateDialog({
  kinds,
  predicate,
  onClose,
  onSave,
  onRemove,
}: {
  kinds: readonly PredicateKind[];
  /** Undefined for a new one. */
  predicate: Predicate | undefined;
  onClose: () => void;
  onSave: (predicate: Predicate) => void;
  onRemove?: (() => void) | undefined;
}) {
  const [draft, setDraft] = useState<Predicate>(() => predicate ?? { is: 'action' });
  const kind = kinds.find(({ is }) => is === draft.is);
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = draft;
    setDraft((value === undefined ? rest : { ...rest, [name]: value }) as Predicate);
  };
  const isWhole = kind?.fields.every(({ name, required }) => !required || draft[name] !== undefined) ?? false;
  return (
    <Dialog
      open
      onClose={onClose}
      keepsText
      title={predicate === undefined ? 'Add a test' : 'Change a test'}
      lead="What a call has to be or do, for this part of the rule to hold."
    >
      <div className="grid gap-4">
        <SelectField
          label="Kind of test"
          value={draft.is}
          options={kinds.map(({ is }) => ({ value: is, label: plainName(is) }))}
          onChoice={(is) => setDraft({ is })}
        />
        {kind?.fields.map((field) => (
          <FieldControl
            key={`${draft.is} ${field.name}`}
            field={field}
            value={draft[field.name]}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        <div className="flex flex-wrap justify-end gap-2">
          {onRemove !== undefined && (
            <Button kind="quietDanger" className="mr-auto" onClick={onRemove}>
              Remove this test
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!isWhole} onClick={() => onSave(draft)}>
            Apply
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function FieldControl({
  field,
  value,
  onChange,
}: {
  field: PredicateField;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(() => textOfField(field, value));
  const label = `${plainName(field.name)}${field.required ? '' : ' (optional)'}`;
  const type = (next: string) => {
    setText(next);
    onChange(valueOfField(field, next));
  };
  const of = field.of ?? [];
  switch (field.type) {
    case 'flag':
      return (
        <Switch label={label} checked={value === true} onChange={(on) => onChange(on ? true : undefined)} />
      );
    case 'choice':
      return (
        <SelectField
          label={label}
          value={(value as string | undefined) ?? ''}
          options={[{ value: '', label: '–' }, ...of.map((one) => ({ value: one, label: plainName(one) }))]}
          onChoice={(next) => onChange(next === '' ? undefined : next)}
        />
      );
    case 'choices':
      return (
        <fieldset>
          <legend className="mb-1.5 text-[13px] font-medium">{label}</legend>
          <CheckList
            choices={of.map((one) => ({ id: one, name: plainName(one), note: '' }))}
            chosen={(value as readonly string[] | undefined) ?? []}
            onChange={(next) => onChange(next.length === 0 ? undefined : next)}
          />
        </fieldset>
      );
    case 'text':
    case 'number':
      return (
        <TextField
          label={label}
          value={text}
          inputMode={field.type === 'number' ? 'decimal' : 'text'}
          onChange={({ target }) => type(target.value)}
        />
      );
    case 'texts':
    case 'things':
    case 'operand':
      return (
        <TextArea
          label={label}
          rows={3}
          value={text}
          hint={hints[field.type]}
          onChange={({ target }) => type(target.value)}
        />
      );
  }
}
