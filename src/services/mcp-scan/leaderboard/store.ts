import type { Queries } from '#base/db/database.ts';
import type { Rated } from '../scans/scan.ts';

export interface Published {
  name: string;
  /** What it counts as without the suppressions of any tenant. */
  rating: Rated;
  finishedAt: Date;
  githubUrl: string;
  commitHash: string | null;
  rulesVersion: string | null;
}

/** The newest published scan of each repository at its default branch; one that is unpublished brings none back. */
const newest = `select distinct on (repository_key) regexp_replace(github_url, '^https?://', '') as place, public_rating as rating, finished_at as "finishedAt",
    github_url as "githubUrl", commit_hash as "commitHash", rules_version as "rulesVersion",
    (public_rating->>'score')::int as score, (public_rating->>'vulnerabilityCount')::int as vulnerabilities,
    public_rating->'ratings'->'security'->>'level' as security,
    coalesce((public_rating->>'wasRead')::boolean, true) as "wasRead"
  from mcp_scan.scans where publish and outcome = 'completed' and public_rating is not null
  order by repository_key, finished_at desc`;

/** With their names: those of the host of the first parameter without it, so that no two have the same. */
const named = `(select q.*, case when starts_with(q.place, $1::text || '/') then substr(q.place, length($1::text) + 2) else q.place end as name
    from (${newest}) q) p`;

const levelOrder = `case p.security when 'low' then 1 when 'medium' then 2 else 3 end`;

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

export async function listPublished(
  db: Queries,
  {
    host,
    search,
    limit,
    offset,
  }: { host: string | undefined; search: string | undefined; limit: number; offset: number },
): Promise<{ servers: Published[]; total: number }> {
  const like = search === undefined ? null : `%${escaped(search)}%`;
  const servers = await db.query<Published & Record<string, unknown>>(
    `select * from ${named} where $2::text is null or p.name ilike $2
      order by ${levelOrder}, p."wasRead" desc, p.score desc, p.vulnerabilities, p.name limit $3 offset $4`,
    [host, like, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${named} where $2::text is null or p.name ilike $2`,
    [host, like],
  );
  return { servers, total: counted?.total ?? 0 };
}

/** By its name, or by its place with the host; where two differ in case alone, the one that is written so. */
export async function findPublished(
  db: Queries,
  host: string | undefined,
  name: string,
): Promise<Published | undefined> {
  const [row] = await db.query<Published & Record<string, unknown>>(
    `select * from ${named} where lower(p.name) = lower($2::text) or lower(p.place) = lower($2::text)
      order by p.name = $2::text desc, lower(p.name) = lower($2::text) desc, p."finishedAt" desc limit 1`,
    [host, name],
  );
  return row;
}

export async function summarise(db: Queries) {
  const [row] = await db.query<{
    count: number;
    score: number | null;
    low: number;
    medium: number;
    high: number;
    vulnerabilities: number;
    last: Date | null;
  }>(
    `select count(*) as count, avg(p.score)::float8 as score, count(*) filter (where p.security = 'low') as low,
        count(*) filter (where p.security = 'medium') as medium, count(*) filter (where p.security = 'high') as high,
        coalesce(sum(p.vulnerabilities), 0)::bigint as vulnerabilities, max(p."finishedAt") as last
      from (${newest}) p`,
  );
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}
