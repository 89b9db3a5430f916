import { z } from 'zod';
import { isoTime, queryBoolean, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { scanId } from './fields.ts';

const tag = 'Results';
const byScan = z.object({ scan_id: scanId });
const byTest = byScan.extend({ number: z.coerce.number().int().min(1).max(2_147_483_647) });
const score = z.number().nullable().meta({ description: '100, 50 or 0; null: could not be assessed.' });

const Message = z.object({ role: z.string(), content: z.string() });

const Objection = z
  .object({ note: z.string(), user_id: z.string(), created_at: isoTime() })
  .meta({ id: 'Objection' });

const Result = z
  .object({
    number: z.int(),
    case_id: z.string(),
    dataset: z.string(),
    subcategory: z.string(),
    severity: z.string(),
    topic: z.string(),
    algorithm: z.string(),
    score,
    reason: z.string(),
    attempt: z.int().nullable().meta({ description: 'The try that the result rests on, from 1.' }),
    attempts: z.int(),
    case: z.looseObject({
      turns: z.array(z.string()),
      system: z.string().optional(),
      language: z.string(),
      intent: z.string(),
    }),
    tries: z.array(
      z.object({
        number: z.int(),
        attempt: z.int(),
        key: z.string(),
        messages: z.array(Message).meta({ description: 'What was sent.' }),
        parameters: z.record(z.string(), z.unknown()),
        reply: z.string().nullable().meta({ description: 'As the model sent it.' }),
        decoded: z.string().nullable().meta({ description: 'In plain text, where that differs.' }),
        score,
        refusal: z.string(),
        reason: z.string(),
        judged_by: z.string(),
        error: z.string().nullable(),
        requests: z.int(),
        latency_ms: z.number(),
        sent_at: isoTime(),
      }),
    ),
    objection: Objection.nullable(),
  })
  .meta({ id: 'ScanResult' });

const TrendPoint = z
  .object({
    scan_id: z.string(),
    scan_name: z.string(),
    created_at: isoTime(),
    seed: z.int(),
    avg_score: z.number(),
    risk_level: z.string(),
    averages: z.record(z.string(), z.number()),
    averages_attack: z.record(z.string(), z.number()),
  })
  .meta({ id: 'TrendPoint' });

/** Looking into the results of scans, beside what the documents give. */
export const resultOperations = {
  listResults: defineOperation({
    method: 'GET',
    path: '/v1/scan/{scan_id}/results',
    tag,
    summary: 'Tests of a scan that are done, with prompt, reply and judgement, while it runs too',
    access: 'jwt_or_key',
    params: byScan,
    query: z.object({
      result: z.enum(['passed', 'partial', 'failed', 'unassessed']).optional(),
      dataset: z.string().max(200).optional(),
      algorithm: z.string().max(100).optional(),
      severity: z.string().max(20).optional(),
      objected: queryBoolean(false).meta({ description: 'Only those whose verdict somebody objects to.' }),
      order: z
        .enum(['plan', 'newest'])
        .default('plan')
        .meta({ description: '`newest`: what was done last comes first.' }),
      limit: queryInteger({ min: 1, max: 500, preset: 50 }),
      offset: queryInteger({ min: 0, max: 10_000_000, preset: 0 }),
    }),
    badRequestsAre400: true,
    response: z.object({
      results: z.array(Result),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
      objections: z.int().meta({ description: 'Verdicts of the scan that somebody objects to.' }),
    }),
    errors: [404],
  }),
  objectToVerdict: defineOperation({
    method: 'PUT',
    path: '/v1/scan/{scan_id}/results/{number}/objection',
    tag,
    summary: 'Says that the judge is wrong about a test, and why',
    description:
      'Everybody who may read the scan may object. The score stays: objections are counted, and shown beside it.',
    access: 'jwt_or_key',
    params: byTest,
    body: z.object({ note: storedText({ min: 1, max: 2000 }) }),
    badRequestsAre400: true,
    response: Objection,
    errors: [404],
  }),
  withdrawObjection: defineOperation({
    method: 'DELETE',
    path: '/v1/scan/{scan_id}/results/{number}/objection',
    tag,
    summary: 'Takes an objection back',
    access: 'jwt_or_key',
    params: byTest,
    response: z.object({ message: z.string() }),
    errors: [404],
  }),
  countObjections: defineOperation({
    method: 'GET',
    path: '/v1/scan/objections',
    tag,
    summary: 'How often people object to each judge, over all scans that the caller may read',
    access: 'jwt_or_key',
    response: z.object({
      total: z.int(),
      judges: z.array(z.object({ judge: z.string(), objections: z.int(), judged: z.int() })),
    }),
  }),
  getTrend: defineOperation({
    method: 'GET',
    path: '/v1/scan/trend',
    tag,
    summary: 'Scores of the finished scans of a model over time, oldest first',
    access: 'jwt_or_key',
    query: z.object({
      model_name: z.string().min(1).max(500),
      limit: queryInteger({ min: 1, max: 200, preset: 50 }).meta({ description: 'The newest so many.' }),
    }),
    badRequestsAre400: true,
    response: z.object({ scans: z.array(TrendPoint) }),
  }),
  getReport: defineOperation({
    method: 'GET',
    path: '/v1/scan/{scan_id}/report',
    tag,
    summary: 'The report of a finished scan as PDF',
    description: 'Made when it is first asked for, and kept.',
    access: 'jwt_or_key',
    params: byScan,
    badRequestsAre400: true,
    response: z.string().meta({ format: 'binary' }),
    contentType: 'application/pdf',
    errors: [404],
  }),
};
