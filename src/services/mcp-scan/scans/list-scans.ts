/** Lists of scans: filtered and sorted by what they show. */
import type { Queries } from '#base/db/database.ts';
import { listed, listParams, type OwnerFilter, type Viewer } from '#identity/sharing.ts';
import { securityAt } from './counting.ts';
import type { Scan, ScanStatus } from './scan.ts';
import { columns, type Row, scans, statusSql, toScan } from './store.ts';

export interface ScanFilter {
  /** Security is filtered and sorted by what a scan counts as then. */
  now: Date;
  owner: OwnerFilter;
  status?: readonly ScanStatus[] | undefined;
  security?: readonly string[] | undefined;
  complexity?: readonly string[] | undefined;
  sensitivity?: readonly string[] | undefined;
  search?: string | undefined;
  start?: Date | undefined;
  end?: Date | undefined;
  batchId?: string | undefined;
  sort: 'filename' | 'upload_time' | 'status' | 'security' | 'complexity' | 'sensitivity';
  isAscending: boolean;
  limit: number;
  offset: number;
}

const nowOfList = '$13';
const levelOrder = (level: string) =>
  `case ${level} when 'low' then 1 when 'medium' then 2 when 'high' then 3 end`;
const sortColumns: Record<ScanFilter['sort'], string> = {
  filename: 'lower(s.filename)',
  upload_time: 's.upload_time',
  status: statusSql,
  security: levelOrder(securityAt(nowOfList)),
  complexity: levelOrder('s.complexity'),
  sensitivity: levelOrder('s.sensitivity'),
};

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** A page of what the viewer may read, and the number of all. Scans without a level come last when sorted by it. */
export async function listScans(
  db: Queries,
  viewer: Viewer,
  filter: ScanFilter,
): Promise<{ scans: Scan[]; total: number }> {
  const { status, security, complexity, sensitivity, search, start, end, batchId } = filter;
  const where = `${listed('s')} and ($5::text[] is null or ${statusSql} = any($5)) and ($6::text[] is null or ${securityAt(nowOfList)} = any($6))
    and ($7::text[] is null or s.complexity = any($7)) and ($8::text[] is null or s.sensitivity = any($8))
    and ($9::text is null or s.filename ilike $9) and ($10::timestamptz is null or s.upload_time >= $10)
    and ($11::timestamptz is null or s.upload_time <= $11) and ($12::uuid is null or s.batch_id = $12)
    and ($13::timestamptz is not null)`;
  const params = [
    ...listParams(viewer, filter.owner),
    status,
    security,
    complexity,
    sensitivity,
    search === undefined ? null : `%${escaped(search)}%`,
    start,
    end,
    batchId,
    filter.now,
  ];
  const direction = filter.isAscending ? 'asc' : 'desc';
  const rows = await db.query<Row>(
    `select ${columns} from ${scans} where ${where}
      order by ${sortColumns[filter.sort]} ${direction} nulls last, s.scan_id ${direction} limit $14 offset $15`,
    [...params, filter.limit, filter.offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${scans} where ${where}`,
    params,
  );
  return { scans: rows.map(toScan), total: counted?.total ?? 0 };
}
