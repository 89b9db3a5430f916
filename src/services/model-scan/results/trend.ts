import { toIsoTime } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { readable, type Viewer, viewerParams } from '#identity/sharing.ts';

interface Row extends Record<string, unknown> {
  scan_id: string;
  scan_name: string;
  created_at: Date;
  seed: number;
  avg_score: number;
  risk_level: string;
  averages: Record<string, number>;
  averages_attack: Record<string, number>;
}

/** The newest finished scans of a model with their scores, oldest first. */
export async function trendOf(db: Queries, viewer: Viewer, modelName: string, limit: number) {
  const rows = await db.query<Row>(
    `select s.scan_id, s.scan_name, s.created_at, s.seed, (s.summary ->> 'avg_score')::double precision as avg_score,
        s.summary ->> 'risk_level' as risk_level, s.summary -> 'averages' as averages,
        s.summary -> 'averages_attack' as averages_attack
      from model_scan.scans s
      where ${readable('s')} and not s.sandbox and s.summary is not null and s.model ->> 'modelName' = $4
      order by s.created_at desc, s.scan_id desc limit $5`,
    [...viewerParams(viewer), modelName, limit],
  );
  return rows.toReversed().map((row) => ({ ...row, created_at: toIsoTime(row.created_at) }));
}
