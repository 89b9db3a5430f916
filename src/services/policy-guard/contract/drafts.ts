/** Trying a policy while it is written: test cases that are kept with it, and what a change would do. */
import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { groupUuid, PolicyInput } from './policies.ts';
import { Strictness, threshold } from './strictness.ts';

export const maxTestCases = 100;
const maxCaseCharacters = 5_000;
/** A replay ends with whatever comes first. */
export const maxReplayedTexts = 2_000;
export const maxReplaySeconds = 20;
export const replayedDays = 7;
/** Texts that a replay shows. */
export const maxShownChanges = 50;

const TestCase = z
  .object({
    text: storedText({ min: 1, max: maxCaseCharacters }).refine((text) => text.trim() !== '', {
      error: 'must not be blank',
    }),
    violates: z.boolean().meta({ description: 'What the policy should say of it.' }),
  })
  .meta({ id: 'PolicyTestCase' });

const testCases = () =>
  z
    .array(TestCase)
    .max(maxTestCases)
    .refine((cases) => new Set(cases.map(({ text }) => text)).size === cases.length, {
      error: 'must not have a text twice',
    });

const Draft = PolicyInput.extend({
  _id: z.string().max(255).optional().meta({
    description: 'Of the policy that is being changed: the draft keeps its detector and what it has learned.',
  }),
}).meta({ id: 'PolicyDraft' });

const sensitivity = {
  threshold: threshold().optional().meta({ description: 'To try instead of the group’s.' }),
  strictness_level: Strictness.optional().meta({ description: 'To try instead of the group’s.' }),
};

const CaseResult = z
  .object({
    probability: z.number(),
    flagged: z.boolean(),
    outcome: z.enum(['found', 'missed', 'false_alarm', 'passed']).meta({
      description: '`missed`: violates and is not flagged; `false_alarm`: is flagged and does not violate.',
    }),
    near: z.boolean().meta({ description: 'Right, and less than 0.1 from the threshold.' }),
  })
  .meta({ id: 'TestCaseResult' });

const Suggestion = z
  .object({
    list: z.enum(['block_activities', 'safe_activities']).meta({ description: 'Where the activity goes.' }),
    activity: z.string(),
    fixes: z
      .array(z.int())
      .meta({ description: 'Cases, from 0, that come right with it, or are no longer near.' }),
    breaks: z.array(z.int()).meta({ description: 'Cases that come out wrong with it.' }),
  })
  .meta({ id: 'PolicySuggestion' });

const ReplayedChange = z.object({
  query_id: z.string().meta({ description: 'Of the newest log entry with the text.' }),
  timestamp: isoTime(),
  text: z.string().meta({ description: 'Its first 500 characters.' }),
  now_flagged: z.boolean().meta({ description: 'True: the draft flags it and the saved policy does not.' }),
  probability_before: z.number(),
  probability_after: z.number(),
});

export const ReplayProgress = z.object({ done: z.int(), total: z.int() });

export const ReplayResult = z
  .object({
    texts: z.int().meta({ description: 'Different texts that were judged.' }),
    is_complete: z.boolean().meta({
      description: `False where there were more than ${maxReplayedTexts} or the time was up: then the newest were judged.`,
    }),
    scope: z.enum(['group', 'all']).meta({
      description:
        '`group`: texts that guards judged by this group; `all`: no guard uses it, so those of all guards.',
    }),
    flagged_before: z.int(),
    flagged_after: z.int(),
    now_flagged: z.int(),
    now_passing: z.int(),
    changes: z.array(ReplayedChange).meta({
      description: `Of both kinds, newest first, at most ${maxShownChanges}.`,
    }),
  })
  .meta({ id: 'ReplayResult' });

const ofPolicy = z.object({
  group_uuid: groupUuid(),
  policy_id: z.string().meta({ description: "The policy's `_id`." }),
});
const ofGroup = z.object({ group_uuid: groupUuid() });
const tag = 'Policies';
const access = 'jwt' as const;
const keyScope = 'policies';
const whose = 'For the owner of the group and administrators (403), since cases may come from logged texts.';
const errors = [403, 404];
const stored = z.object({ test_cases: z.array(TestCase) });

export const draftOperations = {
  getTestCases: defineOperation({
    method: 'GET',
    path: '/api/policy_groups/{group_uuid}/policies/{policy_id}/test_cases',
    tag,
    summary: 'Get the test cases of a policy',
    description: whose,
    access,
    keyScope,
    params: ofPolicy,
    response: stored,
    errors,
  }),
  replaceTestCases: defineOperation({
    method: 'PUT',
    path: '/api/policy_groups/{group_uuid}/policies/{policy_id}/test_cases',
    tag,
    summary: 'Replace the test cases of a policy',
    description: `${whose} At most ${maxTestCases}. They are deleted with the group.`,
    access,
    keyScope,
    params: ofPolicy,
    body: z.object({ test_cases: testCases() }).meta({ id: 'PolicyTestCases' }),
    response: stored,
    errors,
  }),
  addTestCase: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/policies/{policy_id}/test_cases',
    tag,
    summary: 'Add a test case to a policy',
    description: `${whose} A text that is there already takes the new answer. 409 when there are ${maxTestCases}.`,
    access,
    keyScope,
    params: ofPolicy,
    body: TestCase,
    response: stored,
    errors: [...errors, 409],
  }),
  judgeDraft: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/draft/judge',
    tag,
    summary: 'Judge test cases by a policy that is not saved',
    description:
      'By the embedded engine alone, which answers while one types; nothing is kept, counted or logged. With `suggest`, ' +
      'the texts of cases that are wrong or nearly so are tried as activities of the policy: what is suggested was ' +
      'measured on all cases, and makes more of them right than wrong. For the owner of the group and administrators (403).',
    access,
    keyScope,
    params: ofGroup,
    body: z
      .object({
        policy: Draft,
        test_cases: testCases(),
        suggest: z.boolean().default(false),
        ...sensitivity,
      })
      .meta({ id: 'JudgeDraftRequest' }),
    response: z
      .object({
        threshold: z.number(),
        strictness_level: Strictness,
        results: z.array(CaseResult).meta({ description: 'In the order of the cases.' }),
        suggestions: z.array(Suggestion).meta({ description: 'The best first; empty without `suggest`.' }),
      })
      .meta({ id: 'JudgedDraft' }),
    errors,
  }),
  replayDraft: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/draft/replay',
    tag,
    summary: 'See what a policy that is not saved would change',
    description:
      `Judges logged texts of the last ${replayedDays} days by the policy as it is saved and by the draft, both by the ` +
      'embedded engine at the threshold and strictness of the group. Only texts that the caller may see in the log, and ' +
      `whose text was kept; at most ${maxReplayedTexts} different ones and ${maxReplaySeconds} seconds. The answer is ` +
      'server-sent events: `progress` {done, total}, then `result` (`ReplayResult`) or `error` {status, detail}. One at a ' +
      'time for each user (409). For the owner of the group and administrators (403).',
    access,
    keyScope,
    params: ofGroup,
    body: z.object({ policy: Draft }).meta({ id: 'ReplayDraftRequest' }),
    response: z.string(),
    contentType: 'text/event-stream; charset=utf-8',
    errors: [...errors, 409],
  }),
};
