import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { isUuid } from '#base/ids.ts';
import type { Shared } from '../sharing.ts';

export interface SavedView extends Shared {
  readonly id: string;
  readonly place: string;
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
  readonly createdAt: Date;
}
type Row = SavedView & Record<string, unknown>;

/** What one user sees. */
interface Reader {
  readonly tenantId: string;
  readonly userId: string;
}

const columns = `id, tenant_id as "tenantId", owner_id as "ownerId", visibility, place, name, search,
  created_at as "createdAt"`;
const seen = `(owner_id = $1 or (tenant_id = $2 and visibility = 'tenant'))`;

/** The reader's own first. */
export const listSavedViews = (
  db: Queries,
  { tenantId, userId }: Reader,
  place: string | undefined,
  most: number,
): Promise<SavedView[]> =>
  db.query<Row>(
    `select ${columns} from identity.saved_views where ${seen} and ($3::text is null or place = $3)
      order by owner_id <> $1, place, lower(name), name, id limit $4`,
    [userId, tenantId, place ?? null, most],
  );

/** Locks the view until the transaction ends. */
export async function lockSavedView(
  tx: Queries,
  { tenantId, userId }: Reader,
  id: string,
): Promise<SavedView | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await tx.query<Row>(
    `select ${columns} from identity.saved_views where ${seen} and id = $3 for update`,
    [userId, tenantId, id],
  );
  return row;
}

/** Counts the owner's views, while a lock prevents that others are added. */
export async function countSavedViews(tx: Queries, ownerId: string): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`saved views ${ownerId}`]);
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from identity.saved_views where owner_id = $1',
    [ownerId],
  );
  return row?.count ?? 0;
}

/** Whether it was added; false if the owner has a view of that name there. */
export async function insertSavedView(tx: Queries, view: SavedView): Promise<boolean> {
  const rows = await tx.query(
    `insert into identity.saved_views (id, tenant_id, owner_id, visibility, place, name, search, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (owner_id, place, name) do nothing returning 1 as made`,
    [
      view.id,
      view.tenantId,
      view.ownerId,
      view.visibility,
      view.place,
      view.name,
      json(view.search),
      view.createdAt,
    ],
  );
  return rows.length > 0;
}

/** Whether it was changed; false if the owner has another view of that name there. */
export async function updateSavedView(tx: Queries, view: SavedView): Promise<boolean> {
  const rows = await tx.query(
    `update identity.saved_views v set name = $2, search = $3, visibility = $4 where id = $1 and not exists (
        select 1 from identity.saved_views o
        where o.owner_id = v.owner_id and o.place = v.place and o.name = $2 and o.id <> v.id)
      returning 1 as changed`,
    [view.id, view.name, json(view.search), view.visibility],
  );
  return rows.length > 0;
}

export async function deleteSavedView(tx: Queries, id: string): Promise<void> {
  await tx.query('delete from identity.saved_views where id = $1', [id]);
}
