import { useState } from 'react';
import { useUser } from '../../session/use-session.ts';

/** What of the address a view keeps. */
const kept = ['mode', 'outcome', 'hours'] as const;

export interface SavedView {
  readonly name: string;
  readonly search: { readonly [Part in (typeof kept)[number]]?: string };
}

const mostViews = 20;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A view as it was stored; none for anything else. */
function viewOf(stored: unknown): SavedView[] {
  if (!isRecord(stored) || typeof stored['name'] !== 'string' || !isRecord(stored['search'])) return [];
  const { name, search } = stored;
  const parts = kept.flatMap((part) => (typeof search[part] === 'string' ? [[part, search[part]]] : []));
  return [{ name, search: Object.fromEntries(parts) as SavedView['search'] }];
}

function read(key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(viewOf) : [];
  } catch {
    // An unreadable list is not worth an error.
    return [];
  }
}

/** The filters that this user has named, kept in this browser. */
export function useSavedViews() {
  const { id } = useUser();
  const key = `bulwark-activity-views ${id}`;
  const [views, setViews] = useState(() => read(key));
  const keep = (next: SavedView[]) => {
    setViews(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return {
    views,
    save: (view: SavedView) =>
      keep([...views.filter(({ name }) => name !== view.name), view].slice(-mostViews)),
    remove: (name: string) => keep(views.filter((view) => view.name !== name)),
  };
}
