import { SelectField } from './field.tsx';

const modes = [
  { value: 'enforce', label: 'Enforce' },
  { value: 'observe', label: 'Observe only' },
] as const;

type Mode = (typeof modes)[number]['value'];

/** Whether something acts on what it finds, or only tells its log. */
export const ModeField = ({
  value,
  hint,
  onChoice,
}: {
  value: Mode;
  /** What observing does here. */
  hint: string;
  onChoice: (mode: Mode) => void;
}) => <SelectField label="Mode" value={value} options={modes} hint={hint} onChoice={onChoice} />;
