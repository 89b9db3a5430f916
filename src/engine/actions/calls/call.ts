import type { Effect } from '../clauses.ts';
import { entitiesOf } from './entities.ts';
import { type Leaf, readArguments, type ReadValues } from './leaves.ts';
import type { Unread } from './reach.ts';
import { type CommandReading, readCommands } from './commands.ts';
import { addCompounds, reads, sensesOfName } from './name-acts.ts';
import { keptOn } from './kept-on.ts';
import type { Keeper } from './once.ts';
import type { TraceStep } from '../types.ts';
import { effectsOf, verbSenses } from '../verbs.ts';
import { nameWords, root, textWords } from '../words.ts';

/** An agent step as the rules see it. */
export interface Call extends Keeper {
  readonly step: TraceStep;
  /** Empty for a plain reply. */
  readonly toolName: string;
  readonly words: readonly string[];
  readonly senses: ReadonlySet<string>;
  readonly effects: ReadonlySet<Effect>;
  readonly leaves: readonly Leaf[];
  readonly commands: CommandReading;
  /** What of its arguments was not read. */
  readonly unread: readonly Unread[];
}

/** It looks something up and does nothing else. */
export const isPureRead = ({ effects }: Pick<Call, 'effects'>): boolean =>
  effects.size === 1 && effects.has('read');

const secretNouns = new Set(['password', 'otp', 'mfa', 'credential', 'credentials', 'passcode'].map(root));

const setters = ['update', 'write', 'create'];
const stateKeys =
  /(?:^|_)(?:state|status|power|enabled|disabled|active|locked|switch|value|decision|action|visibility)$/;

/** "Set the state to off" turns off: acts that a tool for all of them names in an argument. */
const stateActs: Readonly<Record<string, string>> = {
  off: 'disable',
  disabled: 'disable',
  inactive: 'disable',
  suspended: 'disable',
  locked: 'disable',
  on: 'enable',
  enabled: 'enable',
  active: 'enable',
  unlocked: 'enable',
  open: 'enable',
  closed: 'close',
  resolved: 'close',
  cancelled: 'cancel',
  canceled: 'cancel',
  rejected: 'cancel',
  declined: 'cancel',
  approved: 'approve',
  accepted: 'approve',
  deleted: 'delete',
  published: 'share',
  public: 'share',
  paid: 'pay',
  refunded: 'refund',
};

const answerKeys = /^(?:response|response_status|rsvp|answer|decision|verdict|outcome|reply)$/;
const answerActs: Readonly<Record<string, string>> = {
  accept: 'approve',
  accepted: 'approve',
  approve: 'approve',
  approved: 'approve',
  yes: 'approve',
  confirm: 'approve',
  decline: 'cancel',
  declined: 'cancel',
  reject: 'cancel',
  rejected: 'cancel',
  deny: 'cancel',
  no: 'cancel',
};

function addState(senses: Set<string>, name: string, text: string): void {
  const answer = answerKeys.test(name) ? answerActs[text.trim().toLowerCase()] : undefined;
  if (answer !== undefined) senses.add(answer);
  if (!setters.some((sense) => senses.has(sense))) return;
  const state = text.trim().toLowerCase();
  const act = stateKeys.test(name) || state === 'off' || state === 'on' ? stateActs[state] : undefined;
  if (act !== undefined) senses.add(act);
}

function addFromArguments(senses: Set<string>, leaves: readonly Leaf[]): void {
  for (const { key, text } of leaves) {
    const name = key.toLowerCase();
    if (text.length > 40) continue;
    if (name === 'method' && /^(?:get|head|options)$/i.test(text)) senses.add('read');
    if (name === 'method' && /^(post|put|patch|delete)$/i.test(text))
      senses.add(/delete/i.test(text) ? 'delete' : 'send');
    addState(senses, name, text);
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

const guestKeys = /^(?:attendees?|participants?|guests?|invitees?)(?:_[a-z]+)?$/i;

interface Acts {
  readonly senses: ReadonlySet<string>;
  readonly effects: ReadonlySet<Effect>;
}

/**
 * What was read of a step, filled in when asked for. A class: what a literal makes for each step of a trace, V8 soon makes
 * among the old objects, where it keeps all that it names from being collected with the young ones.
 */
class Reading {
  kept: Keeper['kept'] | undefined = undefined;
  words: readonly string[] | undefined = undefined;
  values: ReadValues | undefined = undefined;
  commands: CommandReading | undefined = undefined;
  acts: Acts | undefined = undefined;
  readonly #toolName: TraceStep['toolName'];
  readonly #toolDescription: TraceStep['toolDescription'];
  readonly #toolEffects: TraceStep['toolEffects'];

  constructor({ toolName, toolDescription, toolEffects }: TraceStep) {
    this.#toolName = toolName;
    this.#toolDescription = toolDescription;
    this.#toolEffects = toolEffects;
  }

  /** Whether a step with the same arguments is the same call. */
  isOf({ toolName, toolDescription, toolEffects }: TraceStep): boolean {
    return (
      this.#toolName === toolName &&
      this.#toolDescription === toolDescription &&
      this.#toolEffects === toolEffects
    );
  }
}

const replyActs: Acts = { senses: new Set(['reply']), effects: new Set() };

/** What a step says is worked out when first asked for: of most steps of a trace only the answer matters. */
class ReadCall implements Call {
  readonly step: TraceStep;
  readonly toolName: string;
  #known: Reading | undefined;

  constructor(step: TraceStep) {
    this.step = step;
    this.toolName = step.toolName ?? '';
  }

  get #reading(): Reading {
    return (this.#known ??= readingOf(this.step));
  }
  get kept(): Map<unknown, unknown> {
    return (this.#reading.kept ??= new Map());
  }
  get words(): readonly string[] {
    return (this.#reading.words ??= nameWords(this.toolName));
  }
  get leaves(): readonly Leaf[] {
    return this.#values.leaves;
  }
  get unread(): readonly Unread[] {
    const { unread } = this.commands;
    const others = this.#values.unread;
    if (unread.length === 0) return others;
    return [...unread, ...others.filter(({ path }) => !unread.some((one) => one.path === path))];
  }
  get #values(): ReadValues {
    return (this.#reading.values ??= readArguments(this.step.toolParams));
  }
  get commands(): CommandReading {
    return (this.#reading.commands ??= readCommands(this.leaves, this.words, this.#values.unread));
  }
  get senses(): ReadonlySet<string> {
    return this.#acts.senses;
  }
  get effects(): ReadonlySet<Effect> {
    return this.#acts.effects;
  }
  get #acts(): Acts {
    return (this.#reading.acts ??= this.toolName === '' ? replyActs : actsOf(this.step, this));
  }
}

const readings = keptOn<TraceStep, Reading>();

/** By their arguments: the step that was judged comes again with its answer, as another object. */
const readingsOfArguments = keptOn<object, Reading>();

/** Reads one agent step: what it does, with which values. Cheap when the same step object comes again. */
export const readCall = (step: TraceStep): Call => new ReadCall(step);

function readingOf(step: TraceStep): Reading {
  const reading = readings.get(step) ?? readingByArguments(step);
  readings.set(step, reading);
  return reading;
}

/** What the arguments say does not change when the tool has answered. */
function readingByArguments(step: TraceStep): Reading {
  const { toolParams } = step;
  if (typeof toolParams !== 'object' || toolParams === null) return new Reading(step);
  const known = readingsOfArguments.get(toolParams);
  if (known?.isOf(step) === true) return known;
  const reading = new Reading(step);
  readingsOfArguments.set(toolParams, reading);
  return reading;
}

/** What the name of a tool says by itself. */
interface ToolName {
  readonly words: readonly string[];
  readonly senses: ReadonlySet<string>;
  /** The same, with what several words mean together. */
  readonly compounds: ReadonlySet<string>;
}

const toolNames = new Map<string, ToolName>();
const [mostNames, longestName] = [1000, 128];

/** Remembered: the calls of a trace, and of all others, are of few tools. */
function readName(toolName: string): ToolName {
  const known = toolNames.get(toolName);
  if (known !== undefined) return known;
  const name = ownName(toolName);
  const words = nameWords(name);
  const senses = sensesOfName(wordsOfAct(name) ?? words);
  const compounds = new Set(senses);
  addCompounds(compounds, words);
  const read = { words, senses, compounds };
  if (toolName.length > longestName) return read;
  if (toolNames.size >= mostNames) toolNames.clear();
  toolNames.set(toolName, read);
  return read;
}

/** `issue_tracker__get_issue`: where a gateway puts the name of a server before that of the tool, it says what it is about. */
const ownName = (toolName: string) => toolName.split('__').at(-1) ?? '';

/** `OrderService.getOrder`: where the last part says an act of its own, what stands before is where it belongs. */
function wordsOfAct(name: string): readonly string[] | undefined {
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':'));
  const words = at < 0 ? [] : nameWords(name.slice(at + 1));
  return plainActs.has(words[0] ?? '') ? words : undefined;
}

/** `tour_booking {q: "glacier"}`: a name without a verb, and nothing but what is looked for. */
const isSought = (words: readonly string[], leaves: readonly Leaf[]): boolean =>
  leaves.some(({ key }) => /^(?:q|search|search_term|keywords?)$/i.test(key)) &&
  leaves.every(({ key }) =>
    /^(?:q|search|search_term|keywords?|filter|limit|page|offset|sort|lang)$/i.test(key),
  ) &&
  words.every((word) => verbSenses(word).length === 0 || /(?:ing|ment|[st]ion)$/.test(word));

const plainActs = new Set(
  'get list read find search fetch add remove delete update set lookup show view'.split(' '),
);

function actsOf(step: TraceStep, { leaves, commands }: Pick<Call, 'leaves' | 'commands'>) {
  const name = readName(step.toolName ?? '');
  const { words } = name;
  const senses = sensesOfStep(step, name, leaves);
  if (asksForMoney(words, leaves)) senses.delete('pay');
  if (commands.senses.size === 0) addFromArguments(senses, leaves);
  for (const sense of commands.senses) senses.add(sense);
  const effects = effectsFor(step, senses, words);
  if (onlyReads(commands) && effects.delete('execute')) effects.add('read');
  // An event with guests is an invitation as well; that is no effect of its own.
  const isEvent = senses.has('create') || senses.has('schedule');
  if (isEvent && leaves.some(({ key }) => guestKeys.test(key))) senses.add('invite');
  return { senses, effects };
}

const asking = /^(?:create|send|make|issue|new|request)$/;

/** `create_payment_request`: money is asked for; with an account to pay it to it is a request to pay it out. */
const asksForMoney = (words: readonly string[], leaves: readonly Leaf[]): boolean =>
  words.includes('request') &&
  words.every((word) => asking.test(word) || /^(?:money|payments?)$/.test(word)) &&
  !leaves.some(({ key, text }) => /iban|account|routing|sort_?code|wallet/i.test(key) || isAccount(text));

const isAccount = (text: string) =>
  text.length < 80 && entitiesOf(text).some(({ kind }) => kind === 'account' || kind === 'card');

/** From the name; where that says nothing, from the first verb of the description. */
function sensesOfStep(
  { toolDescription }: TraceStep,
  { words, senses: named, compounds }: ToolName,
  leaves: readonly Leaf[],
): Set<string> {
  const isSearch = isSought(words, leaves);
  if (!isSearch && (named.size > 0 || toolDescription === undefined)) return new Set(compounds);
  const senses = new Set(isSearch ? ['read'] : describedSenses(toolDescription ?? ''));
  addCompounds(senses, words);
  return senses;
}

function describedSenses(description: string): readonly string[] {
  const verb = textWords(description.slice(0, 300)).find((word) => verbSenses(word).length > 0);
  return verb === undefined ? [] : verbSenses(verb);
}
