import { Switch as RadixSwitch } from 'radix-ui';
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { cn } from './cn.ts';

const box =
  'w-full rounded-lg border border-line-strong bg-panel px-3 text-sm text-ink placeholder:text-ink-soft/80 ' +
  'focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-flag';

interface Labelled {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is only for assistive technology. */
  hideLabel?: boolean;
}

/** Attributes that connect a control with its label and note. */
interface Described {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A control with its label above, and a note or error below. */
function Field({
  label,
  hint,
  error,
  hideLabel,
  control,
}: Labelled & { control: (described: Described) => ReactNode }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hideLabel === true ? 'sr-only' : 'mb-1.5 block text-[13px] font-medium'}>
        {label}
      </label>
      {control({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={cn('mt-1 text-[13px]', error === undefined ? 'text-ink-soft' : 'text-flag')}
        >
          {note}
        </p>
      )}
    </div>
  );
}

/** Separates the properties of the field from those of the control in it. */
function apart<P extends Labelled>({ label, hint, error, hideLabel, ...rest }: P) {
  return [{ label, hint, error, ...(hideLabel !== undefined && { hideLabel }) }, rest] as const;
}

export function TextField(props: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const [field, { className, ...rest }] = apart(props);
  return (
    <Field
      {...field}
      control={(described) => <input className={cn(box, 'h-9', className)} {...rest} {...described} />}
    />
  );
}

/** A name; every service accepts up to 255 characters. */
export const NameField = ({ name, onName }: { name: string; onName: (name: string) => void }) => (
  <TextField
    label="Name"
    value={name}
    onChange={({ target }) => onName(target.value)}
    required
    maxLength={255}
  />
);

/** Grows with its text from `rows` on, so that it does not scroll within the page. */
export function TextArea(props: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [field, { className, rows = 2, ...rest }] = apart(props);
  return (
    <Field
      {...field}
      control={(described) => (
        <textarea
          className={cn(box, 'field-sizing-content max-h-[60vh] py-2 leading-relaxed', className)}
          // Where the browser does not let it grow, the rows alone count.
          rows={rows}
          style={{ minHeight: `calc(${rows} * 1.625em + 1rem + 2px)` }}
          {...rest}
          {...described}
        />
      )}
    />
  );
}

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Options with the same one stand together below it. */
  readonly group?: string | undefined;
}

const Options = ({ options }: { options: readonly Option<string>[] }) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** A select box; its value is one of the options' values, which come in the order of their groups. */
export function SelectField<Value extends string>(
  props: Labelled &
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> & {
      value: NoInfer<Value>;
      options: readonly Option<Value>[];
      onChoice: (value: Value) => void;
    },
) {
  const [field, { className, options, onChoice, ...rest }] = apart(props);
  const groups = [...Map.groupBy(options, ({ group }) => group)];
  return (
    <Field
      {...field}
      control={(described) => (
        <select
          className={cn(box, 'h-9 pr-8', className)}
          onChange={({ target: { selectedIndex } }) => {
            const option = options[selectedIndex];
            if (option !== undefined) onChoice(option.value);
          }}
          {...rest}
          {...described}
        >
          {groups.map(([group, its]) =>
            group === undefined ? (
              <Options key="" options={its} />
            ) : (
              <optgroup key={group} label={group}>
                <Options options={its} />
              </optgroup>
            ),
          )}
        </select>
      )}
    />
  );
}

/** A value between 0 and 1, by slider and by number. */
export function ShareField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  value: number;
  onChange: (value: number) => void;
}) {
  const set = (text: string) => {
    const next = Number(text);
    if (text !== '' && next >= 0 && next <= 1) onChange(next);
  };
  return (
    <Field
      label={label}
      hint={hint}
      control={(described) => (
        <div className="flex h-9 items-center gap-3">
          <input
            type="range"
            aria-label={`${label}, slider`}
            className="w-full accent-(--accent)"
            min={0}
            max={1}
            step={0.01}
            value={value}
            onChange={({ target }) => set(target.value)}
          />
          <input
            type="number"
            className={cn(box, 'h-9 w-20 tabular-nums')}
            min={0}
            max={1}
            step={0.01}
            value={value}
            onChange={({ target }) => set(target.value)}
            {...described}
          />
        </div>
      )}
    />
  );
}

export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <RadixSwitch.Root
        id={id}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={onChange}
        className="mt-0.5 h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <RadixSwitch.Thumb className="block size-4 rounded-full bg-panel shadow transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
      <label htmlFor={id} className="text-sm">
        <span className="font-medium">{label}</span>
        {hint !== undefined && <span className="block text-[13px] text-ink-soft">{hint}</span>}
      </label>
    </div>
  );
}
