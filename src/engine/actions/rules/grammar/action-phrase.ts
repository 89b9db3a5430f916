import type { Condition } from '../../clauses.ts';
import { takeMeasures } from '../measures.ts';
import { adjust, broadened as oldBroadened } from '../rule-action.ts';
import { takeKnown } from '../rule-facts.ts';
import { root, textWords } from '../../words.ts';
import { cutNegative, cutOutside } from './action-cuts.ts';
import { joinKnown, joints, takeCompounds, thingsOf } from './action-things.ts';
import { type Head, headOf } from './head.ts';
import { takeNumbers } from './numbers.ts';

/** An act of a rule with all that narrows it down. */
export interface ReadAction {
  conditions: Condition[];
  /** What has to be so, or else it is forbidden: "files that were not scanned". */
  need: string[];
  senses: string[];
  /** 0: nothing was understood. */
  confidence: number;
}

export interface ReadActionOptions {
  /** It begins with a verb ("delete …"), and not with a thing ("deletions of …"). */
  isVerbPhrase?: boolean;
  /** The quantities in it are those that are allowed. */
  isLimit?: boolean;
  /** It only describes a situation: no act is looked for. */
  isSituation?: boolean;
}

const broadened: Readonly<Record<string, readonly string[]>> = {
  ...oldBroadened,
  grant: ['grant', 'enable'],
  schedule: ['schedule', 'create', 'book'],
  book: ['book', 'buy'],
  export: ['export', 'share', 'download', 'move'],
};

/** A place that is given by name was taken out; so must be the words that turned it round. */
const withoutAway = ({ conditions, rest }: ReturnType<typeof takeMeasures>) =>
  conditions.some(
    (one) =>
      (one.test === 'destination' || one.test === 'path' || one.test === 'tool') &&
      (one.where === 'not_in' || one.where === 'outside'),
  )
    ? rest.replace(
        /\b(?:outside(?: of)?|other than|anywhere but|anything but|except(?: for)?|(?:that |which )?(?:is|are) not(?: (?:in|on|at|part of|under|from))?|not (?:in|on|at|under|from|ending in|ending with))\s*/gi,
        ' ',
      )
    : rest;

const messages = new Set(
  ['message', 'email', 'mail', 'chat', 'slack', 'ticket', 'post', 'comment', 'reply', 'prompt', 'log'].map(
    root,
  ),
);

const speaksOfMessages = (one: Condition) =>
  one.test === 'about' && one.phrases.some(({ words }) => words.some((word) => messages.has(root(word))));

function dropHard(one: Condition, word: string): void {
  if (one.test === 'about')
    for (const { hard } of one.phrases) if (hard.includes(word)) hard.splice(hard.indexOf(word), 1);
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+(?:'\p{L}{1,3})?|[,;/]/gu) ?? [];

function actOf(head: Head, rest: { isBare: boolean }): Condition[] {
  const senses = [...new Set(head.senses.flatMap((sense) => broadened[sense] ?? [sense]))];
  // What is put into a request is carried, also where the request only reads.
  const isPut = head.words.includes('put');
  if (head.isOpen && head.senses.length === 0) return rest.isBare || isPut ? [] : [{ test: 'acts' }];
  if (head.isOpen) return [];
  return [{ test: 'verb', senses, words: head.words, said: head.said }];
}

const nobody = (): Head => ({ senses: [], words: [], said: [], isOpen: true, used: new Set() });

function readHead(rest: string, source: string, isVerbPhrase: boolean): Head {
  const words = wordsIn(rest);
  const joint = joints.exec(rest);
  const until = joint === null ? words.length : wordsIn(rest.slice(0, joint.index)).length;
  const head = headOf(words, until, isVerbPhrase);
  const acts = { senses: new Set(head.senses), used: new Set<string>() };
  adjust(acts, rest, source.toLowerCase());
  const turned = [...acts.senses].some((sense) => !head.senses.includes(sense));
  return { ...head, senses: [...acts.senses], isOpen: head.isOpen && !turned };
}

/** Data written into a message is sent, and "internal" says nothing more of what goes outside. */
function settle(
  head: Head,
  { abouts, known, ours }: { abouts: readonly Condition[]; known: readonly Condition[]; ours: boolean },
): void {
  if (head.senses.includes('write') && abouts.some(speaksOfMessages))
    head.senses.push('send', 'share', 'answer');
  if (ours || known.some((one) => one.test === 'destination' && one.where === 'outside'))
    for (const one of abouts) dropHard(one, 'internal');
}

/** Minors show by their age too. */
const underage = (one: Condition): Condition =>
  one.test === 'about' &&
  one.phrases.some(({ words }) => words.some((word) => /^(?:minors?|underage|teenagers?)$/.test(word)))
    ? { test: 'any', of: [[one], [{ test: 'number', of: ['age'], under: 18 }]] }
    : one;

/** "Merge your own pull requests". */
const ownShape =
  /\b(?:your|its|the (?:agent|assistant|bot)'s) own\b(?! (?:data|instructions?|settings?|prompts?|accounts?|config\w*|permissions?|judg\w+|initiative|rules?|code|system))|\bself-(?:created|authored|made|issued)\b/i;

const placeTests: ReadonlySet<Condition['test']> = new Set([
  'destination',
  'path',
  'extension',
  'tool',
  'literal',
  'any',
]);

const overShape =
  /\b(?:exceed(?:s|ing)?|more than|over|above|higher than|greater than|larger than|beyond|in excess of)\s+(?:the |their |its |his |her |an? |our )?((?:[a-z'-]+ ){0,5}?(?:amounts?|totals?|balance|limits?|price|budget|value|payment|cost|quantity|stock|salary|sum|deposit|allowance|quota|credit|dos(?:e|age)|rate|size|capacity|(?<=\b(?:maximum|minimum|allowed|agreed|approved|available|permitted|original|recommended) )[a-z]+(?: [a-z]+)?)(?: (?:of|on|in|for) (?:the |their |its |an? |that )?[a-z' -]{2,40})?)$/i;

/** "More than the order total": the bound stands in a record. */
function takeCompared(source: string): { conditions: Condition[]; rest: string } {
  const match = overShape.exec(source.trim());
  const of = textWords(match?.[1] ?? '')
    .map((word) => word.replace(/'s$/, ''))
    .filter((word) => word.length > 2 && !/^(?:the|their|its|his|her|for|that|our)$/.test(word));
  if (match === null || of.length === 0 || /\d/.test(match[0])) return { conditions: [], rest: source };
  return { conditions: [{ test: 'exceeds', of }], rest: source.trim().slice(0, match.index) };
}

/** Reads "send customer data to partners" into tests of a call. */
export function readAction(
  source: string,
  { isVerbPhrase = false, isLimit = false, isSituation = false }: ReadActionOptions = {},
): ReadAction {
  const own = ownShape.exec(source);
  const compared = takeCompared(own === null ? source : source.replace(own[0], ' '));
  const numbers = takeNumbers(compared.rest, isLimit);
  const away = cutOutside(numbers.rest);
  const measures = takeMeasures(away.text);
  const known = takeKnown(withoutAway(measures).toLowerCase());
  const cut = cutNegative(known.rest.replace(/\b[\w-]+(?:'s|s')\s*(?=,)/g, ' '));
  const compounds = takeCompounds(cut.text.replace(/^\s*(?:of|for|to)\s+/i, ''));
  const head = isSituation ? nobody() : readHead(compounds.rest, source, isVerbPhrase);
  const has = (test: Condition['test']) => numbers.conditions.some((one) => one.test === test);
  const things = thingsOf(compounds.rest, head, { repeated: has('repeat'), counted: has('number') });
  const ours = /\bour (?:own )?internal\b/i.test(source);
  settle(head, { abouts: things.abouts, known: known.conditions, ours });
  const act = actIn(head, measures.conditions, isSituation || (isLimit && numbers.conditions.length > 0));
  const senses = act.flatMap((each) => (each.test === 'verb' ? each.senses : []));
  const quantities = [...compared.conditions, ...numbers.conditions, ...measures.conditions].map(
    (one): Condition => (one.test === 'repeat' ? { ...one, senses, words: head.words } : one),
  );
  const placed = quantities.some(({ test }) => placeTests.has(test));
  const conditions = [
    ...act,
    ...quantities,
    ...compounds.conditions,
    ...away.differs,
    ...cut.differs,
    ...(own === null ? [] : [{ test: 'own' } as const]),
    ...joinKnown(things, known, placed).map(underage),
  ];
  return {
    conditions,
    need: cut.need,
    senses: head.senses,
    confidence: confidenceOf(conditions, head, things.object),
  };
}

/** "Cap spending at 2,000": whatever costs money. */
const spending = /^spend(?:ing)?$/;

/** Verbs that say no more than the place that is given. */
const reachWords = new Set(
  [
    'connect',
    'contact',
    'reach',
    'communicate',
    'talk',
    'speak',
    'visit',
    'open',
    'access',
    'call',
    'go',
  ].map(root),
);

/** The act, where no tool is named that says it. */
function actIn(head: Head, measured: readonly Condition[], isBare: boolean): Condition[] {
  if (measured.some(({ test }) => test === 'tool')) return [];
  const named = measured.some(({ test }) => test === 'literal' || test === 'any');
  if (isBare && head.said.length === 1 && spending.test(head.said[0] ?? '')) return [{ test: 'acts' }];
  const reaches = measured.some(({ test }) => test === 'destination') && head.words.length > 0;
  if (reaches && head.words.every((word) => reachWords.has(word))) return [];
  return named && head.words.length === 0 ? [] : actOf(head, { isBare });
}

const measuredTests: ReadonlySet<Condition['test']> = new Set([
  'amount',
  'number',
  'repeat',
  'count',
  'destination',
  'path',
  'extension',
  'tool',
  'literal',
  'any',
  'time',
  'differs',
  'amount_under',
  'exceeds',
  'lacks',
]);

function confidenceOf(conditions: readonly Condition[], head: Head, object: boolean): number {
  if (conditions.length === 0) return 0;
  if (head.used.has('alter')) return 0.8;
  if (!head.isOpen) return conditions.length > 1 ? 0.9 : head.senses.length > 0 ? 0.8 : 0.7;
  if (conditions.some(({ test }) => measuredTests.has(test))) return 0.8;
  return object || conditions.some(({ test }) => test === 'data' || test === 'about') ? 0.75 : 0.4;
}
