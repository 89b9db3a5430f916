import type { Effect } from './clauses.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { type CommandReading, readCommands } from './commands.ts';
import type { TraceStep } from './types.ts';
import { effectsOf, nounSenses, verbSenses } from './verbs.ts';
import { nameWords, root, textWords } from './words.ts';

/** An agent step as the rules see it. */
export interface Call {
  step: TraceStep;
  index: number;
  /** Empty for a plain reply. */
  toolName: string;
  words: string[];
  senses: ReadonlySet<string>;
  effects: ReadonlySet<Effect>;
  leaves: Leaf[];
  commands: CommandReading;
}

const moneyNouns = new Set(
  [
    'money',
    'payment',
    'transaction',
    'transfer',
    'funds',
    'fund',
    'invoice',
    'payout',
    'fee',
    'crypto',
    'cryptocurrency',
    'bitcoin',
    'ethereum',
  ].map(root),
);
/** What is transferred is no money: a call to a human, a file, a repository. */
const handedOver = new Set(
  [
    'human',
    'agent',
    'agents',
    'call',
    'support',
    'file',
    'files',
    'repository',
    'repo',
    'ownership',
    'ticket',
    'data',
    'records',
    'document',
  ].map(root),
);
const mailNouns = new Set(['email', 'mail', 'message', 'sms', 'tweet', 'notification', 'post'].map(root));
const grantNouns = new Set(
  ['permission', 'role', 'privilege', 'member', 'admin', 'collaborator', 'access', 'acl'].map(root),
);
const givers = new Set(['give', 'provide', 'allow']);
const secretNouns = new Set(['password', 'otp', 'mfa', 'credential', 'credentials', 'passcode'].map(root));

/** Verbs that leave the act to the noun: `make_payment`, `process_refund`. */
const lightVerbs = new Set([
  'make',
  'do',
  'issue',
  'process',
  'perform',
  'create',
  'submit',
  'initiate',
  'execute',
  'place',
  'run',
  'trigger',
  'complete',
  'start',
]);

/** Senses of the first verb of a name; nouns such as `payment` only where no verb stands. */
function sensesOfName(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  const first = words.find((word) => verbSenses(word).length > 0 && !isNounUse(words, word)) ?? '';
  const addAll = (senses: readonly string[]) => senses.forEach((sense) => found.add(sense));
  addAll(verbSenses(first));
  words.forEach((word, index) => {
    const before = words[index - 1];
    if (before === 'and' || before === 'or') addAll(verbSenses(word));
  });
  const others = lightVerbs.has(first) ? words.filter((word) => word !== first) : [];
  for (const word of others) addAll([...nounSenses(word), ...(alsoNouns.has(word) ? verbSenses(word) : [])]);
  if (found.size === 0) for (const word of words) addAll(nounSenses(word));
  return found;
}

const alsoNouns = new Set([
  'order',
  'book',
  'charge',
  'bill',
  'record',
  'log',
  'count',
  'schedule',
  'access',
  'release',
  'post',
  'script',
  'list',
  'set',
  'view',
  'plan',
  'report',
  'check',
  'call',
  'type',
  'fill',
  'void',
  'contents',
  'content',
]);

/** `order` in `cancel_order` is a thing; in `order_item` it is the act. */
function isNounUse(words: readonly string[], word: string): boolean {
  if (!alsoNouns.has(word)) return false;
  const index = words.indexOf(word);
  return words.some((other, at) => at !== index && verbSenses(other).length > 0 && !alsoNouns.has(other));
}

const reads = new Set(['read', 'verify', 'print']);

function addCompounds(senses: Set<string>, words: readonly string[]): void {
  const roots = words.map(root);
  if (givers.has(words[0] ?? '') && words.includes('access')) senses.add('grant');
  if (senses.size > 0 && [...senses].every((sense) => reads.has(sense))) return;
  addMoney(senses, roots);
  const has = (group: ReadonlySet<string>) => roots.some((word) => group.has(word));
  const does = (...names: string[]) => names.some((name) => senses.has(name));
  if (has(mailNouns) && does('create', 'write')) senses.add('send');
  if (has(grantNouns) && does('create', 'update', 'write')) senses.add('grant');
}

function addMoney(senses: Set<string>, roots: readonly string[]): void {
  const isMoney = roots.some((word) => moneyNouns.has(word));
  if (isMoney && !['refund', 'cancel', 'delete'].some((name) => senses.has(name))) {
    senses.add('pay');
    if (!roots.includes(root('invoice'))) senses.delete('send');
  }
  if (senses.has('pay') && roots.some((word) => handedOver.has(word))) {
    senses.delete('pay');
    senses.add('move');
  }
}

function addFromArguments(senses: Set<string>, leaves: readonly Leaf[]): void {
  for (const { key, text } of leaves) {
    const name = key.toLowerCase();
    if (text.length > 40) continue;
    if (name === 'method' && /^(post|put|patch|delete)$/i.test(text))
      senses.add(/delete/i.test(text) ? 'delete' : 'send');
    if (['action', 'operation', 'command', 'verb', 'mode'].includes(name))
      for (const word of textWords(text).slice(0, 2)) for (const sense of verbSenses(word)) senses.add(sense);
  }
}

function effectsFor(step: TraceStep, senses: ReadonlySet<string>, words: readonly string[]): Set<Effect> {
  if (step.toolEffects !== undefined && step.toolEffects.length > 0) return new Set(step.toolEffects);
  const effects = new Set<Effect>();
  for (const sense of senses) for (const effect of effectsOf(sense)) effects.add(effect);
  const roots = words.map(root);
  if (roots.some((word) => secretNouns.has(word)) && (effects.has('write') || senses.has('read')))
    effects.add('authenticate');
  if (effects.size > 1 && !senses.has('download')) effects.delete('read');
  return effects;
}

/** `execute_sql` with a SELECT only reads, whatever its name says. */
function onlyReads({ senses, facts }: CommandReading): boolean {
  return senses.size > 0 && facts.size === 0 && [...senses].every((sense) => reads.has(sense));
}

const guestKeys = /^(?:attendees?|participants?|guests?|invitees?)$/i;

const known = new WeakMap<TraceStep, Call>();

/** Reads one agent step: what it does, with which values. Cheap when the same step object comes again. */
export function readCall(step: TraceStep, index: number): Call {
  const before = known.get(step);
  if (before !== undefined && before.index === index) return before;
  const toolName = step.toolName ?? '';
  const words = nameWords(toolName);
  const leaves = leavesOf(step.toolParams);
  const commands = readCommands(leaves, words);
  const { senses, effects } =
    toolName === ''
      ? { senses: new Set(['reply']), effects: new Set<Effect>() }
      : actsOf(step, { words, leaves, commands });
  const call = { step, index, toolName, words, senses, effects, leaves, commands };
  known.set(step, call);
  return call;
}

function actsOf(step: TraceStep, { words, leaves, commands }: Pick<Call, 'words' | 'leaves' | 'commands'>) {
  const senses = sensesOfStep(step, words);
  addCompounds(senses, words);
  if (commands.senses.size === 0) addFromArguments(senses, leaves);
  for (const sense of commands.senses) senses.add(sense);
  const effects = effectsFor(step, senses, words);
  if (onlyReads(commands) && effects.delete('execute')) effects.add('read');
  // An event with guests is an invitation as well; that is no effect of its own.
  const isEvent = senses.has('create') || senses.has('schedule');
  if (isEvent && leaves.some(({ key }) => guestKeys.test(key))) senses.add('invite');
  return { senses, effects };
}

/** From the name; where that says nothing, from the first verb of the description. */
function sensesOfStep(step: TraceStep, words: readonly string[]): Set<string> {
  const senses = sensesOfName(words);
  if (senses.size > 0 || step.toolDescription === undefined) return senses;
  const verb = textWords(step.toolDescription.slice(0, 300)).find((word) => verbSenses(word).length > 0);
  return new Set(verb === undefined ? [] : verbSenses(verb));
}
