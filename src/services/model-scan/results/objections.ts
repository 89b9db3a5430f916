import type { Queries } from '#base/db/database.ts';
import { readable, type Viewer, viewerParams } from '#identity/sharing.ts';

export interface Objection {
  readonly note: string;
  readonly userId: string;
  readonly createdAt: Date;
}

/** Stores or replaces it; false where the scan has no such test that is done. */
export async function putObjection(
  db: Queries,
  test: { scanId: string; number: number },
  { note, userId, createdAt }: Objection,
): Promise<boolean> {
  const rows = await db.query(
    `insert into model_scan.objections (scan_id, number, note, user_id, created_at)
      select scan_id, number, $3, $4, $5::timestamptz from model_scan.tests
        where scan_id = $1 and number = $2 and done_at is not null
      on conflict (scan_id, number) do update set note = excluded.note, user_id = excluded.user_id,
        created_at = excluded.created_at
      returning number`,
    [test.scanId, test.number, note, userId, createdAt],
  );
  return rows.length > 0;
}

/** @returns false where there is none */
export async function removeObjection(db: Queries, scanId: string, number: number): Promise<boolean> {
  const rows = await db.query(
    'delete from model_scan.objections where scan_id = $1 and number = $2 returning number',
    [scanId, number],
  );
  return rows.length > 0;
}

/** Objections and judgements of each judge in the scans that the viewer may read. */
export async function countByJudge(
  db: Queries,
  viewer: Viewer,
): Promise<{ judge: string; objections: number; judged: number }[]> {
  return db.query(
    `select a.judged_by as judge, count(o.number) as objections, count(*) as judged
      from model_scan.scans s
        join model_scan.tests t on t.scan_id = s.scan_id and t.done_at is not null
        join model_scan.attempts a on a.scan_id = t.scan_id and a.number = t.number and a.attempt = t.attempt
        left join model_scan.objections o on o.scan_id = t.scan_id and o.number = t.number
      where ${readable('s')} group by a.judged_by order by objections desc, judge`,
    viewerParams(viewer),
  );
}
