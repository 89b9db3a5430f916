import type { RuleClause } from '../clauses.ts';
import { readAction } from './rule-action.ts';
import { earlierOf, readCondition } from './rule-condition.ts';
import { prohibition } from './rule-negation.ts';
import { clause, plain } from './rule-situation.ts';

/** "Verify the identity before issuing a refund", "Before deleting files, ask the user". */
export function readOrder(text: string): RuleClause | undefined {
  const order = orderIn(text);
  if (order === undefined) return undefined;
  const { trigger, first, front } = order;
  if (!front && prohibition.test(first)) return notBefore(first, trigger);
  const act = readAction(trigger);
  if (act.confidence === 0) return undefined;
  if (!asking.test(first)) {
    const strict = readAction(first, true);
    return clause(
      { ...plain(act.conditions), need: [earlierOf(first.toLowerCase(), strict.senses)] },
      Math.min(0.8, act.confidence),
    );
  }
  const by = readCondition(`approved ${first}`).conditions.flatMap((one) =>
    one.test === 'approved' ? one.by : [],
  );
  const explicit = /\b(?:confirm|ask)/i.test(first);
  return clause(
    { ...plain(act.conditions), need: [{ test: 'approved', by, explicit }], asks: true },
    act.confidence,
  );
}

/** "Before X, Y" and "Y before X"; not "before 9 am". */
function orderIn(text: string): { trigger: string; first: string; front: boolean } | undefined {
  const front =
    /^(?:before|prior to)\s+(\D[^,]{2,200}),\s*(?:always |you must |the agent must |must |first |please )*(.{3,})$/i.exec(
      text,
    );
  if (front !== null) return { trigger: front[1] ?? '', first: front[2] ?? '', front: true };
  const back = /^(.{4,}?),?\s+(?:before|prior to)\s+(\D.{2,})$/i.exec(text);
  return back === null ? undefined : { trigger: back[2] ?? '', first: back[1] ?? '', front: false };
}

const asking =
  /^(?:always |please )?ask(?: first| me| us| for help)?$|^(?:\w+ ){0,3}(?:approval|authori[sz]ation|permission|consent|confirmation|sign-?off)\b|\b(?:ask|confirm|obtain|get|wait|seek|request|require)\b.{0,60}\b(?:approval|confirm\w*|consent|permission|user|customer|manager|human|ok|authori\w+|sign)/i;

/** "Do not refund before verifying the identity." */
function notBefore(first: string, trigger: string): RuleClause | undefined {
  const act = readAction(first.replace(prohibition, ' '));
  if (act.confidence === 0) return undefined;
  const need = readCondition(trigger);
  return clause(
    { ...plain(act.conditions), need: need.conditions, asks: need.asks },
    need.known ? act.confidence : 0.5,
  );
}
