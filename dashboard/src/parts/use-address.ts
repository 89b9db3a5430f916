import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const parts = [
  'tab',
  'shown',
  'guard',
  'outcome',
  'words',
  'hours',
  'days',
  'os',
  'mode',
  'session',
  'tool',
  'owner',
  'status',
  'dataset',
  'algorithm',
  'severity',
  'before',
  'after',
  'model',
  'domain',
  'category',
  'threat',
  'vector',
  'tenant',
  'event',
  'user',
] as const;

/** The query parameters of pages, so that a link restores the view. */
type AddressPart = (typeof parts)[number];

export type Address = { readonly [Part in AddressPart]?: string };

/** The known query parameters; all others are dropped. */
export const readAddress = (search: Record<string, unknown>): Address =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const value = search[part];
      return typeof value === 'string' || typeof value === 'number' ? [[part, String(value)]] : [];
    }),
  );

/**
 * A value that is stored in the page's address, empty if it is not there; changing it adds no history entry. Typed
 * text is available at once: the address is updated slightly later, and must not undo later input.
 */
export function useAddress(part: AddressPart): [string, (value: string) => void] {
  const address = useSearch({ strict: false })[part] ?? '';
  const navigate = useNavigate();
  const [value, setValue] = useState(address);
  const onTheWay = useRef<string[]>([]);
  useEffect(() => {
    const at = onTheWay.current.indexOf(address);
    if (at < 0) setValue(address);
    else onTheWay.current.splice(0, at + 1);
  }, [address]);
  const set = (next: string) => {
    setValue(next);
    if (next !== address) onTheWay.current.push(next);
    void navigate({
      to: '.',
      search: (before: Address) => {
        const { [part]: _, ...rest } = before;
        return next === '' ? rest : { ...rest, [part]: next };
      },
      replace: true,
      resetScroll: false,
    });
  };
  return [value, set];
}
