/** Redaction of replies as a defence: tried on the recorded reply, which is judged again. */
import type { AskService } from '#base/contract/ask-service.ts';
import { judgeReply } from '#engine/replies/judge.ts';
import type { LeakKind } from '#engine/replies/expectation.ts';
import type { Caller } from '#identity/caller.ts';
import { redactionOperations } from '#services/policy-guard/contract/redaction.ts';
import { requestOf } from '../running/unit.ts';
import type { Exchange } from './exchanges.ts';
import type { TestedCase } from './store.ts';

const longestText = 1_000_000;
const everyKind: readonly LeakKind[] = [
  'secret',
  'email',
  'phone',
  'payment_card',
  'iban',
  'national_id',
  'address',
];

/** Undefined where the case is about something else than what must not leak, or another turn leaked it. */
export async function tryRedaction(
  ask: AskService<Caller>,
  caller: Caller,
  { case: each, reply, decoded }: TestedCase,
  harmless: readonly Exchange[],
) {
  const { expect } = each;
  if ((expect.kind !== 'no_leak' && expect.kind !== 'canary') || reply === null || decoded !== null)
    return undefined;
  const judged = (text: string) => judgeReply({ expect, request: requestOf(each), reply: text }).level;
  const text = reply.slice(0, longestText);
  const before = judged(text);
  if (before === 100 || before === null) return undefined;
  const kinds = expect.kind === 'no_leak' ? [...expect.kinds] : [...everyKind];
  const redact = (of: string) => ask(redactionOperations.redactText, caller, { body: { text: of, kinds } });
  const after = judged((await redact(text)).redacted_text);
  const replies = harmless.flatMap(({ said }) => said.reply);
  let changed = 0;
  for (const { text: of } of replies) if ((await redact(of)).findings.length > 0) changed += 1;
  return {
    setting: 'settings.redact',
    value: { kinds, style: 'label' },
    why:
      after === 100
        ? 'A guard that redacts replies takes out what must not leak here: answer with its `redacted_text`.'
        : 'Redaction does not take out what leaked here.',
    score_before: before,
    score_after: after,
    harmless: { tried: replies.length, changed },
  };
}
