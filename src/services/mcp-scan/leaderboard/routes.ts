import { toIsoTime } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { leaderboardOperations } from '../contract/leaderboard.ts';
import { findPublished, listPublished, summarise, type Published } from './store.ts';

const view = ({ rating, ...each }: Published) => ({
  server_name: each.name,
  security: rating.ratings.security.level,
  complexity: rating.ratings.complexity.level,
  sensitivity: rating.ratings.sensitivity.level,
  vulnerability_count: rating.vulnerabilityCount,
  prompt_injection_flagged_count: rating.flaggedCount,
  last_scanned_at: toIsoTime(each.finishedAt.getTime()),
  score: rating.score,
  github_url: each.githubUrl,
  commit_hash: each.commitHash,
  rules_version: each.rulesVersion,
});

/** @param host whose repositories are named without it */
export const leaderboardHandlers = (
  db: Queries,
  host: string | undefined,
): Handlers<typeof leaderboardOperations, Caller> => ({
  async listLeaderboard({ query: { page, page_size, search } }) {
    const { servers, total } = await listPublished(db, {
      host,
      search,
      limit: page_size,
      offset: (page - 1) * page_size,
    });
    return { servers: servers.map(view), total, page, page_size };
  },
  async getLeaderboardServer({ params }) {
    const found = await findPublished(db, host, params.name);
    if (found === undefined) throw notFound('The published server');
    const { ratings, severities } = found.rating;
    return {
      ...view(found),
      security_reasoning: ratings.security.reasoning,
      complexity_reasoning: ratings.complexity.reasoning,
      sensitivity_reasoning: ratings.sensitivity.reasoning,
      findings: { ...severities },
    };
  },
  async getLeaderboardSummary() {
    const { count, score, low, medium, high, vulnerabilities, last } = await summarise(db);
    return {
      server_count: count,
      average_score: score,
      by_security: { low, medium, high },
      vulnerability_count: vulnerabilities,
      last_scanned_at: last === null ? null : toIsoTime(last.getTime()),
    };
  },
});
