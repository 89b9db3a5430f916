import type { Queries } from '#base/db/database.ts';
import { judgeReply } from '#engine/replies/judge.ts';
import * as store from './store.ts';
import { requestOf } from './unit.ts';

/** Judges the cases that are compared with another one, when all replies are there. */
export async function compare(tx: Queries, scanId: string): Promise<void> {
  for (const each of await store.listComparisons(tx, scanId)) {
    const { body, reply } = each;
    if (body.expect.kind !== 'same_as' || reply === null) continue;
    await store.saveComparison(tx, scanId, each, comparedWith(each, body.expect));
  }
}

type SameAs = Extract<store.Comparison['body']['expect'], { kind: 'same_as' }>;

function comparedWith({ body, reply, otherReply, otherBody }: store.Comparison, expect: SameAs) {
  if (otherReply === null || otherBody === null || reply === null)
    return {
      score: null,
      reason: `The case ${expect.case}, which it is compared with, has no reply.`,
      refusal: 'none',
      judgedBy: 'comparison',
    } as const;
  const { level, reason, refusal, by } = judgeReply({
    expect,
    request: requestOf(body),
    reply,
    others: [{ case: otherBody.id, request: requestOf(otherBody), reply: otherReply }],
  });
  return { score: level, reason, refusal: refusal.kind, judgedBy: by };
}
