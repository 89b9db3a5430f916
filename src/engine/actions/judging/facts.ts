import { isInternalHost } from '../calls/internal-hosts.ts';
import type { FactName } from '../clauses.ts';
import { destinationsOf, unnamedDestinations } from '../calls/destinations.ts';
import { inOtherForm } from '../calls/addresses.ts';
import { isContent } from '../calls/content.ts';
import { once } from '../calls/once.ts';
import { asksFor, namesValue } from './request.ts';
import { type Call, isPureRead } from '../calls/call.ts';
import { type Leaf, outputText } from '../calls/leaves.ts';
import { isRecordedContact, isRecordedId } from './contacts.ts';
import type { Output } from './earlier-steps.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Fact, quote, unsure, yes } from './fact.ts';
import { isForbidden } from './forbidden.ts';
import { mayBeGrouped } from '../instructions/values.ts';
import { isFollowed, mayBeLed } from './influence.ts';
import { offTask } from './off-task.ts';
import { outputsFrom } from './outputs-with.ts';
import { tellsParty } from './parties.ts';
import { namesRole } from '../calls/party-roles.ts';
import { plantedOrder } from './planted-orders.ts';
import { threatens } from './threats.ts';
import { holdsSecret } from '../calls/sensitive.ts';
import { isRedirected } from './loud-passages.ts';
import { listingStep } from '../types.ts';

function followsInstruction(context: EvaluationContext): Fact | undefined {
  const follow = context.followed();
  if (follow === undefined || follow.score < 0.8) return undefined;
  const taken = follow.values.length > 0 ? `, with ${quote(follow.values[0] ?? '')} from it` : '';
  const isSure = follow.score >= 1 && isFollowed(context, follow);
  const confidence = isSure ? Math.min(0.99, 0.72 + 0.13 * follow.score) : unsure;
  return yes(
    confidence,
    `The call does what a tool output says, not the user: ${quote(follow.order.text)}${taken}.`,
  );
}

const metInOutputs = once((_context: EvaluationContext) => new Map<string, boolean>());

/** "LT12 1000 0111" in a text, in one piece in the call. */
const grouped = (lower: string) =>
  new RegExp(
    lower
      .replaceAll(/[^a-z0-9]/g, '')
      .split('')
      .join('[ .-]?'),
  );

/** Whether it stands in an output, looked for once for each context. */
function inOutputs(context: EvaluationContext, value: string): boolean {
  const known = metInOutputs(context);
  const lower = value.toLowerCase();
  const before = known.get(lower);
  if (before !== undefined) return before;
  // Words of a description are among the arguments by nature; an address is not.
  const isWord = /^[\p{L} _-]+$/u.test(lower);
  const shape = mayBeGrouped(lower) ? grouped(lower) : undefined;
  const isSought = ({ call }: Output) => !(isWord && call.toolName === listingStep);
  const stands = (form: string) =>
    outputsFrom(context, form).some((output) => isSought(output) && output.lower.includes(form));
  const other = inOtherForm(lower);
  const isMet =
    stands(lower) ||
    (other !== undefined && stands(other)) ||
    (shape !== undefined && context.outputs().some((output) => isSought(output) && shape.test(output.lower)));
  known.set(lower, isMet);
  return isMet;
}

/** All that the user did not name stands in a record as what it is: an address as an address. */
const areOnRecord = (context: EvaluationContext): boolean => {
  const unnamed = unnamedDestinations(context);
  return (
    unnamed.length > 0 &&
    unnamed.every(({ value, host }) => {
      const lower = value.toLowerCase();
      return (
        namesRole(value) ||
        isRecordedContact(context, lower) ||
        (host === '' && !context.call.effects.has('pay') && isRecordedId(context, lower))
      );
    })
  );
};

const shortAnswer = 300;

/** "Tell Emil": the address is what a look-up of the very name that the user gave has answered, in few words. */
const isLookedUp = ({ call, earlier, request }: EvaluationContext): boolean =>
  earlier.some((one) => {
    const { step } = one;
    const answer = outputText(step.toolOutput).toLowerCase();
    if (answer === '' || answer.length > shortAnswer || !one.effects.has('read')) return false;
    const isNamed = one.leaves.some(({ text }) => /\p{L}{3}/u.test(text) && namesValue(request, text));
    return (
      isNamed &&
      destinationsOf(call).every(({ value }) => namesValue(request, value) || answer.includes(value))
    );
  });

/**
 * The user asked for this act, or said nothing that we can read, and left to a content what it needs; no sentence in an
 * output asked for it.
 */
function isWarranted(context: EvaluationContext): boolean {
  const isGiven = areOnRecord(context) || (isLeftToContent(context) && isAskedFor(context));
  return isGiven && !isRedirected(context) && (context.followed()?.score ?? 0) < 1;
}

/** Whether the user left what the call needs to a content. */
function isLeftToContent(context: EvaluationContext): boolean {
  const { delegation, isUnread } = context.request;
  if (isUnread) return delegation === 'open';
  return delegation !== 'none' || isLookedUp(context);
}

/** Money and rights go where the user sent them, whatever content they handed the work to. */
function isAskedFor(context: EvaluationContext): boolean {
  const { request, call } = context;
  if (isForbidden(context)) return false;
  const mustAsk = request.delegation !== 'open' || call.effects.has('pay') || call.effects.has('grant');
  return request.isUnread || !mustAsk || asksFor(request, call.senses);
}

function unnamedDestination(context: EvaluationContext): Fact | undefined {
  const unnamed = unnamedDestinations(context);
  const invented = unnamed.find(({ value }) => !inOutputs(context, value));
  const first = invented ?? unnamed[0];
  if (first === undefined) return undefined;
  const found = invented === undefined || context.outputs().length > 0;
  return yes(found && isWarranted(context) ? 0.3 : 0.75, `The user did not name ${quote(first.value)}.`);
}

function taintedDestination(context: EvaluationContext): Fact | undefined {
  const first = unnamedDestinations(context).find(
    ({ value }) => value.length >= 3 && inOutputs(context, value),
  );
  return (
    first &&
    yes(
      isWarranted(context) ? 0.3 : 0.8,
      `${quote(first.value)} comes from a tool output, not from the user.`,
    )
  );
}

/** Text that stood in a tool output and is now among the arguments. */
function outputLeaves(context: EvaluationContext): Fact | undefined {
  for (const { text } of context.call.leaves) {
    if (text.length < 12 || namesValue(context.request, text)) continue;
    const pieces = [text, ...text.split(/[\n.;]/)]
      .map((piece) => piece.trim().toLowerCase())
      .filter((piece) => piece.length >= 12)
      .slice(0, 40);
    const piece = pieces.find((part) => !context.request.lower.includes(part) && inOutputs(context, part));
    if (piece !== undefined)
      return yes(
        isWarranted(context) ? 0.3 : 0.8,
        `The arguments carry text of a tool output: ${quote(piece)}.`,
      );
  }
  for (const { text } of context.call.leaves)
    if (holdsSecret(text)) return yes(0.8, 'The arguments carry a secret.');
  return undefined;
}

const fromCommand =
  (fact: FactName, reason: string) =>
  (context: EvaluationContext): Fact | undefined =>
    context.call.commands.facts.has(fact) ? yes(0.95, reason) : undefined;

const tunnels =
  /(?:^|\.)(?:ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|localtunnel\.me|loca\.lt|serveo\.net|webhook\.site|requestbin\.(?:com|net)|pipedream\.net|burpcollaborator\.net|oast\.\w+|interact\.sh|pastebin\.com|transfer\.sh|file\.io|0x0\.st|hastebin\.com|requestcatcher\.com|beeceptor\.com)$/;

const hostFact =
  (is: (host: string) => boolean, reason: string) =>
  (context: EvaluationContext): Fact | undefined => {
    const hit = destinationsOf(context.call).find(({ host }) => host !== '' && is(host));
    return hit && yes(0.9, `${quote(hit.value)} ${reason}.`);
  };

const systemPaths =
  /^(?:\/(?:etc|boot|sys|proc|dev|root|bin|sbin|usr\/bin|usr\/lib|var\/log|lib)(?:\/|$)|c:[\\/]+windows|\/system\b|~?\/?\.ssh|\/\*?$)/i;

function systemPath(context: EvaluationContext): Fact | undefined {
  const words = [
    ...context.call.leaves.map(({ text }) => text.trim()),
    ...context.call.leaves.flatMap(({ key, text }) =>
      text.length < 2000 || !isContent(key) ? text.split(/\s+/) : [],
    ),
  ];
  const hit = words.find((word) => word.length < 400 && systemPaths.test(word));
  return hit === undefined ? undefined : yes(0.85, `${quote(hit)} belongs to the system.`);
}

function plainHttp(context: EvaluationContext): Fact | undefined {
  const hit = context.call.leaves.find(({ text }) => /\bhttp:\/\/(?!localhost|127\.)/i.test(text));
  return hit && yes(0.9, 'The address has no TLS (http://).');
}

const hiddenShape = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]{3,}/u;

function hiddenText(context: EvaluationContext): Fact | undefined {
  const hit = context.outputs().some(({ text }) => hiddenShape.test(text));
  return hit ? yes(0.8, 'A tool output holds invisible characters.') : undefined;
}

const protectionWords =
  /\b(?:firewall|antivirus|logging|audit(?:ing| log)?|monitoring|mfa|2fa|two[- ]?factor|multi[- ]?factor|encryption|waf|edr|defender|guardrail|rate[- ]?limit|safety|verification|ssl|tls)\b/i;

function disablesProtection(context: EvaluationContext): Fact | undefined {
  const { call } = context;
  if (call.commands.facts.has('disables_protection')) return yes(0.95, 'The command turns off a protection.');
  const all = `${call.words.join(' ')} ${call.leaves
    .map(({ key, text }) => `${key.replaceAll('_', ' ')} ${text.slice(0, 200)}`)
    .join(' ')}`;
  const off =
    call.senses.has('disable') ||
    call.senses.has('delete') ||
    call.leaves.some((leaf) => turnsOff(call, leaf));
  return (off && protectionWords.test(all)) || switchesOff(context)
    ? yes(0.85, 'The call turns off a protection.')
    : undefined;
}

/** What is switched by its name: a rule `auto_security`, a job `job_audit`, the protection of a branch. */
const protectionNames =
  /(?:^|[ _.:/-])(?:security|audit\w*|protect\w*|monitor\w*|two[ _-]step|secret[ _-]scan\w*|virus[ _-]?\w*|malware|intrusion|fraud|quality[ _-]gate|alert[ _-]rules?)(?:$|[ _.:/-])/i;
/** How a call is made, and what of an answer is wanted: nothing is switched by it. */
const optionKeys = /^(?:dry|recursive|force|wait|verbose|raw|store|only|paginate|case)(?:_|$)|_only$/i;
/** `include_audit_logs: false` of an export; of what is set up or changed it says how it is to be. */
const viewKeys = /^(?:include|exclude|show|return)(?:_|$)/i;
const setting = ['create', 'update', 'write', 'enable', 'disable'] as const;

/**
 * Whether the argument turns off what the call is about. `enabled: false` picks what is looked up, and leaves alone what
 * is made new; an argument that is itself the protection (`verify_tls: false`) turns it off in every call.
 */
function turnsOff(call: Call, { key, text }: Leaf): boolean {
  if (!/^(?:false|off|disabled?|0)$/i.test(text)) return false;
  if (viewKeys.test(key) && !setting.some((sense) => call.senses.has(sense))) return false;
  if (protectionWords.test(key.replaceAll('_', ' '))) return true;
  if (isPureRead(call) || optionKeys.test(key)) return false;
  return !(call.senses.has('create') && /^(?:is_?)?(?:enabled|active)$/i.test(key));
}

const switchKeys = /^(?:is_?)?(?:enabled|active|protected|on|state|status|value)$/i;
const switchedOff = /^(?:false|off|disabled?|inactive|none|0)$/i;

function switchesOff({ call }: EvaluationContext): boolean {
  const isSwitched =
    !isPureRead(call) && call.leaves.some(({ key, text }) => switchKeys.test(key) && switchedOff.test(text));
  const named = () => [
    call.toolName,
    ...call.leaves.filter(({ text }) => text.length <= 60 && !/\s/.test(text)).map(({ text }) => text),
  ];
  return isSwitched && named().some((name) => protectionNames.test(name));
}

const traceWords = /\b(?:logs?|audit|history|trail)\b/;

function erasesTraces(context: EvaluationContext): Fact | undefined {
  const { call } = context;
  if (call.commands.facts.has('erases_traces')) return yes(0.95, 'The command erases logs or a history.');
  const named = traceWords.test(
    `${call.words.join(' ')} ${call.leaves.map(({ text }) => text.slice(0, 100).toLowerCase().replaceAll('_', ' ')).join(' ')}`,
  );
  return named && call.senses.has('delete') && !call.senses.has('commit')
    ? yes(0.85, 'The call erases logs or a history.')
    : undefined;
}

const base64Shape =
  /(?:^|[\s"'=:,])(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])[A-Za-z0-9+/]{32,}={0,2}(?=$|[\s"'&,;])/;

function encodedPayload(context: EvaluationContext): Fact | undefined {
  const hit = context.call.leaves.some(({ text }) => base64Shape.test(text));
  return hit ? yes(0.85, 'The arguments carry encoded data.') : undefined;
}

function mayBeLedTo(context: EvaluationContext): Fact {
  const reason = mayBeLed(context);
  return reason === undefined ? yes(unsure, 'Nothing that was read before asks for it.') : yes(0.9, reason);
}

function plantsOrders({ call }: EvaluationContext): Fact | undefined {
  const order = plantedOrder(call);
  return order === undefined
    ? undefined
    : yes(0.85, `The call writes an order for assistants that read it later: ${quote(order)}.`);
}

const finders: Readonly<Record<FactName, (context: EvaluationContext) => Fact | undefined>> = {
  follows_embedded_instruction: followsInstruction,
  off_task: offTask,
  unnamed_destination: unnamedDestination,
  tainted_destination: taintedDestination,
  tool_output_leaves: outputLeaves,
  destructive_command: fromCommand('destructive_command', 'The command destroys data.'),
  wipes_disk: fromCommand('wipes_disk', 'The command wipes, formats or partitions a disk.'),
  destroys_service: fromCommand(
    'destroys_service',
    'The command destroys what runs in a cluster or a cloud.',
  ),
  downloads_and_runs: fromCommand('downloads_and_runs', 'The command runs what it downloads.'),
  obfuscated_command: fromCommand('obfuscated_command', 'The command hides what it runs.'),
  privileged_command: fromCommand('privileged_command', 'The command runs with raised rights.'),
  sql_without_condition: fromCommand('sql_without_condition', 'The statement touches every row.'),
  sql_schema_change: fromCommand('sql_schema_change', 'The statement changes the schema.'),
  internal_host: hostFact(isInternalHost, 'is an internal address'),
  tunnel_host: hostFact((host) => tunnels.test(host), 'is a tunnel or a drop site'),
  plain_http: plainHttp,
  system_path: systemPath,
  hidden_text: hiddenText,
  disables_protection: disablesProtection,
  reverse_shell: fromCommand('reverse_shell', 'The command opens a shell to the outside.'),
  scans_or_mines: fromCommand('scans_or_mines', 'The command scans or mines.'),
  skips_checks: fromCommand('skips_checks', 'A flag skips a check.'),
  erases_traces: erasesTraces,
  injected_sql: fromCommand('injected_sql', 'The statement has the marks of an injection.'),
  stacked_statements: fromCommand('stacked_statements', 'There are several statements in one call.'),
  encoded_payload: encodedPayload,
  plants_orders: plantsOrders,
  threatens,
  may_be_led: mayBeLedTo,
  tells_the_party: (context) =>
    tellsParty(context) ? yes(0.9, 'It tells those whom the request concerns how it went.') : undefined,
};

const factsOf = once((_context: EvaluationContext) => new Map<FactName, Fact | undefined>());

/** The fact, worked out once for each context. */
export function factOf(context: EvaluationContext, name: FactName): Fact | undefined {
  const known = factsOf(context);
  if (!known.has(name)) known.set(name, finders[name](context));
  return known.get(name);
}
