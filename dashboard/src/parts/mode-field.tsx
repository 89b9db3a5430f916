import { SelectField } from './field.tsx';

const modes = [
  { value: 'enforce', label: 'Enforce' },
  { value: 'observe', label: 'Observe only' },
] as const;

type Mode = (typeof modes)[number]['value'];

/** The choice between enforcing and only logging. */
export const ModeField = ({
  value,
  hint,
  onChoice,
}: {
  value: Mode;
  /** What observe mode does here. */
  hint: string;
  onChoice: (mode: Mode) => void;
}) => <SelectField label="Mode" value={value} options={modes} hint={hint} onChoice={onChoice} />;
