import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Level } from './records.ts';

const tag = 'Leaderboard';

const Entry = z
  .object({
    server_name: z.string().meta({
      description:
        '`owner/name` for a repository of the first host of `mcp_scan.repository_hosts`; others have their host before it.',
    }),
    security: Level,
    complexity: Level,
    sensitivity: Level,
    vulnerability_count: z.int(),
    prompt_injection_flagged_count: z.int(),
    last_scanned_at: isoTime(),
    score: z.int(),
    github_url: z.string(),
    commit_hash: z.string().nullable(),
    rules_version: z.string().nullable(),
  })
  .meta({ id: 'LeaderboardServer' });

export const leaderboardOperations = {
  listLeaderboard: defineOperation({
    method: 'GET',
    path: '/leaderboard/servers',
    tag,
    summary: 'Published servers, best first',
    description:
      'The newest published scan of each public repository at the newest commit of its default branch then. Findings ' +
      'that a tenant has suppressed count here. In the order of their security (`low` first), then of their score; of which ' +
      'nothing could be read comes last within its level.',
    access: 'public',
    query: z.object({
      page: queryInteger({ min: 1, max: 1_000_000, preset: 1 }),
      page_size: queryInteger({ min: 1, max: 100, preset: 20 }),
      search: storedText({ max: 200 }).optional(),
    }),
    response: z.object({ servers: z.array(Entry), total: z.int(), page: z.int(), page_size: z.int() }),
  }),
  getLeaderboardServer: defineOperation({
    method: 'GET',
    path: '/leaderboard/servers/{name}',
    tag,
    takesRestOfPath: true,
    summary: 'One published server',
    description:
      'By its `server_name`, with its slash encoded or as it stands, without regard to case; also with its host before it.',
    access: 'public',
    params: z.object({ name: z.string().max(500) }),
    response: Entry.extend({
      security_reasoning: z.string(),
      complexity_reasoning: z.string(),
      sensitivity_reasoning: z.string(),
      findings: z.record(z.string(), z.int()).meta({ description: 'How many of each severity.' }),
    }).meta({ id: 'LeaderboardServerDetail' }),
    errors: [404],
  }),
  getLeaderboardSummary: defineOperation({
    method: 'GET',
    path: '/leaderboard/summary',
    tag,
    summary: 'All published servers in numbers',
    access: 'public',
    response: z
      .object({
        server_count: z.int(),
        average_score: z.number().nullable(),
        by_security: z.object({ low: z.int(), medium: z.int(), high: z.int() }),
        vulnerability_count: z.int(),
        last_scanned_at: isoTime().nullable(),
      })
      .meta({ id: 'LeaderboardSummary' }),
  }),
};
