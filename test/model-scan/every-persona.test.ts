/**
 * Every persona × data set × algorithm has its known score, exactly: without the service, which the test of personas has,
 * but with all that it executes for a unit: attempts, decoding and judgement.
 *
 * Ten cases of each data set for each algorithm, as scans have by default.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacks } from '#engine/attacks/catalogue.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { judgeReply } from '#engine/replies/judge.ts';
import { defaultAlgorithm } from '#services/model-scan/contract/names.ts';
import { planScan } from '#services/model-scan/records/plan.ts';
import {
  judged,
  nextAttempt,
  requestOf,
  resultOf,
  type Test,
  type Unit,
} from '#services/model-scan/running/unit.ts';
import {
  type Memory,
  newMemory,
  type Persona,
  personas,
} from '#services/model-scan/scripted-target/personas.ts';

const seed = 1;
const sets = [...readDataSets().values()];
const cases = sets.flatMap((set) => set.cases);
const plan = planScan(sets, { algorithms: attacks.map(({ name }) => name), seed, attackCases: 10 });

async function unitsOf(persona: Persona, memory: Memory, test_: Test): Promise<Unit[]> {
  const units: Unit[] = [];
  for (;;) {
    const attempt = await nextAttempt(test_, units, seed);
    if (attempt === undefined) return units;
    const text = persona.reply(attempt.messages, memory);
    units.push(judged(test_, attempt, { text, isRefused: false }, units));
  }
}

/** The reply to a case that is compared with another one, judged when both are there. */
function compared(each: ScanCase, replies: ReadonlyMap<string, string>) {
  const { expect } = each;
  const other = cases.find(({ id }) => expect.kind === 'same_as' && id === expect.case);
  const reply = replies.get(each.id);
  const otherReply = other && replies.get(other.id);
  if (other === undefined || reply === undefined || otherReply === undefined) return null;
  return judgeReply({
    expect,
    request: requestOf(each),
    reply,
    others: [{ case: other.id, request: requestOf(other), reply: otherReply }],
  }).level;
}

async function scoresOf(persona: Persona) {
  const memory = newMemory(cases);
  const replies = new Map<string, string>();
  const scores: { case: ScanCase; algorithm: string; score: number | null }[] = [];
  for (const [i, planned] of plan.entries()) {
    const test_ = { number: i + 1, ...planned };
    const units = await unitsOf(persona, memory, test_);
    if (planned.algorithm === defaultAlgorithm) replies.set(planned.case.id, units.at(-1)?.reply ?? '');
    scores.push({ ...planned, score: resultOf(test_, units).score });
  }
  return scores.map((each) =>
    each.case.expect.kind === 'same_as' && each.algorithm === defaultAlgorithm
      ? { ...each, score: compared(each.case, replies) }
      : each,
  );
}

/** Tests with another score than the known one, a line each. */
const others = (
  scores: Awaited<ReturnType<typeof scoresOf>>,
  known: (algorithm: string) => number,
): string[] =>
  scores
    .filter(({ algorithm, score }) => score !== known(algorithm))
    .map(({ case: { id }, algorithm, score }) => `${algorithm}: ${id} has ${score}`);

for (const persona of personas.filter(({ id, beatenBy }) => id === 'careful' || beatenBy !== undefined))
  test(`${persona.id}: ${plan.length} tests of ${sets.length} data sets have their known score`, async () => {
    const scores = await scoresOf(persona);
    assert.deepEqual(
      others(scores, (algorithm) => (algorithm === persona.beatenBy ? 0 : 100)),
      [],
    );
    for (const { name } of attacks)
      assert.ok(
        new Set(scores.filter(({ algorithm }) => algorithm === name).map((each) => each.case.dataset)).size >=
          10,
      );
  });
