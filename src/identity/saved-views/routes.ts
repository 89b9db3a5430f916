import { toIsoTime } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '../caller.ts';
import type { savedViewOperations } from '../contract/saved-views.ts';
import type { NameOf, UserNames } from '../users/user-names.ts';
import type { SavedViews } from './saved-views.ts';
import type { SavedView } from './store.ts';

const toWire = (view: SavedView, nameOf: NameOf) => ({
  view_id: view.id,
  place: view.place,
  name: view.name,
  search: view.search,
  visibility: view.visibility,
  owner_id: view.ownerId,
  owner_name: nameOf(view.ownerId),
  created_at: toIsoTime(view.createdAt),
});

const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const savedViewHandlers = ({
  savedViews,
  userNames,
}: {
  savedViews: SavedViews;
  userNames: UserNames;
}): Handlers<typeof savedViewOperations, Caller> => ({
  listSavedViews: async ({ caller, query }) => {
    const views = await savedViews.list(caller, query.place);
    const nameOf = await userNames(views.map(({ ownerId }) => ownerId));
    return { views: views.map((view) => toWire(view, nameOf)) };
  },
  createSavedView: async ({ caller, body }) =>
    toWire(await savedViews.create(caller, body), () => caller.username),
  updateSavedView: async ({ caller, params, body }) =>
    toWire(await savedViews.update(caller, params.view_id, given(body)), () => caller.username),
  deleteSavedView: async ({ caller, params }) => {
    const { name } = await savedViews.delete(caller, params.view_id);
    return { message: `The view '${name}' is deleted.` };
  },
});
