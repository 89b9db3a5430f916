import { SelectField } from './field.tsx';

const lifetimes = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'No end' },
] as const;

/** Days, or empty for no expiry. */
export type Lifetime = (typeof lifetimes)[number]['value'];

const dayMs = 86_400_000;

/** The expiry of something that starts now; null for never. */
export const endOf = (lifetime: Lifetime): string | null =>
  lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString();

/** The lifetime of something, such as a key. */
export const LifetimeField = ({
  value,
  onChoice,
}: {
  value: Lifetime;
  onChoice: (lifetime: Lifetime) => void;
}) => <SelectField label="Ends after" value={value} options={lifetimes} onChoice={onChoice} />;
