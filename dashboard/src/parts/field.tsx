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
  /** The label is for assistive technology alone. */
  hideLabel?: boolean;
}

function Field({
  id,
  label,
  hint,
  error,
  hideLabel,
  children,
}: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hideLabel === true ? 'sr-only' : 'mb-1.5 block text-[13px] font-medium'}>
        {label}
      </label>
      {children}
      {error !== undefined && (
        <p id={`${id}-note`} className="mt-1 text-[13px] text-flag">
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && (
        <p id={`${id}-note`} className="mt-1 text-[13px] text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

const described = (id: string, { hint, error }: Labelled) => ({
  id,
  'aria-invalid': error === undefined ? undefined : true,
  'aria-describedby': error === undefined && hint === undefined ? undefined : `${id}-note`,
});

export function TextField({
  label,
  hint,
  error,
  hideLabel,
  className,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const labelled = { label, hint, error, ...(hideLabel !== undefined && { hideLabel }) };
  return (
    <Field id={id} {...labelled}>
      <input className={cn(box, 'h-9', className)} {...rest} {...described(id, labelled)} />
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  className,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const labelled = { label, hint, error, ...(hideLabel !== undefined && { hideLabel }) };
  return (
    <Field id={id} {...labelled}>
      <textarea
        className={cn(box, 'py-2 leading-relaxed', className)}
        {...rest}
        {...described(id, labelled)}
      />
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  error,
  hideLabel,
  options,
  className,
  ...rest
}: Labelled &
  SelectHTMLAttributes<HTMLSelectElement> & { options: readonly { value: string; label: string }[] }) {
  const id = useId();
  const labelled = { label, hint, error, ...(hideLabel !== undefined && { hideLabel }) };
  return (
    <Field id={id} {...labelled}>
      <select className={cn(box, 'h-9 pr-8', className)} {...rest} {...described(id, labelled)}>
        {options.map(({ value, label: shown }) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </Field>
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
  const id = useId();
  const set = (text: string) => {
    const next = Number(text);
    if (text !== '' && next >= 0 && next <= 1) onChange(next);
  };
  return (
    <Field id={id} label={label} hint={hint}>
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
          id={id}
          type="number"
          className={cn(box, 'h-9 w-20 tabular-nums')}
          min={0}
          max={1}
          step={0.01}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      </div>
    </Field>
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
