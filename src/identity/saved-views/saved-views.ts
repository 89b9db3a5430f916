import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Caller } from '../caller.ts';
import { mostSavedViews } from '../contract/saved-views.ts';
import * as store from './store.ts';

type Content = Pick<store.SavedView, 'name' | 'search' | 'visibility'>;

/** A tenant may share more than a page can list; the newest names would push nobody's own away. */
const mostListed = 500;

const nameTaken = (name: string) =>
  conflict(`You have a view named '${name}' on this page. Rename or delete it, or take another name.`);

/** Views of the dashboard's lists: one's own, and what others share in the tenant. */
export class SavedViews {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  list(caller: Caller, place: string | undefined): Promise<store.SavedView[]> {
    return store.listSavedViews(this.#db, caller, place, mostListed);
  }

  /** @throws AppError 409 if there are too many, or if the name is taken */
  create(caller: Caller, content: Content & { place: string }): Promise<store.SavedView> {
    const now = this.#clock.now();
    const { tenantId, userId: ownerId } = caller;
    const view = { ...content, id: newUuid(now), tenantId, ownerId, createdAt: new Date(now) };
    return this.#db.transaction(async (tx) => {
      if ((await store.countSavedViews(tx, ownerId)) >= mostSavedViews)
        throw conflict(
          `You have ${mostSavedViews} saved views, the most that there can be. Delete one first.`,
        );
      if (!(await store.insertSavedView(tx, view))) throw nameTaken(view.name);
      return view;
    });
  }

  /** @throws AppError 404; 403 for a view of somebody else; 409 if the name is taken */
  update(caller: Caller, id: string, change: Partial<Content>): Promise<store.SavedView> {
    return this.#db.transaction(async (tx) => {
      const found = await store.lockSavedView(tx, caller, id);
      if (found === undefined) throw notFound('The saved view');
      if (found.ownerId !== caller.userId)
        throw forbidden('The saved view is shared with you. Only its owner can change it.');
      // Whoever adds or renames views of this owner waits here, so that two cannot take one name.
      await store.countSavedViews(tx, found.ownerId);
      const view = { ...found, ...change };
      if (!(await store.updateSavedView(tx, view))) throw nameTaken(view.name);
      return view;
    });
  }

  /** @throws AppError 404; 403 for a view of somebody else, except for administrators of the tenant */
  delete(caller: Caller, id: string): Promise<store.SavedView> {
    return this.#db.transaction(async (tx) => {
      const found = await store.lockSavedView(tx, caller, id);
      if (found === undefined) throw notFound('The saved view');
      if (found.ownerId !== caller.userId && !caller.roles.includes('admin'))
        throw forbidden(
          'The saved view is shared with you. Only its owner or an administrator of the tenant can delete it.',
        );
      await store.deleteSavedView(tx, id);
      return found;
    });
  }
}
