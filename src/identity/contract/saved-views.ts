import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Confirmation } from './auth.ts';
import { userName, visibilities } from './sharing.ts';

/** Of one user, for all pages together. */
export const mostSavedViews = 100;
const mostFilters = 20;

const Name = storedText({ min: 1, max: 60 })
  .refine((name) => name.trim() !== '', { error: 'must not be blank' })
  .transform((name) => name.trim());

const Place = z
  .string()
  .max(100)
  .regex(/^(?:\/|(?:\/[a-z0-9-]+)+)$/, {
    error: 'must be the path of a page of the dashboard, such as /activity',
  });

const Search = z
  .record(z.string().regex(/^[a-z][a-z_]{0,39}$/), storedText({ max: 500 }))
  .refine((search) => Object.keys(search).length <= mostFilters, {
    error: `must have at most ${mostFilters} filters`,
  })
  .meta({ description: 'The filters, as the address of the page has them in its query.' });

const Visibility = z.enum(visibilities).meta({
  description:
    '`private`: for its owner alone; `tenant`: everybody of the tenant sees it in the same list, and only its owner ' +
    'changes it. Administrators of the tenant may delete what is shared.',
});

const SavedView = z
  .object({
    view_id: z.uuid(),
    place: z.string(),
    name: z.string(),
    search: z.record(z.string(), z.string()),
    visibility: Visibility,
    owner_id: z.uuid(),
    owner_name: userName(),
    created_at: isoTime(),
  })
  .meta({ id: 'SavedView' });

const tag = 'Saved views';
const params = z.object({ view_id: z.string() });

/** Of the dashboard; its own server answers them. */
export const savedViewOperations = {
  listSavedViews: defineOperation({
    method: 'GET',
    path: '/auth/saved-views',
    tag,
    summary: 'The caller’s saved views, and those that are shared in the tenant',
    description: 'By name; the caller’s own first.',
    access: 'jwt',
    query: z.object({ place: Place.optional() }),
    response: z.object({ views: z.array(SavedView) }).meta({ id: 'SavedViewList' }),
  }),
  createSavedView: defineOperation({
    method: 'POST',
    path: '/auth/saved-views',
    tag,
    summary: 'Save a view',
    description: `A name is unique among one’s own views of a page (409). At most ${mostSavedViews} (409).`,
    access: 'jwt',
    body: z
      .object({ place: Place, name: Name, search: Search, visibility: Visibility.default('private') })
      .meta({ id: 'SavedViewRequest' }),
    status: 201,
    response: SavedView,
    errors: [409],
  }),
  updateSavedView: defineOperation({
    method: 'PATCH',
    path: '/auth/saved-views/{view_id}',
    tag,
    summary: 'Rename, share or change a view of one’s own',
    access: 'jwt',
    params,
    body: z
      .object({ name: Name.optional(), search: Search.optional(), visibility: Visibility.optional() })
      .meta({ id: 'SavedViewChange' }),
    response: SavedView,
    errors: [403, 404, 409],
  }),
  deleteSavedView: defineOperation({
    method: 'DELETE',
    path: '/auth/saved-views/{view_id}',
    tag,
    summary: 'Delete a view',
    description: 'One’s own, or as an administrator one that is shared in the tenant.',
    access: 'jwt',
    params,
    response: Confirmation,
    errors: [403, 404],
  }),
} as const;
