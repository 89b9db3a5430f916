/**
 * Whether a rule could be broken by what of a call was not read. It follows from the form: each predicate is told by some
 * part of a call, and is open where something of that part was not read and nothing that was read decides it. An amount that is no number that can be read is open too.
 */
import { isContent } from '../../actions/calls/content.ts';
import { isDestinationKey } from '../../actions/calls/destinations.ts';
import { holdsRecipients } from '../../actions/calls/recipients.ts';
import type { Unread } from '../../actions/calls/reach.ts';
import { effectsOf } from '../../actions/verbs.ts';
import { leftBySearchForThreats, notSearchedForThreats } from '../../actions/judging/threats.ts';
import type { FactName } from '../../actions/clauses.ts';
import { leavesAt } from '../comparing/field-path.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { type Expression, predicatesOf, type RuleForm } from '../rule-form.ts';
import type { JudgedCall } from './judged-call.ts';
import { matchExpression } from './match-form.ts';
import { lacksNumbers, unreadNumbers } from './unread-numbers.ts';

/**
 * By what of a call a predicate is told. `name`: by its tool, its user, its time or its trace, which are always read;
 * `act`: by its tool, and by the commands and statements among its arguments; `value`: by the values of arguments;
 * `words`: by what stands in them, in long texts too.
 */
type Part = 'name' | 'act' | 'value' | 'words';

const partOf: Readonly<Record<Predicate['is'], Part>> = {
  action: 'act',
  amount: 'value',
  answer: 'name',
  answer_text: 'name',
  approval: 'name',
  argument: 'value',
  changes: 'act',
  count: 'value',
  data: 'words',
  dates: 'value',
  destination: 'value',
  done_again: 'value',
  earlier_call: 'name',
  earlier_step: 'name',
  effect: 'act',
  field: 'value',
  file_kind: 'value',
  looked_up: 'name',
  mentioned: 'words',
  more_than_named: 'value',
  named_argument: 'value',
  nothing_of: 'value',
  other_than: 'value',
  own_work: 'value',
  path: 'value',
  quantity: 'value',
  records: 'value',
  repeat: 'value',
  resource: 'value',
  role: 'name',
  signal: 'words',
  spoken_tool: 'name',
  state: 'value',
  sum: 'value',
  text: 'words',
  time: 'name',
  told: 'name',
  tool: 'name',
  total: 'value',
  user_asked: 'name',
  user: 'name',
  user_said: 'name',
  within_text: 'words',
};

/** What running text may show; the other facts are told by commands, by places that a call reaches, or by the trace. */
const factsOfWords: ReadonlySet<FactName> = new Set<FactName>([
  'tool_output_leaves',
  'encoded_payload',
  'plants_orders',
  'threatens',
  'plain_http',
]);
const factsOfCommands: ReadonlySet<FactName> = new Set<FactName>([
  'destructive_command',
  'wipes_disk',
  'destroys_service',
  'downloads_and_runs',
  'obfuscated_command',
  'privileged_command',
  'sql_without_condition',
  'sql_schema_change',
  'stacked_statements',
  'injected_sql',
  'disables_protection',
  'reverse_shell',
  'scans_or_mines',
  'skips_checks',
  'erases_traces',
  'internal_host',
  'tunnel_host',
  'system_path',
]);

/** Whether the unread text stands where the predicate looks. */
function isAt({ path }: Unread, one: Predicate): boolean {
  const place = [{ path, key: path, text: '', number: undefined }];
  const paths =
    one.is === 'argument' || one.is === 'within_text'
      ? [one.path]
      : one.is === 'field'
        ? one.names
        : one.is === 'total' || one.is === 'sum'
          ? (one.of ?? [])
          : [];
  return paths.some((each) => leavesAt(place, each).length > 0);
}

/** Of a text that is too long to be a name, a path or a number, a list of recipients and what programs are told are left. */
function isLongValue({ path }: Unread, one: Predicate): boolean {
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (one.is === 'destination' || one.is === 'count') return isDestinationKey(key) || holdsRecipients(key);
  return one.is === 'path' && one.effect === undefined && !isContent(key);
}

function signalOpens({ what }: Unread, signals: readonly FactName[]): boolean {
  return signals.some(
    (name) =>
      (what !== 'command' && factsOfWords.has(name)) || (what !== 'text' && factsOfCommands.has(name)),
  );
}

/** Programs are feared for what they delete, write and run; that anything may be sent by them says little. */
const effectsOfCode: ReadonlySet<string> = new Set(['delete', 'write', 'execute']);

function codeOpens(one: Predicate): boolean {
  if (one.is === 'action')
    return (one.acts ?? []).flatMap((act) => effectsOf(act)).some((effect) => effectsOfCode.has(effect));
  if (one.is === 'effect') return one.effects.some((effect) => effectsOfCode.has(effect));
  return ['path', 'resource', 'records', 'file_kind'].includes(one.is);
}

/** Whether what was not read may decide the predicate. */
function opens(unread: Unread, one: Predicate, runs: boolean): boolean {
  const part = partOf[one.is];
  if (part === 'name') return false;
  if (unread.what === 'folder') return one.is === 'path';
  if (unread.what === 'code') return codeOpens(one);
  if (one.is === 'signal') return signalOpens(unread, one.signals);
  if (unread.what === 'command') return true;
  // Values that name what is done are few, and stand among the first; commands are not told by their place.
  if (unread.what === 'values') return part !== 'act' || runs;
  if (isAt(unread, one) || isLongValue(unread, one)) return true;
  return part === 'words' && one.is !== 'within_text';
}

/** Threats are looked for in so much of a call, and others of its texts may hold one. */
const unsearched = (at: JudgedCall, one: Predicate): readonly Unread[] =>
  one.is === 'signal' && one.signals.includes('threatens') ? notSearchedForThreats(at.context) : [];

/** What is met less surely may be met surely by what was not read. */
const sureFrom = 0.6;

class Opening {
  readonly #at: JudgedCall;
  readonly #unread: readonly Unread[];
  readonly #runs: boolean;
  /** What the verdict hangs on. */
  readonly open = new Map<string, Unread>();

  constructor(at: JudgedCall) {
    this.#at = at;
    const { call } = at.context;
    this.#unread = call.unread;
    this.#runs = call.effects.size === 0 || call.effects.has('execute');
  }

  #isOpen(one: Predicate): boolean {
    const found = [
      ...this.#unread.filter((each) => opens(each, one, this.#runs)),
      ...unreadNumbers(this.#at.context.call, one),
      ...unsearched(this.#at, one),
    ];
    for (const each of found) this.open.set(`${each.what} ${each.path}`, each);
    return found.length > 0;
  }

  /** Whether it would hold if every open part did. */
  mayHold(one: Expression): boolean {
    if ('is' in one) {
      const found = matchExpression(this.#at, one);
      return (found?.confidence ?? 0) >= sureFrom || this.#isOpen(one) || found !== undefined;
    }
    if ('all' in one) return one.all.every((each) => this.mayHold(each));
    if ('any' in one) return one.any.some((each) => this.mayHold(each));
    // What holds by what was read still does by all of it.
    return matchExpression(this.#at, one) !== undefined;
  }

  /** A demand that is met by what was read may not be by the rest. */
  mayFail(one: Expression): boolean {
    return (
      matchExpression(this.#at, one) === undefined || predicatesOf(one).some((each) => this.#isOpen(each))
    );
  }
}

/** What was not read of the call and may break the rule; empty where nothing of the kind can. */
export function unreadFor(at: JudgedCall, form: RuleForm): readonly Unread[] {
  const { when, unless, requires } = form;
  const { call } = at.context;
  // A rule whose other parts do not hold has not had threats looked for, and need not.
  const isSearched = leftBySearchForThreats(at.context).length === 0;
  if (call.unread.length === 0 && isSearched && !lacksNumbers(call, form)) return [];
  const opening = new Opening(at);
  if (!opening.mayHold(when)) return [];
  if (unless !== undefined && matchExpression(at, unless) !== undefined) return [];
  return requires === undefined || opening.mayFail(requires) ? [...opening.open.values()] : [];
}
