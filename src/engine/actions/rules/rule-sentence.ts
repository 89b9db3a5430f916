import type { Condition, RuleClause } from '../clauses.ts';
import { readAction } from './rule-action.ts';
import { earlierOf, readCondition } from './rule-condition.ts';
import { readRestriction, restrictionOf } from './rule-restriction.ts';
import { prohibition, stripNegation } from './rule-negation.ts';
import { readOrder } from './rule-order.ts';
import { clause, plain } from './rule-situation.ts';
import { thingPhrases } from '../things.ts';
import { verbSenses } from '../verbs.ts';

const exceptionShape =
  /,?\s*\b(?:unless|except (?:for|when|if|where|to|in|with|by)|except|other than when|without (?:first |prior |explicit(?:ly)? )*|but only (?:if|when|after)|only (?:if|when|after|with|once|where|upon)|(?:if|when) (?:it|they) (?:is|are) not|until)\b\s*/i;
const notWithout = /\bwithout (?:tls|https|encryption|(?:a |any )?(?:where|filter|condition|limit))\b/i;
const conditionShape = /,?\s*\b(?:if|when|whenever|where(?! (?:clause|condition))|in case|while|once)\b\s+/i;
const namedByUser =
  /\b(?:recipients?|accounts?|address(?:es)?|destinations?|payees?)\b.{0,20}\b(?:must|should|have to|need to) (?:be |have been )(?:named|mentioned|given|provided|specified|requested) by the (?:user|customer)/i;
const requirement =
  /\b(?:requires?|needs?(?: to have| to be)?|must (?:always )?(?:be |have |get |first be |include |contain |carry )|should (?:always )?(?:be |have |include |contain )|(?:have|has|needs?) to (?:be|include|contain|carry|mention|state|have|get)|(?:is|are) subject to|shall be)\b\s*/i;
const obligation =
  /^(?:always|must|you must|ensure|make sure|verify|check|confirm|ask|obtain|get|require|validate|authenticate|request|wait|review|back up|backup|notify|run|test|look up|read|perform|create|save|include|add|provide|give|attach|record|state|mention|document|set|the agent must|agents must|seek)\b/i;
const limitShape =
  /\b(?:(?:must|may|should|shall|can|do|does|will)(?: not|n't) exceed|cannot exceed|never exceed|limit(?:ed)?\b.{0,40}\bto|keep\b.{0,40}\b(?:under|below|within)|maximum|max\.?(?= ?\d)|at most|no more than|not more than|up to|cap(?:ped)? (?:at|of)|stay (?:under|below|within)|must be (?:under|below|less than)|must (?:remain|stay))\b/i;
const leading = /^(?:if|when|whenever|in case|while|on|during|for|before|prior to|after)\b/i;

interface Parts {
  main: string;
  exception: string;
  kind: 'none' | 'unless' | 'only';
}

/** Cuts "main unless exception"; a leading "Unless X, main" is turned round first. */
function cutException(sentence: string): Parts {
  const front = /^(?:unless|except (?:when|if|for))\s+([^,]{3,200}),\s*(.{5,})$/i.exec(sentence);
  if (front !== null) return { main: front[2] ?? '', exception: front[1] ?? '', kind: 'unless' };
  const split =
    /^(.{3,}?)\b(?:may|can|must|should|shall|are to|is to|are|is)? ?\bonly\b (?!if|when|after|with|once)(.{3,}?)\b(?:if|when|after|once|upon|provided(?: that)?|with (?=(?:the |a |an |prior |explicit )*(?:approv|consent|permission|confirm|author)))\s*(.{4,})$/i.exec(
      sentence,
    ) ??
    /^(.{0})only (.{3,}?) (?:if|when|after|once|upon|with (?=(?:the |a |an |prior |explicit )*(?:approv|consent|permission|confirm|author))) ?(.{4,})$/i.exec(
      sentence,
    );
  if (split !== null)
    return { main: `${split[1] ?? ''} ${split[2] ?? ''}`, exception: split[3] ?? '', kind: 'only' };
  const masked = sentence.replace(notWithout, (part) => part.replace(/^without/i, 'w1thout'));
  const match = exceptionShape.exec(masked);
  if (match === null || match.index < 4) return { main: sentence, exception: '', kind: 'none' };
  const only = /\bonly\b/i.test(match[0]);
  return {
    main: sentence.slice(0, match.index),
    exception: sentence.slice(match.index + match[0].length),
    kind: only ? 'only' : 'unless',
  };
}

const strip = (text: string) =>
  text
    .replace(/\b(do|ca|must|should|wo|does)n?t\b(?<=\b(?:dont|cant|mustnt|shouldnt|wont|doesnt))/gi, "don't")
    .replace(/^(?:pls|please|kindly)\s+/i, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s*/, '')
    .replace(staff, '')
    .replace(
      /^(?:the |an? |all |any )?(?:ai |llm )?(?:agents?|assistants?|bots?|models?|you|it|system)\s+(?=(?:must|may|should|shall|can|cannot|is|are|will|never|do|does|has|have|only)\b)/i,
      '',
    )
    .trim();

/** Who is told: "support staff may not change …"; not who it is about ("employees must not be paid twice"). */
const staff =
  /^(?:the |our |all |any )?(?:\w+ )?(?:staff|representatives?|reps|operators?|workers?|interns?|contractors?|team members)\s+(?=(?:must|may|should|shall|can|cannot|are|is|will|never|do|does)(?: not|n't)? (?!be\b))/i;

/** "Refunds over $500 require a manager's approval", "Emails must be reviewed first". */
function readRequirement(text: string): RuleClause | undefined {
  if (namedByUser.test(text))
    return clause(
      plain([
        { test: 'effect', effects: ['egress', 'pay'] },
        { test: 'fact', facts: ['unnamed_destination'] },
      ]),
      0.85,
    );
  const match = requirement.exec(text);
  if (match === null || match.index < 3 || prohibition.test(text.slice(0, match.index + match[0].length)))
    return undefined;
  const trigger = readAction(text.slice(0, match.index));
  if (trigger.confidence === 0) return undefined;
  const rest = text.slice(match.index + match[0].length);
  const restricted = restrictionOf(rest);
  const sendsTo =
    restricted.length > 0 && /\b(?:to|at|from|in|under|within|between|over|using|through|via)\b/i.test(rest);
  const verb = readAction(rest);
  if (sendsTo)
    return clause(
      {
        ...plain(
          join(
            trigger.conditions,
            verb.conditions.filter(({ test }) => test === 'verb'),
          ),
        ),
        need: restricted,
      },
      0.8,
    );
  const need = readCondition(`${match[0]} ${rest}`);
  const confidence = need.known ? Math.min(trigger.confidence, 0.85) : 0.5;
  return clause({ ...plain(trigger.conditions), need: need.conditions, asks: need.asks }, confidence);
}

const join = (a: readonly Condition[], b: readonly Condition[]): Condition[] => [
  ...a,
  ...b.filter(({ test }) => !a.some((one) => one.test === test)),
];

/** "Refunds must not exceed $500", "No more than three emails per session". */
function readLimit(text: string): RuleClause | undefined {
  if (!limitShape.test(text)) return undefined;
  const action = readAction(
    text.replace(
      /\b(?:limit|keep|maximum|cap(?:ped)?|can't|cannot|mustn't|(?:may|must|should|can|do) not|don't)\b/gi,
      ' ',
    ),
  );
  const when = action.conditions.map((condition): Condition =>
    condition.test === 'amount_under'
      ? {
          test: 'amount',
          over: condition.under,
          inclusive: false,
          total: /total|day|session|month|week/i.test(text),
        }
      : condition,
  );
  const limited = when.some(({ test }) => test === 'amount' || test === 'count' || test === 'repeat');
  return limited ? clause(plain(when), Math.max(0.7, action.confidence)) : undefined;
}

const isBare = (text: string) => obligation.test(text) && !prohibition.test(text);

/** "Always include a ticket number when deploying", "Ask the user when …". */
function readObligation(text: string): RuleClause | undefined {
  if (!isBare(text)) return undefined;
  const cut = conditionShape.exec(text) ?? /\s+\bfor (?:all |any |every |each )?/i.exec(text);
  if (/\b(?:use|uses|using|over|via) https\b|\bhttps only\b/i.test(text))
    return clause(plain([{ test: 'fact', facts: ['plain_http'] }]), 0.85);
  if (cut === null || cut.index === 0) return undefined;
  const act = readAction(text.slice(cut.index + cut[0].length));
  if (act.confidence === 0) return undefined;
  const duty = text.slice(0, cut.index);
  const asks = /\b(?:ask|approval|confirm\w*|consent|permission|require)\b/i.test(duty);
  const need = asks ? readCondition(`approved by ${duty}`) : readCondition(duty);
  return clause(
    { ...plain(act.conditions), need: need.conditions, asks: need.asks },
    need.known ? Math.min(0.75, act.confidence) : 0.45,
  );
}

/** "If the amount is over $500, ask a manager", "When working on production, do not delete". */
function readLeading(text: string): RuleClause | undefined {
  const match =
    /^(?:if|when|whenever|in case|while|during|for|on|after)\s+([^,]{3,200}),\s*(?:then )?(.{3,})$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const [, condition = '', main = ''] = match;
  const given = readAction(condition);
  if (!prohibition.test(main)) {
    const asking =
      /^(?:always |please |you must |must )?(?:ask|consult|escalate|obtain|get|request|require|seek|wait|confirm|involve)\b/i.test(
        main,
      );
    const need = readCondition(asking ? `approved ${main}` : main);
    return given.confidence > 0
      ? clause(
          { ...plain(given.conditions), need: need.conditions, asks: need.asks },
          need.known ? 0.75 : 0.45,
        )
      : undefined;
  }
  const inner = readSentence(main);
  if (inner === undefined) return undefined;
  const context = given.conditions.filter(({ test }) => test !== 'verb');
  const after = /^after\b/i.test(text) ? [earlierOf(condition.toLowerCase(), given.senses)] : [];
  return {
    ...inner,
    when: [...inner.when, ...context, ...after],
    confidence: Math.min(inner.confidence, context.length + after.length > 0 ? 0.75 : 0.5),
  };
}

function readProhibition(text: string): RuleClause | undefined {
  if (!prohibition.test(text)) return undefined;
  const { main, situation, after } = cutSituation(text);
  const action = readAction(stripNegation(main));
  const extra = situation === '' ? [] : situationOf(situation, after);
  const vague = situation !== '' && extra.length === 0;
  const confidence = vague ? Math.min(action.confidence, 0.5) : action.confidence;
  return confidence > 0.4 ? clause(plain([...action.conditions, ...extra]), confidence) : undefined;
}

/** "Do not X after Y", "never X when Y". */
function cutSituation(text: string): { main: string; situation: string; after: boolean } {
  const after = /^(.{4,}?)\s+after\s+([a-z].{3,})$/i.exec(text);
  if (after !== null) return { main: after[1] ?? '', situation: after[2] ?? '', after: true };
  const cut = conditionShape.exec(text);
  if (cut === null || cut.index <= 4) return { main: text, situation: '', after: false };
  return { main: text.slice(0, cut.index), situation: text.slice(cut.index + cut[0].length), after: false };
}

function situationOf(text: string, after: boolean): Condition[] {
  if (after) return [earlierOf(text.toLowerCase(), readAction(text, true).senses)];
  return readAction(text).conditions.filter(
    (condition) =>
      condition.test !== 'verb' &&
      (condition.test !== 'about' || condition.phrases.some(({ hard }) => hard.length > 0)),
  );
}

/** Reads one sentence of a rule; undefined where it says nothing that can be tested. */
export function readSentence(source: string): RuleClause | undefined {
  const unasked = readUnasked(source);
  if (unasked !== undefined) return unasked;
  const { main, exception, kind } = cutException(strip(source));
  const read = readMain(strip(main), kind);
  if (read === undefined || kind === 'none') return read;
  const condition = readCondition(exception);
  const confidence = condition.known ? read.confidence : Math.min(0.5, read.confidence);
  const thing = thingsOf(main);
  const conditions = condition.conditions.map((one) =>
    one.test === 'user_asked' ? { ...one, about: thing } : one,
  );
  if (kind === 'only')
    return { ...read, need: [...read.need, ...conditions], asks: condition.asks, confidence };
  return {
    ...read,
    unless: [...read.unless, conditions],
    asks: read.asks || condition.asks,
    confidence,
  };
}

/** What the main part is about, without its verbs. */
const thingsOf = (main: string): string[] =>
  thingPhrases(
    stripNegation(main).toLowerCase(),
    (word) => verbSenses(word).length > 0 && !word.endsWith('s'),
  )
    .flatMap(({ words, hard }) => [...words, ...hard])
    .slice(0, 12);

const askedTail =
  /\s+(?:for (?:any )?(?:purposes?|reasons?) )?(?:that|which) (?:the )?(?:user|customer|task|request|user's request)s? (?:did not|didn't|has not|hasn't|does not|doesn't|never) (?:ask(?:ed)?(?: for)?|request(?:ed)?|want(?:ed)?|need|require|call for)\b.*$/i;

/** "Do not send messages that the user did not ask for." */
function readUnasked(source: string): RuleClause | undefined {
  const tail = askedTail.exec(source);
  if (tail === null) return undefined;
  const main = readMain(strip(source.slice(0, tail.index)), 'none');
  const acts = main?.when.some(({ test }) => test === 'verb') === true;
  return main !== undefined && acts
    ? {
        ...main,
        unless: [...main.unless, [{ test: 'user_asked', about: thingsOf(source.slice(0, tail.index)) }]],
      }
    : undefined;
}

const readers: readonly ((text: string) => RuleClause | undefined)[] = [
  readLimit,
  readOrder,
  readRestriction,
];
const laterReaders: readonly ((text: string) => RuleClause | undefined)[] = [
  readProhibition,
  readRequirement,
  readObligation,
];

function firstOf(list: typeof readers, text: string): RuleClause | undefined {
  for (const read of list) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readMain(text: string, kind: Parts['kind']): RuleClause | undefined {
  const led = leading.test(text) ? firstOf([readOrder, readLeading], text) : undefined;
  const found = led ?? firstOf(readers, text);
  if (found !== undefined) return found;
  return firstOf(
    kind === 'only'
      ? [permitted, ...laterReaders]
      : kind === 'unless'
        ? [...laterReaders, permitted]
        : laterReaders,
    text,
  );
}

/** "You may refund orders only if …": what is allowed under a condition. */
function permitted(text: string): RuleClause | undefined {
  const action = readAction(stripNegation(text));
  return action.confidence >= 0.5 ? clause(plain(action.conditions), action.confidence) : undefined;
}
