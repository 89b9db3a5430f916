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
const newest = `select distinct on (github_url) filename as name, public_rating as rating, finished_at as "finishedAt",
    github_url as "githubUrl", commit_hash as "commitHash", rules_version as "rulesVersion",
    (public_rating->>'score')::int as score, (public_rating->>'vulnerabilityCount')::int as vulnerabilities,
    public_rating->'ratings'->'security'->>'level' as security
  from mcp_scan.scans where publish and outcome = 'completed' and public_rating is not null
  order by github_url, finished_at desc`;

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

export async function listPublished(
  db: Queries,
  { search, limit, offset }: { search: string | undefined; limit: number; offset: number },
): Promise<{ servers: Published[]; total: number }> {
  const like = search === undefined ? null : `%${escaped(search)}%`;
  const servers = await db.query<Published & Record<string, unknown>>(
    `select * from (${newest}) p where $1::text is null or p.name ilike $1
      order by p.score desc, p.vulnerabilities, p.name limit $2 offset $3`,
    [like, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from (${newest}) p where $1::text is null or p.name ilike $1`,
    [like],
  );
  return { servers, total: counted?.total ?? 0 };
}

export async function findPublished(db: Queries, name: string): Promise<Published | undefined> {
  const [row] = await db.query<Published & Record<string, unknown>>(
    `select * from (${newest}) p where p.name = $1 order by p."finishedAt" desc limit 1`,
    [name],
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
