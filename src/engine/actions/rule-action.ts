import type { Condition, FactName } from './clauses.ts';
import { takeMeasures } from './measures.ts';
import { type Known, takeKnown } from './rule-facts.ts';
import { type Found, findVerbs, mainWords, skipVerbs } from './rule-verbs.ts';
import { type ThingPhrase, isSpecific, thingGroups } from './things.ts';
import { root, textWords } from './words.ts';

/** The part of a rule that names an act, read. */
export interface ActionReading {
  conditions: Condition[];
  senses: string[];
  /** 0: nothing was understood. */
  confidence: number;
}

const hostFacts = new Set<FactName>(['internal_host', 'plain_http', 'tunnel_host']);
/** Verbs that say no more than "reach", once a place is named. */
const reachWords =
  /\b(?:calls?|connect\w*|contact\w*|reach\w*|access\w*|requests?|communicat\w+|visit\w*|open\w*|traffic|connections?)\b/;

const openable = /\bopen(?:ing|s)?\b.{0,20}\b(?:accounts?|tickets?|issues?|cases?|positions?)\b/;

const broadened: Readonly<Record<string, readonly string[]>> = {
  send: ['send', 'share', 'answer'],
  share: ['send', 'share'],
  pay: ['pay', 'buy'],
  buy: ['buy', 'book'],
  read: ['read', 'download'],
  delete: ['delete'],
  update: ['update', 'write', 'rename'],
  write: ['write', 'update', 'create'],
  create: ['create', 'write', 'schedule'],
  execute: ['execute', 'restart'],
  install: ['install'],
  deploy: ['deploy'],
  print: ['print', 'reply', 'send', 'share'],
  export: ['export', 'share', 'download'],
};

/** Things that the act names already: money in a payment, a message in sending. */
const implied: Readonly<Record<string, string>> = {
  pay: 'money payment transaction fund transfer payout wire',
  buy: 'purchase order item good product money payment',
  send: 'message communication notification mail',
  share: 'content',
  refund: 'refund money payment customer credit reimbursement',
  book: 'booking reservation',
  execute: 'command shell code script program',
  install: 'software package',
  deploy: 'deployment code change release',
  grant: 'access permission privilege right role',
  schedule: 'schedule',
  restart: 'process',
  commit: 'code change secret',
};

function dropFor(found: Found): (word: string) => boolean {
  const dropped = new Set(
    [...found.senses]
      .flatMap((sense) => (implied[sense] ?? '').split(' '))
      .filter((word) => word !== '')
      .map(root),
  );
  const skip = new Set([...skipVerbs].map(root));
  return (word) => {
    const base = root(word);
    return found.used.has(base) || dropped.has(base) || skip.has(base);
  };
}

const wholeFacts = new Set<FactName>([
  'follows_embedded_instruction',
  'off_task',
  'downloads_and_runs',
  'obfuscated_command',
  'sql_without_condition',
  'disables_protection',
  'internal_host',
  'plain_http',
  'tunnel_host',
  'hidden_text',
  'destructive_command',
]);
const quietFacts = new Set<FactName>([
  'follows_embedded_instruction',
  'off_task',
  'disables_protection',
  'downloads_and_runs',
  'obfuscated_command',
  'destructive_command',
]);

/** Which things a call has to concern; what data, a place or a fact says already is not asked for twice. */
function aboutOf(
  { object, added }: ReturnType<typeof thingGroups>,
  known: readonly Condition[],
): Condition[] {
  const has = (...tests: Condition['test'][]) => known.some(({ test }) => tests.includes(test));
  const says = ({ words, hard }: ThingPhrase) => hard.length > 0 || words.some(isSpecific);
  const hardOnly = ({ hard }: ThingPhrase) => hard.length > 0;
  const always = () => true;
  const placed = has('destination', 'path', 'extension', 'literal');
  const keepObject = placed ? hardOnly : has('fact', 'data') ? says : always;
  const keepAdded = placed ? hardOnly : has('fact') ? says : always;
  return [object.filter(keepObject), added.filter(keepAdded)]
    .filter((phrases) => phrases.length > 0)
    .map((phrases) => ({ test: 'about', phrases }));
}

/** Reads "send customer data to external addresses" into tests of a call. `strict` takes verbs of checking as acts. */
export function readAction(source: string, strict = false): ActionReading {
  const lower = source.toLowerCase();
  const measures = takeMeasures(source);
  const known = takeKnown(measures.rest.toLowerCase());
  const quiet = known.facts.find((fact) => quietFacts.has(fact));
  const found = findVerbs(mainWords(textWords(known.rest)), strict);
  adjust(found, known.rest);
  const senses = [...new Set([...found.senses].flatMap((sense) => broadened[sense] ?? [sense]))];
  if (quiet !== undefined)
    return { conditions: [{ test: 'fact', facts: [quiet] }], senses, confidence: 0.95 };
  const conditions = [
    ...actOf(senses, known, measures.conditions),
    ...factsOf(known.facts),
    ...known.conditions,
  ];
  conditions.push(...measures.conditions.map((one) => (one.test === 'repeat' ? { ...one, senses } : one)));
  const whole = known.facts.some((fact) => wholeFacts.has(fact));
  const named = measures.conditions.some(({ test }) => test === 'tool');
  if (!whole && !named) conditions.push(...aboutOf(thingGroups(known.rest, dropFor(found)), conditions));
  if (known.facts.includes('unnamed_destination') && /\b(?:links?|urls?)\b/.test(lower))
    conditions.push({ test: 'literal', texts: ['http', 'www.'] });
  if (othersShape.test(lower))
    conditions.push({
      test: 'argument',
      words: ['user', 'username', 'account', 'email', 'member', 'employee', 'owner', 'person', 'customer'],
    });
  if (/\breply[- ](?:to )?all\b/.test(lower)) conditions.push({ test: 'argument', words: ['all'] });
  const used = /\b(?:use|using|touch)\b/.test(known.rest) ? 0.2 : 0;
  return { conditions, senses, confidence: Math.min(0.95, confidenceOf(conditions) + used) };
}

const othersShape =
  /\b(?:another|other|someone else's|other people's) (?:user|person|people|employee|account|member|customer)/;
const givesAccess = /\b(?:giv(?:e|es|ing)|provid(?:e|ing)|allow(?:ing)?)\b.{0,60}\baccess\b/;
const money = /\b(?:money|funds|payments?|cash)\b/;

/** Acts that only the words around the verb tell: sending money, giving access, opening an account. */
function adjust({ senses }: Found, text: string): void {
  const turn = (from: string, to: string) => {
    senses.delete(from);
    senses.add(to);
  };
  if (senses.has('send') && money.test(text)) turn('send', 'pay');
  if (givesAccess.test(text)) turn('read', 'grant');
  if (openable.test(text)) turn('read', 'create');
}

/** The act itself; left out where a tool or a place says enough. */
function actOf(senses: string[], { facts, rest }: Known, measured: readonly Condition[]): Condition[] {
  const placed =
    measured.some(({ test }) => test === 'destination') || facts.some((fact) => hostFacts.has(fact));
  const named = measured.some(({ test }) => test === 'tool');
  return senses.length === 0 || named || (placed && reachWords.test(rest)) ? [] : [{ test: 'verb', senses }];
}

function factsOf(facts: readonly FactName[]): Condition[] {
  const whole = facts.filter((fact) => wholeFacts.has(fact));
  if (whole.length > 0) return [{ test: 'fact', facts: whole }];
  return facts.map((fact) => ({ test: 'fact', facts: [fact] }));
}

function confidenceOf(conditions: readonly Condition[]): number {
  const has = (...tests: Condition['test'][]) => conditions.some(({ test }) => tests.includes(test));
  const several = conditions.length > 1;
  if (has('verb', 'tool')) return several ? 0.9 : 0.8;
  if (has('fact')) return 0.85;
  if (has('path', 'literal', 'extension', 'amount', 'destination') || (has('data') && several)) return 0.75;
  if (has('data')) return 0.5;
  return has('about') ? 0.45 : 0;
}
