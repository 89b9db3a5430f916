import type { Condition, FactName } from '../clauses.ts';
import { takeMeasures } from './measures.ts';
import { type Known, takeKnown } from './rule-facts.ts';
import { type Found, findVerbs, mainWords, skipVerbs } from './rule-verbs.ts';
import { type ThingPhrase, isSpecific, thingGroups } from '../things.ts';
import { root, textWords } from '../words.ts';

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

export const broadened: Readonly<Record<string, readonly string[]>> = {
  send: ['send', 'share', 'answer'],
  share: ['send', 'share'],
  answer: ['answer', 'send'],
  pay: ['pay', 'buy'],
  buy: ['buy', 'book'],
  read: ['read', 'download'],
  delete: ['delete'],
  update: ['update', 'write', 'rename'],
  write: ['write', 'update', 'create'],
  create: ['create', 'write', 'schedule'],
  install: ['install'],
  deploy: ['deploy'],
  print: ['print', 'reply', 'send', 'share'],
  export: ['export', 'share', 'download'],
};

/** Who is added joins something; nothing is written down. */
const addsPeople =
  /\b(?:add|adds|adding|added) (?:\w+ )?(?:users?|members?|people|persons?|guests?|owners?|collaborators?|participants?)\b/;

/** Things that the act names already: money in a payment, a message in sending. */
export const implied: Readonly<Record<string, string>> = {
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
  print: 'console screen output terminal stdout',
};

/** Words that the acts found say already, and the words of the acts themselves. */
function dropFor(found: Found): { drop: (word: string) => boolean; isImplied: (word: string) => boolean } {
  const dropped = new Set(
    [...found.senses]
      .flatMap((sense) => (implied[sense] ?? '').split(' '))
      .filter((word) => word !== '')
      .map(root),
  );
  const skip = new Set([...skipVerbs].map(root));
  const drop = (word: string) => {
    const base = root(word);
    return found.used.has(base) || dropped.has(base) || skip.has(base);
  };
  return { drop, isImplied: (word) => dropped.has(root(word)) && !found.used.has(root(word)) };
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
  'reverse_shell',
  'scans_or_mines',
  'skips_checks',
  'erases_traces',
  'stacked_statements',
  'injected_sql',
]);
const quietFacts = new Set<FactName>([
  'follows_embedded_instruction',
  'off_task',
  'disables_protection',
  'downloads_and_runs',
  'obfuscated_command',
  'destructive_command',
  'reverse_shell',
  'scans_or_mines',
  'skips_checks',
  'erases_traces',
  'stacked_statements',
  'injected_sql',
]);

/** Which things a call has to concern; what data, a place or a fact says already is not asked for twice. */
function aboutOf(
  { object, added }: ReturnType<typeof thingGroups>,
  known: readonly Condition[],
): { object: Condition[]; added: Condition[] } {
  const has = (...tests: Condition['test'][]) => known.some(({ test }) => tests.includes(test));
  const says = ({ words, hard }: ThingPhrase) => hard.length > 0 || words.some(isSpecific);
  const hardOnly = ({ hard }: ThingPhrase) => hard.length > 0;
  const always = () => true;
  const placed = has('destination', 'path', 'extension', 'literal');
  const outside = known.some((one) => one.test === 'destination' && one.where === 'outside');
  if (outside)
    for (const { hard } of [...object, ...added])
      if (hard.includes('internal')) hard.splice(hard.indexOf('internal'), 1);
  const keepObject = placed ? hardOnly : has('fact', 'data') ? says : always;
  // A table or a database is named by any word.
  const isSchema = known.some((one) => one.test === 'fact' && one.facts.includes('sql_schema_change'));
  const keepAdded = placed ? hardOnly : has('fact') && !isSchema ? says : always;
  const about = (phrases: ThingPhrase[]): Condition[] =>
    phrases.length > 0 ? [{ test: 'about', phrases }] : [];
  return { object: about(object.filter(keepObject)), added: about(added.filter(keepAdded)) };
}

/** "Passwords, codes or payment details": what is listed beside a kind of data is as good as that. */
function joinThings(
  conditions: Condition[],
  { object, added }: { object: Condition[]; added: Condition[] },
  { dataIsObject }: Known,
): void {
  const at = conditions.findIndex(({ test }) => test === 'data');
  const data = conditions[at];
  if (dataIsObject && data !== undefined) {
    const named = object.flatMap((about) =>
      about.test === 'about' ? about.phrases.filter(({ words }) => words.some(isSpecific)) : [],
    );
    if (named.length > 0)
      conditions.splice(at, 1, { test: 'any', of: [[data], [{ test: 'about', phrases: named }]] });
  } else conditions.push(...object);
  conditions.push(...added);
}

/** Reads "send customer data to external addresses" into tests of a call. `strict` takes verbs of checking as acts. */
export function readAction(source: string, strict = false): ActionReading {
  return readExamples(source, strict) ?? readPlain(source, strict);
}

const examplesShape = /,?\s+(?:such as|for example|for instance|e\.g\.|like|including)\s+/i;
const exampleTests = new Set<Condition['test']>(['literal', 'tool', 'extension', 'path', 'destination']);

/**
 * "Credential files such as id_rsa or .env": the kind of thing, or one of those named. Undefined where no example can
 * be matched by its characters.
 */
function readExamples(source: string, strict: boolean): ActionReading | undefined {
  const cut = examplesShape.exec(source);
  if (cut === null) return undefined;
  const named = takeMeasures(source.slice(cut.index + cut[0].length)).conditions.filter(({ test }) =>
    exampleTests.has(test),
  );
  if (named.length === 0) return undefined;
  const kind = readPlain(source.slice(0, cut.index), strict);
  const isAct = ({ test }: Condition) => test === 'verb' || test === 'effect';
  const things = kind.conditions.filter((condition) => !isAct(condition));
  const acts = kind.conditions.filter(isAct);
  if (acts.length === 0 && things.length === 0) return undefined;
  const of = [things, ...named.map((one) => [one])].filter((all) => all.length > 0);
  return {
    conditions: [...acts, { test: 'any', of }],
    senses: kind.senses,
    confidence: Math.max(0.85, kind.confidence),
  };
}

function readPlain(source: string, strict: boolean): ActionReading {
  const lower = source.toLowerCase();
  const measures = takeMeasures(source);
  const known = takeKnown(measures.rest.toLowerCase());
  const quiet = known.facts.find((fact) => quietFacts.has(fact));
  const found = findVerbs(mainWords(textWords(known.rest)), strict);
  adjust(found, known.rest, lower);
  const broaden = (sense: string) =>
    sense === 'create' && addsPeople.test(lower) ? [sense] : (broadened[sense] ?? [sense]);
  const senses = [...new Set([...found.senses].flatMap(broaden))];
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
  const elevated = known.facts.includes('privileged_command') && senses.includes('execute');
  if (!whole && !named && !elevated) {
    const { drop, isImplied } = dropFor(found);
    joinThings(conditions, aboutOf(thingGroups(known.rest, drop, isImplied), conditions), known);
  }
  const fromElsewhere = known.facts.some(
    (fact) => fact === 'unnamed_destination' || fact === 'tool_output_leaves',
  );
  if (fromElsewhere && /\b(?:links?|urls?)\b/.test(lower))
    conditions.push({ test: 'literal', texts: ['http', 'www.'] });
  if (othersShape.test(lower))
    conditions.push({
      test: 'argument',
      words: ['user', 'username', 'account', 'email', 'member', 'employee', 'owner', 'person', 'customer'],
    });
  if (/\breply[- ](?:to )?all\b/.test(lower))
    conditions.push({
      test: 'any',
      of: [
        [{ test: 'argument', words: ['all'] }],
        [{ test: 'about', phrases: [{ words: [], hard: ['all'] }] }],
      ],
    });
  const used = /\b(?:use|using|touch)\b/.test(known.rest) ? 0.25 : 0;
  return { conditions, senses, confidence: Math.min(0.95, confidenceOf(conditions) + used) };
}

const othersShape =
  /\b(?:another|other|someone else's|other people's) (?:user|person|people|employee|account|member|customer)/;
const givesAccess = /\b(?:giv(?:e|es|ing)|provid(?:e|ing)|allow(?:ing)?)\b.{0,60}\baccess\b/;
const money = /\b(?:money|funds|payments?|cash|crypto\w*|bitcoins?|ether(?:eum)?)\b/;
const data = /\b(?:data|files?|documents?|records?|information|backups?|copies)\b/;

interface Turn {
  shows: RegExp;
  from: string;
  to: readonly string[];
}

/** Acts that only the words around the verb tell: giving access, opening an account. */
const turns: readonly Turn[] = [
  { shows: givesAccess, from: 'read', to: ['grant'] },
  { shows: openable, from: 'read', to: ['create'] },
  {
    shows: /\bopen(?:ing)?\b.{0,20}\b(?:ports?|firewalls?)\b/,
    from: 'read',
    to: ['create', 'update', 'enable', 'disable'],
  },
  {
    shows:
      /\bcode changes?\b|\bchanges? (?:to|in) (?:the |our )?[\w -]{0,30}(?:code|repo\w*|branch|codebase)\b/,
    from: '',
    to: ['commit', 'update', 'write'],
  },
  {
    shows:
      /\bmov(?:e|ed|es|ing)\b.{0,40}\b(?:meetings?|events?|appointments?|bookings?|reservations?|interviews?)\b/,
    from: '',
    to: ['schedule', 'update'],
  },
  {
    shows:
      /\b(?:modif|chang|alter|edit)\w*\b.{0,40}\b(?:rules|policies|settings|configurations?|permissions|records|entries)\b/,
    from: '',
    to: ['create', 'delete'],
  },
  {
    shows:
      /\b(?:book|arrange|plan)\w*\b.{0,30}\b(?:meetings?|appointments?|calls?|interviews?|events?|slots?)\b/,
    from: 'buy',
    to: ['schedule', 'create', 'book'],
  },
  { shows: /\bmak(?:e|ing)\b.{0,60}\bpublic\b/, from: 'create', to: ['share', 'update', 'grant'] },
];
const emptyVerbs = /\b(?:mak(?:e|ing)|giv(?:e|ing)|provid(?:e|ing)|issu(?:e|ing))\b/;

type TurnAct = (from: string, to: readonly string[]) => void;

export function adjust({ senses }: Found, text: string, whole: string): void {
  const turn: TurnAct = (from, to) => {
    senses.delete(from);
    for (const sense of to) senses.add(sense);
  };
  adjustSending(senses, turn, { text, whole });
  for (const { shows, from, to } of turns) if (shows.test(text)) turn(from, to);
  if (senses.size === 0 && emptyVerbs.test(text)) turn('', ['create', 'write']);
}

/** Sending money is paying, transferring data is sending. `whole` still has the data that `text` was relieved of. */
function adjustSending(
  senses: ReadonlySet<string>,
  turn: TurnAct,
  { text, whole }: { text: string; whole: string },
): void {
  const main = text.split(/\b(?:that|which)\b/)[0] ?? '';
  if (senses.has('send') && money.test(main)) turn('send', ['pay']);
  else if (senses.has('pay') && data.test(whole) && text.includes('transfer')) turn('pay', ['send', 'move']);
  if (senses.has('create') && /\bb?cc\b/.test(text)) turn('create', ['send']);
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
  if (
    has('path', 'literal', 'extension', 'amount', 'destination', 'count', 'repeat', 'any') ||
    (has('data') && several)
  )
    return 0.75;
  if (has('data')) return 0.5;
  return has('about') ? 0.45 : 0;
}
