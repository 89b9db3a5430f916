import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import {
  listed,
  listParams,
  readable,
  viewerParams,
  type OwnerFilter,
  type Shared,
  type Viewer,
} from '#identity/sharing.ts';
import type { Settings } from './settings.ts';

export interface StoredDeployment extends Shared, Pick<Settings, 'categories' | 'detectors'> {
  readonly deploymentId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type Row = StoredDeployment & Record<string, unknown>;

const columns = `d.deployment_id as "deploymentId", d.tenant_id as "tenantId", d.owner_id as "ownerId", d.visibility, d.name,
  d.categories, d.detectors, d.created_at as "createdAt", d.updated_at as "updatedAt"`;

/** @returns false where the tenant has one of this name */
export async function insertDeployment(db: Queries, each: StoredDeployment): Promise<boolean> {
  const rows = await db.query(
    `insert into video_moderation.deployments (deployment_id, tenant_id, owner_id, visibility, name, categories, detectors,
        created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $8) on conflict (tenant_id, name) do nothing
      returning deployment_id`,
    [
      each.deploymentId,
      each.tenantId,
      each.ownerId,
      each.visibility,
      each.name,
      json(each.categories),
      json(each.detectors),
      each.createdAt,
    ],
  );
  return rows.length > 0;
}

/** @returns false where another of the tenant has its name */
export async function updateDeployment(db: Queries, each: StoredDeployment): Promise<boolean> {
  const rows = await db.query(
    `update video_moderation.deployments d set name = $2, visibility = $3, categories = $4::jsonb, detectors = $5::jsonb,
        updated_at = $6
      where deployment_id = $1 and not exists (select from video_moderation.deployments o
        where o.tenant_id = d.tenant_id and o.name = $2 and o.deployment_id <> $1)
      returning deployment_id`,
    [
      each.deploymentId,
      each.name,
      each.visibility,
      json(each.categories),
      json(each.detectors),
      each.updatedAt,
    ],
  );
  return rows.length > 0;
}

export async function findDeployment(
  db: Queries,
  viewer: Viewer,
  deploymentId: string,
): Promise<StoredDeployment | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from video_moderation.deployments d where ${readable('d')} and d.deployment_id = $4`,
    [...viewerParams(viewer), deploymentId],
  );
  return row;
}

export const listDeployments = (
  db: Queries,
  viewer: Viewer,
  owner: OwnerFilter,
): Promise<StoredDeployment[]> =>
  db.query<Row>(
    `select ${columns} from video_moderation.deployments d where ${listed('d')} order by d.name`,
    listParams(viewer, owner),
  );

export async function deleteDeployment(db: Queries, deploymentId: string): Promise<void> {
  await db.query('delete from video_moderation.deployments where deployment_id = $1', [deploymentId]);
}
