import { SelectField } from '../../parts/field.tsx';
import { useAddress } from '../../parts/use-address.ts';

const options = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '14', label: 'Last 14 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];
const dayMs = 86_400_000;
const preset = '14';

/** The time range of the pages, stored in the address. */
export function useWindow(): { days: string; start: () => string; field: React.ReactNode } {
  const [kept, setKept] = useAddress('days');
  const days = options.some(({ value }) => value === kept) ? kept : preset;
  return {
    days,
    // Whole days, except for the shortest window, so that each day of a chart is complete.
    start: () =>
      days === '1'
        ? new Date(Date.now() - dayMs).toISOString()
        : new Date(Date.now() - (Number(days) - 1) * dayMs).toISOString().slice(0, 10),
    field: (
      <SelectField
        label="Window"
        hideLabel
        value={days}
        options={options}
        onChoice={(next) => setKept(next === preset ? '' : next)}
      />
    ),
  };
}
