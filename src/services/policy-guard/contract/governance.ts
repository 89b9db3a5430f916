import { z } from 'zod';
import { isoTime, queryInteger } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

/** Days that one summary spans. */
export const mostDays = 366;

/** Maximum hours that are listed individually. */
export const mostHours = 168;

const day = () => z.iso.date();

const rate = () => z.number().meta({ description: 'flagged / requests; 0 before the first.' });

const counts = {
  requests: z.int().meta({ description: 'Texts judged, or allowed without judging.' }),
  flagged: z.int(),
  observed: z.int().meta({ description: 'Found in observe mode, and not flagged.' }),
  allowed: z.int().meta({ description: 'Passed by an allow-list.' }),
  flag_rate: rate(),
};

const judged = {
  ...counts,
  latency_ms_avg: z.number().nullable(),
  latency_ms_p95: z
    .number()
    .nullable()
    .meta({ description: 'What 95 of 100 verdicts took at most, to an eighth.' }),
};

const policyCounts = {
  policy_group_uuid: z.string(),
  policy_group_name: z.string().nullable(),
  policy: z.string(),
  requests: z.int().meta({ description: 'Texts that the policy’s group judged.' }),
  flagged: z.int(),
  observed: z.int(),
  flag_rate: rate(),
};

const PolicyCounts = z.object(policyCounts).meta({ id: 'GovernancePolicy' });

const GroupName = z
  .object({ policy_group_uuid: z.string(), name: z.string() })
  .meta({ id: 'GovernanceGroupName' });

export const governanceOperations = {
  getGovernanceSummary: defineOperation({
    method: 'GET',
    path: '/api/governance/summary',
    tag: 'Governance',
    summary: 'What guards judged and flagged, by guard, group, policy and day',
    description:
      'Counts every verdict, logged or not; days are of UTC. An administrator sees the guards of the tenant, others ' +
      'their own. Lists hold the 1,000 with most requests. A policy is counted by the name that it had.',
    access: 'jwt',
    query: z.object({
      start: day()
        .optional()
        .meta({ description: 'The first day; 29 days before the last one unless said.' }),
      end: day().optional().meta({ description: 'The last day; today unless said.' }),
      guard_uuid: z.string().max(100).optional(),
    }),
    response: z
      .object({
        start: day(),
        end: day(),
        totals: z.object(counts).meta({ id: 'GovernanceTotals' }),
        guards: z.array(
          z
            .object({
              guard_uuid: z.string(),
              name: z.string().nullable().meta({ description: 'Kept when the guard is deleted.' }),
              deleted: z.boolean(),
              enabled: z.boolean(),
              mode: z.enum(['enforce', 'observe']).nullable(),
              ...counts,
            })
            .meta({ id: 'GovernanceGuard' }),
        ),
        groups: z.array(
          z
            .object({
              policy_group_uuid: z.string(),
              name: z.string().nullable().meta({ description: 'Kept when the group is deleted.' }),
              requests: z.int(),
              flagged: z.int(),
              observed: z.int(),
              flag_rate: rate(),
            })
            .meta({ id: 'GovernanceGroup' }),
        ),
        policies: z.array(PolicyCounts),
        top_policies: z
          .array(PolicyCounts)
          .meta({ description: 'The ten that found most, enforced and observed together.' }),
        days: z.array(z.object({ day: day(), ...counts }).meta({ id: 'GovernanceDay' })),
        coverage: z
          .object({
            groups_total: z
              .int()
              .meta({ description: 'In the caller’s library: all groups that the caller may read.' }),
            groups_attached: z.int().meta({ description: 'Of these, attached to an enabled guard.' }),
            policies_total: z.int(),
            policies_active: z
              .int()
              .meta({ description: 'Enabled, in a group that an enabled guard judges by.' }),
            policies_observed_only: z
              .int()
              .meta({ description: 'Of these, only by guards in observe mode.' }),
            policies_triggered: z.int().meta({ description: 'That found something in these days.' }),
            share: z.number().meta({ description: 'policies_active / policies_total.' }),
            unattached_groups: z.array(GroupName),
          })
          .meta({
            id: 'GovernanceCoverage',
            description: 'How much of the library is in use, over all days.',
          }),
      })
      .meta({ id: 'GovernanceSummary' }),
  }),
  getGovernanceHours: defineOperation({
    method: 'GET',
    path: '/api/governance/hours',
    tag: 'Governance',
    summary: 'What guards judged and flagged, hour by hour',
    description:
      'Counts every verdict, logged or not, and how long callers waited. Every hour is there, those without a text too; ' +
      'the last one is still going on. An administrator sees the guards of the tenant, others their own.',
    access: 'jwt',
    query: z.object({
      hours: queryInteger({ min: 1, max: mostHours, preset: 24 }),
      guard_uuid: z.string().max(100).optional(),
    }),
    response: z
      .object({
        start: isoTime().meta({ description: 'The first moment of the first hour.' }),
        end: isoTime().meta({ description: 'Now.' }),
        totals: z.object(judged).meta({ id: 'GovernanceHoursTotals' }),
        hours: z.array(
          z
            .object({ hour: isoTime().meta({ description: 'Its first moment.' }), ...judged })
            .meta({ id: 'GovernanceHour' }),
        ),
      })
      .meta({ id: 'GovernanceHours' }),
  }),
};
