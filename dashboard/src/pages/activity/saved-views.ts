import { useState } from 'react';
import { z } from 'zod';
import { useUser } from '../../session/use-session.ts';

const View = z.object({
  name: z.string(),
  search: z.object({
    mode: z.string().optional(),
    outcome: z.string().optional(),
    hours: z.string().optional(),
  }),
});
export type SavedView = z.output<typeof View>;

const mostViews = 20;

function read(key: string): SavedView[] {
  try {
    return z.array(View).parse(JSON.parse(localStorage.getItem(key) ?? '[]'));
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
