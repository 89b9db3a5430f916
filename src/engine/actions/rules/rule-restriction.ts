import type { Condition, Effect, RuleClause } from '../clauses.ts';
import { readAction } from './rule-action.ts';
import { readCondition } from './rule-condition.ts';
import { clause, plain } from './rule-situation.ts';

const restriction = /\bonly\b/i;

/** What a rule with "only" allows: places, paths, hours, tools, environments. */
export function restrictionOf(text: string): Condition[] {
  const { conditions } = readCondition(text);
  return conditions.filter(({ test }) =>
    ['destination', 'path', 'extension', 'tool', 'time', 'amount', 'amount_under'].includes(test),
  );
}

/** "Only send emails to example.com", "Refunds may only be issued between 9 and 17". */
export function readRestriction(text: string): RuleClause | undefined {
  if (!restriction.test(text)) return undefined;
  if (onlyTask.test(text) && !/\b(?:recipient|address|account|destination)/i.test(text))
    return clause(plain([{ test: 'fact', facts: ['off_task'] }]), 0.9);
  const action = readAction(text.replace(restriction, ' '));
  if (onlyNamed.test(text))
    return clause(
      plain([
        ...action.conditions.filter(({ test }) => test === 'verb'),
        { test: 'fact', facts: ['unnamed_destination'] },
      ]),
      0.85,
    );
  const places = action.conditions.filter(({ test }) => placeTests.has(test)).map(positive);
  const when = action.conditions.filter(
    (condition) => !places.some((place) => place.test === condition.test),
  );
  if (places.length > 0 && (when.length > 0 || places.some(({ test }) => test === 'tool')))
    return clause(
      { ...plain(when.length > 0 ? when : [{ test: 'effect', effects: everyEffect }]), need: places },
      0.85,
    );
  if (onlyReads.test(text))
    return clause(
      plain([
        { test: 'effect', effects: changes },
        ...when.filter((one) => one.test === 'about' && one.phrases.some(({ hard }) => hard.length > 0)),
      ]),
      0.8,
    );
  return readRole(text);
}

const placeTests = new Set<Condition['test']>([
  'destination',
  'path',
  'extension',
  'tool',
  'time',
  'amount',
  'amount_under',
]);
const changes: Effect[] = ['write', 'delete', 'egress', 'pay', 'grant', 'execute'];
const everyEffect: Effect[] = [...changes, 'read', 'authenticate'];
const onlyReads = /\bonly\b.{0,20}\b(?:read|view|list|query|look|search|browse)\b|\bread[- ]only\b/i;
const onlyTask =
  /\bonly\b.{0,80}\b(?:user|task|request)\b.{0,30}\b(?:asked|requested|related|named|wants|specified)|\b(?:related|relevant|necessary|needed|required)\b.{0,20}\b(?:user|task|request)/i;
const onlyNamed =
  /\b(?:recipients?|address(?:es)?|accounts?|destinations?|people|contacts|urls?|sites?)\b.{0,40}\b(?:user|customer)\b.{0,20}\b(?:named|gave|mentioned|specified|provided|asked|requested|listed|approved)|\b(?:named|given|mentioned|specified|provided) by the (?:user|customer)/i;

/** "Only managers may approve expenses", "Prices can only be changed by a manager". */
function readRole(text: string): RuleClause | undefined {
  const role =
    /^only\s+(?:the |an? )?(.{3,60}?)\s+(?:may|can|should|is allowed to|are allowed to|must|might)\s+(?:be )?(.{3,})$/i.exec(
      text,
    );
  const passive =
    /^(.{3,80}?) (?:can|may|must|should|are to|is to|shall) only be (\w+) by (?:the |an? )?(.{3,60})$/i.exec(
      text,
    );
  const [, who, what] = role ?? (passive === null ? [] : ['', passive[3], `${passive[2]} ${passive[1]}`]);
  if (who === undefined) return undefined;
  const act = readAction(what ?? '');
  const by = who.split(/\s+/).map((word) => word.replace(/s$/, ''));
  return clause(
    { ...plain(act.conditions), need: [{ test: 'approved', by, explicit: true }], asks: true },
    Math.min(0.7, act.confidence),
  );
}

function positive(condition: Condition): Condition {
  if (condition.test === 'destination' && condition.where === 'not_in') return { ...condition, where: 'in' };
  if (condition.test === 'path') return { ...condition, where: 'under' };
  if (condition.test === 'tool') return { ...condition, where: 'in' };
  if (condition.test === 'amount') return { test: 'amount_under', under: condition.over };
  return condition;
}
