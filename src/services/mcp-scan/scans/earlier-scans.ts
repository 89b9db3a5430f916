/** Scans that were made before: of the same content, the same commit, or the same server. */
import type { Queries } from '#base/db/database.ts';
import type { Viewer } from '#identity/sharing.ts';
import type { Scan } from './scan.ts';
import { columns, type Row, scans, toScan } from './store.ts';

/** What is known of a server. */
export interface ScansOfServer {
  /** The newest scan that was completed; where there is none, the newest. */
  scan: Scan | undefined;
  /** A newer one that was not completed: it has failed, waits for a token, or has not ended. */
  newer: Scan | undefined;
}

/**
 * The newest scans of a server, of the viewer's own and of those that are shared. What others keep private decides about
 * nobody else's gateways, an administrator's neither, who may read it. A try that has seen nothing of the server, as one with
 * a wrong token, takes no scan's place that has.
 */
export async function findScansOfServer(
  db: Queries,
  { tenantId, userId }: Viewer,
  serverKey: string,
): Promise<ScansOfServer> {
  const rows = await db.query<Row & { completed: boolean }>(
    `with known as (select scan_id, coalesce(outcome = 'completed', false) as completed from mcp_scan.scans
        where tenant_id = $1 and (owner_id = $2 or visibility = 'tenant') and server_key = $3)
      select ${columns}, n.completed from ${scans}
        join (select completed, max(scan_id) as scan_id from known group by completed) n on n.scan_id = s.scan_id
`,
    [tenantId, userId, serverKey],
  );
  const newest = (isCompleted: boolean): Scan | undefined => {
    const row = rows.find(({ completed }) => completed === isCompleted);
    return row && toScan(row);
  };
  const [completed, other] = [newest(true), newest(false)];
  if (completed === undefined) return { scan: other, newer: undefined };
  return { scan: completed, newer: (other?.scanId ?? 0) > completed.scanId ? other : undefined };
}

/** A completed scan of the same content by the same rules, by the same user. */
export async function findCachedFile(
  db: Queries,
  { tenantId, ownerId, scanId }: Scan,
  of: { contentHash: string; rulesVersion: string; since: Date },
): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${scans} where s.tenant_id = $1 and s.owner_id = $2 and s.content_hash = $3
        and s.rules_version = $4 and s.scan_type = 'file' and s.outcome = 'completed' and s.finished_at >= $5
        and s.cached_from_scan_id is null and s.scan_id <> $6
      order by s.scan_id desc limit 1`,
    [tenantId, ownerId, of.contentHash, of.rulesVersion, of.since, scanId],
  );
  return row && toScan(row);
}

/** A completed scan of the same commit by the same rules, of anybody: repositories are public. */
export async function findCachedCommit(
  db: Queries,
  scanId: number,
  of: { githubUrl: string; commitHash: string; rulesVersion: string; since: Date },
): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${scans} where s.repository_key = case when $1::text like 'https://github.com/%' then lower($1::text) else $1::text end
        and s.commit_hash = $2 and s.rules_version = $3
        and s.scan_type = 'github' and s.outcome = 'completed' and s.finished_at >= $4
        and s.cached_from_scan_id is null and s.scan_id <> $5
      order by s.scan_id desc limit 1`,
    [of.githubUrl, of.commitHash, of.rulesVersion, of.since, scanId],
  );
  return row && toScan(row);
}

/** The newest scan of a server by the same user that waits for a token: of its address, else of its name. */
export async function findWaiting(
  db: Queries,
  { tenantId, userId }: Viewer,
  server: { name: string; key: string },
): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${scans} where s.tenant_id = $1 and s.owner_id = $2
        and (s.server_name = $3 or s.server_key = $4) and s.outcome is null and r.status = 'waiting'
      order by (s.server_key = $4) desc nulls last, s.scan_id desc limit 1`,
    [tenantId, userId, server.name, server.key],
  );
  return row && toScan(row);
}
