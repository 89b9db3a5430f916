import type { Queries } from '#base/db/database.ts';

export interface SaasConfig {
  readonly host: string;
  readonly user: string;
  /** Sealed. */
  readonly password: Buffer;
  readonly lastModified: Date;
}

export async function findSaasConfig(db: Queries, tenantId: string): Promise<SaasConfig | undefined> {
  const [row] = await db.query<SaasConfig & Record<string, unknown>>(
    `select host, user_name as "user", password, last_modified as "lastModified" from shadow_ai.saas_configs
     where tenant_id = $1`,
    [tenantId],
  );
  return row;
}

export async function writeSaasConfig(db: Queries, tenantId: string, config: SaasConfig): Promise<void> {
  await db.query(
    `insert into shadow_ai.saas_configs (tenant_id, host, user_name, password, last_modified) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id) do update set host = excluded.host, user_name = excluded.user_name,
       password = excluded.password, last_modified = excluded.last_modified`,
    [tenantId, config.host, config.user, config.password, config.lastModified],
  );
}
