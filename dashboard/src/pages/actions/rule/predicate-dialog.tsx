import { useState } from 'react';
import type { PredicateField, PredicateKind } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckList } from '../../../parts/check-list.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { SelectField, Switch, TextArea, TextField } from '../../../parts/field.tsx';
import { plainName, textOfField, valueOfField } from './field-text.ts';
import type { Predicate } from './form.ts';
import { wordsOfKind } from './predicate-words.ts';

const hints: Partial<Record<PredicateField['type'], string>> = {
  texts: 'One a line.',
  things:
    'One a line; words in double quotes are meant exactly so. One word that tells it apart is enough; with “the whole of” in front, most of them have to be met.',
  operand:
    'A value, or several, one a line; in double quotes it is a text, even if it looks like a number. Another argument of the call: {"argument": "its name"}, with "times", "plus" or "days" where it is shifted. What is known of the user: {"user": "id"}. A day: {"days_from_now": 0}.',
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
          options={kinds
            .map(({ is }) => ({ value: is, label: wordsOfKind(is).name }))
            .toSorted((a, b) => a.label.localeCompare(b.label))}
          hint={wordsOfKind(draft.is).meaning}
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

interface Control {
  readonly field: PredicateField;
  readonly value: unknown;
  /** Undefined where the field is left out. */
  readonly onChange: (value: unknown) => void;
}

const labelOf = ({ name, required }: PredicateField) => `${plainName(name)}${required ? '' : ' (optional)'}`;

const FieldControl = (control: Control) => {
  switch (control.field.type) {
    case 'flag':
      return (
        <Switch
          label={labelOf(control.field)}
          checked={control.value === true}
          onChange={(on) => control.onChange(on ? true : undefined)}
        />
      );
    case 'choice':
      return <OneOf {...control} />;
    case 'choices':
      return <SomeOf {...control} />;
    case 'text':
    case 'texts':
    case 'number':
    case 'things':
    case 'operand':
      return <Typed {...control} />;
  }
};

const OneOf = ({ field, value, onChange }: Control) => (
  <SelectField
    label={labelOf(field)}
    value={typeof value === 'string' ? value : ''}
    options={[
      { value: '', label: '–' },
      ...(field.of ?? []).map((one) => ({ value: one, label: plainName(one) })),
    ]}
    onChoice={(next) => onChange(next === '' ? undefined : next)}
  />
);

const SomeOf = ({ field, value, onChange }: Control) => (
  <fieldset>
    <legend className="mb-1.5 text-[13px] font-medium">{labelOf(field)}</legend>
    <CheckList
      choices={(field.of ?? []).map((one) => ({ id: one, name: plainName(one), note: '' }))}
      chosen={Array.isArray(value) ? (value as readonly string[]) : []}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
    />
  </fieldset>
);

/** A text, a number, or several of them, one a line. */
function Typed({ field, value, onChange }: Control) {
  const [text, setText] = useState(() => textOfField(field, value));
  const type = (next: string) => {
    setText(next);
    onChange(valueOfField(field, next));
  };
  return field.type === 'text' || field.type === 'number' ? (
    <TextField
      label={labelOf(field)}
      value={text}
      inputMode={field.type === 'number' ? 'decimal' : 'text'}
      onChange={({ target }) => type(target.value)}
    />
  ) : (
    <TextArea
      label={labelOf(field)}
      rows={3}
      value={text}
      hint={hints[field.type]}
      onChange={({ target }) => type(target.value)}
    />
  );
}
