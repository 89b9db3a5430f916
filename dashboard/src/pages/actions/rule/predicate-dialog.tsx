import { useState } from 'react';
import type { PredicateField, PredicateKind } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckList } from '../../../parts/check-list.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { SelectField, Switch, TextArea, TextField } from '../../../parts/field.tsx';
import { textOfField, valueOfField } from './field-text.ts';
import { labelOfChoice, labelOfField } from './field-words.ts';
import type { Predicate } from './form.ts';
import { KindChoice } from './kind-choice.tsx';
import { useCheckedTest } from './use-checked-test.ts';

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
    forget();
    const { [name]: _, ...rest } = draft;
    setDraft((value === undefined ? rest : { ...rest, [name]: value }) as Predicate);
  };
  const { check, problem, isChecking, forget } = useCheckedTest(kind, onSave);
  return (
    <Dialog
      open
      onClose={onClose}
      keepsText
      title={predicate === undefined ? 'Add a test' : 'Change a test'}
      lead="What a call has to be or do, for this part of the rule to hold."
    >
      <div className="grid gap-4">
        <KindChoice
          kinds={kinds}
          value={draft.is}
          onChoice={(is) => {
            forget();
            setDraft({ is });
          }}
        />
        {kind?.fields.map((field) => (
          <FieldControl
            key={`${draft.is} ${field.name}`}
            is={draft.is}
            field={field}
            value={draft[field.name]}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        {problem !== undefined && (
          <p role="alert" className="rounded-lg bg-flag-soft p-3 text-sm break-words text-flag">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {onRemove !== undefined && (
            <Button kind="quietDanger" className="mr-auto" onClick={onRemove}>
              Remove this test
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={isChecking} onClick={() => check(draft)}>
            Apply
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface Control {
  /** The kind of test. */
  readonly is: string;
  readonly field: PredicateField;
  readonly value: unknown;
  /** Undefined where the field is left out. */
  readonly onChange: (value: unknown) => void;
}

/** A switch is either on or off, and so never left out. */
const labelOf = ({ is, field: { name, required, type } }: Pick<Control, 'is' | 'field'>) =>
  `${labelOfField(is, name)}${required || type === 'flag' ? '' : ' (optional)'}`;

const FieldControl = (control: Control) => {
  switch (control.field.type) {
    case 'flag':
      return (
        <Switch
          label={labelOf(control)}
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

const OneOf = ({ is, field, value, onChange }: Control) => (
  <SelectField
    label={labelOf({ is, field })}
    value={typeof value === 'string' ? value : ''}
    options={[
      { value: '', label: '–' },
      ...(field.of ?? []).map((one) => ({ value: one, label: labelOfChoice(is, field.name, one) })),
    ]}
    onChoice={(next) => onChange(next === '' ? undefined : next)}
  />
);

const SomeOf = ({ is, field, value, onChange }: Control) => (
  <fieldset>
    <legend className="mb-1.5 text-[13px] font-medium">{labelOf({ is, field })}</legend>
    <CheckList
      choices={(field.of ?? []).map((one) => ({
        id: one,
        name: labelOfChoice(is, field.name, one),
        note: '',
      }))}
      chosen={Array.isArray(value) ? (value as readonly string[]) : []}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
    />
  </fieldset>
);

/** A text, a number, or several of them, one a line. */
function Typed({ is, field, value, onChange }: Control) {
  const [text, setText] = useState(() => textOfField(field, value));
  const type = (next: string) => {
    setText(next);
    onChange(valueOfField(field, next));
  };
  return field.type === 'text' || field.type === 'number' ? (
    <TextField
      label={labelOf({ is, field })}
      value={text}
      inputMode={field.type === 'number' ? 'decimal' : 'text'}
      onChange={({ target }) => type(target.value)}
    />
  ) : (
    <TextArea
      label={labelOf({ is, field })}
      rows={3}
      value={text}
      hint={hints[field.type]}
      onChange={({ target }) => type(target.value)}
    />
  );
}
