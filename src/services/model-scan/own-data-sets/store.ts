import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import {
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
  type Visibility,
} from '#identity/sharing.ts';

/** A data set of a tenant, without its cases. */
export interface OwnDataSet {
  readonly dataSetId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly name: string;
  readonly licence: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type Row = OwnDataSet & Record<string, unknown>;

const columns = `d.data_set_id as "dataSetId", d.tenant_id as "tenantId", d.owner_id as "ownerId", d.visibility, d.name,
  d.licence, d.size, d.created_at as "createdAt", d.updated_at as "updatedAt"`;

/** @returns false where the tenant has one of this name */
export async function insertDataSet(
  db: Queries,
  set: OwnDataSet,
  cases: readonly ScanCase[],
): Promise<boolean> {
  const rows = await db.query(
    `insert into model_scan.data_sets (data_set_id, tenant_id, owner_id, visibility, name, licence, cases, size,
        created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7::json, $8, $9, $9) on conflict (tenant_id, name) do nothing returning data_set_id`,
    [
      set.dataSetId,
      set.tenantId,
      set.ownerId,
      set.visibility,
      set.name,
      set.licence,
      json(cases),
      cases.length,
      set.createdAt,
    ],
  );
  return rows.length > 0;
}

/** @returns false where another of the tenant has its name */
export async function updateDataSet(
  db: Queries,
  set: OwnDataSet,
  cases: readonly ScanCase[],
): Promise<boolean> {
  const rows = await db.query(
    `update model_scan.data_sets d set name = $2, licence = $3, visibility = $4, cases = $5::json, size = $6,
        updated_at = $7
      where data_set_id = $1 and not exists (
        select from model_scan.data_sets o where o.tenant_id = d.tenant_id and o.name = $2 and o.data_set_id <> $1)
      returning data_set_id`,
    [set.dataSetId, set.name, set.licence, set.visibility, json(cases), cases.length, set.updatedAt],
  );
  return rows.length > 0;
}

export async function findDataSet(db: Queries, viewer: Viewer, dataSetId: string): Promise<Row | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from model_scan.data_sets d where ${readable('d')} and d.data_set_id = $4`,
    [...viewerParams(viewer), dataSetId],
  );
  return row;
}

export async function findByName(db: Queries, viewer: Viewer, name: string): Promise<Row | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from model_scan.data_sets d where ${readable('d')} and d.name = $4`,
    [...viewerParams(viewer), name],
  );
  return row;
}

export const listDataSets = async (db: Queries, viewer: Viewer, owner: OwnerFilter): Promise<OwnDataSet[]> =>
  db.query<Row>(
    `select ${columns} from model_scan.data_sets d where ${listed('d')} order by d.name`,
    listParams(viewer, owner),
  );

/** All cases, or a page of them. */
export async function readCases(
  db: Queries,
  dataSetId: string,
  page?: { limit: number; offset: number },
): Promise<ScanCase[]> {
  const rows = await db.query<{ body: ScanCase }>(
    `select each.body from model_scan.data_sets d, json_array_elements(d.cases) with ordinality as each(body, place)
      where d.data_set_id = $1 and each.place > $2::integer order by each.place limit $3::integer`,
    [dataSetId, page?.offset ?? 0, page?.limit ?? null],
  );
  return rows.map(({ body }) => body);
}

export async function deleteDataSet(db: Queries, dataSetId: string): Promise<void> {
  await db.query('delete from model_scan.data_sets where data_set_id = $1', [dataSetId]);
}
