import { cn } from './cn.ts';
import { useAddress } from './use-address.ts';

const choices = [
  { value: 'all', label: 'Everyone’s' },
  { value: 'me', label: 'Mine' },
] as const;

export type OwnerFilter = (typeof choices)[number]['value'];

/** The owners whose resources a list shows; `?owner=me` in the address selects the user's own. */
export function useOwnerFilter(): OwnerFilter {
  const [owner] = useAddress('owner');
  return owner === 'me' ? 'me' : 'all';
}

/** Switches a list between the user's own resources and all visible ones. */
export function OwnerFilterField() {
  const [owner, setOwner] = useAddress('owner');
  return (
    <div role="group" aria-label="Whose" className="mb-4 inline-flex gap-0.5 rounded-lg bg-raised p-0.5">
      {choices.map(({ value, label }) => {
        const isChosen = (value === 'me') === (owner === 'me');
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen}
            onClick={() => setOwner(value === 'all' ? '' : value)}
            className={cn(
              'rounded-md px-3 py-1 text-[13px] text-ink-soft hover:text-ink',
              isChosen && 'bg-panel font-medium text-ink shadow-panel',
            )}
          >
            {label}
          </button>
        );
      })}
    </div>
  );
}
