import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { identity, type SavedView } from '../../api/identity.ts';
import { useUser } from '../../session/use-session.ts';
import { readAddress, type Address } from '../use-address.ts';
import { moveBrowserViews } from './browser-views.ts';

export const savedViewsKey = ['saved-views'];

/** The first read of a page load moves what an earlier version kept in the browser. */
let moving: Promise<unknown> | undefined;

/** The filters that the address of this page has now, of those that a view keeps. */
export function useCurrentFilters(parts: readonly (keyof Address)[]): Record<string, string> {
  const address: Address = useSearch({ strict: false });
  return Object.fromEntries(
    parts.flatMap((part) => {
      const value = address[part];
      return value === undefined || value === '' ? [] : [[part, value]];
    }),
  );
}

/** The saved views of this page: the user's own, and those that are shared in the tenant. */
export function useSavedViews() {
  const { pathname: place } = useLocation();
  const { id } = useUser();
  const { data } = useQuery({
    queryKey: [...savedViewsKey, place],
    queryFn: async () => {
      moving ??= moveBrowserViews(id);
      await moving.catch(() => {
        moving = undefined;
      });
      return identity.listSavedViews({ query: { place } });
    },
    // Without authentication there is nobody whose views they are.
    enabled: id !== '',
    staleTime: 30_000,
  });
  return { place, views: data?.views ?? [], isKnown: data !== undefined };
}

const sorted = (search: Readonly<Record<string, string | undefined>>) =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b)));

/** Whether the page shows this view. */
export const isShown = ({ search }: SavedView, current: Readonly<Record<string, string>>): boolean =>
  sorted(readAddress(search)) === sorted(current);
