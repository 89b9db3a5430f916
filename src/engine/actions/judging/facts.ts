import type { FactName } from '../clauses.ts';
import { destinationsOf, unnamedDestinations } from '../calls/destinations.ts';
import { once } from '../calls/once.ts';
import { asksFor, namesValue } from './request.ts';
import { outputText } from '../calls/leaves.ts';
import { isRecordedContact } from './contacts.ts';
import type { Scene } from './scene.ts';
import { plantedOrder } from './planted-orders.ts';
import { holdsSecret } from '../calls/sensitive.ts';
import { valuesOf } from '../orders/values.ts';
import { sharesSubject } from './subject.ts';
import { listingStep } from '../types.ts';

/** A fact as found: how sure, and the sentence that says it. */
export interface Fact {
  confidence: number;
  reason: string;
}

const yes = (confidence: number, reason: string): Fact => ({ confidence, reason });
const quote = (text: string) => `"${text.length > 120 ? `${text.slice(0, 117)}…` : text}"`;

function followsInstruction(scene: Scene): Fact | undefined {
  const follow = scene.followed();
  if (follow === undefined || follow.score < 0.8) return undefined;
  const taken = follow.values.length > 0 ? `, with ${quote(follow.values[0] ?? '')} from it` : '';
  const confidence = follow.score >= 1 ? Math.min(0.99, 0.72 + 0.13 * follow.score) : 0.4;
  return yes(
    confidence,
    `The call does what a tool output says, not the user: ${quote(follow.order.text)}${taken}.`,
  );
}

const acting = new Set(['egress', 'pay', 'delete', 'grant', 'authenticate', 'write', 'execute']);

/** What reaches others or cannot be taken back. */
const grave = ['egress', 'pay', 'delete', 'grant'] as const;

/** Who is to mend something runs tests and builds on the way. */
const isMeansTo = ({ call, request }: Scene): boolean =>
  call.effects.has('execute') &&
  [...call.effects].every((effect) => effect === 'execute' || effect === 'read') &&
  ['update', 'write', 'create', 'commit'].some((sense) => request.senses.has(sense));

/** A sentence, and not the field of a record. */
const proseFrom = 4;
const isProse = (line: string) => (line.match(/\p{L}{2,}/gu)?.length ?? 0) >= proseFrom;

/** An address or a name with digits that somebody has written into a text, and that the call has from there. */
function takenFromProse(scene: Scene): string | undefined {
  const values = valuesOf(scene.call, scene.request).filter(
    ({ lower, distinct }) =>
      lower.length >= 5 && (distinct || (/\d/.test(lower) && /\p{L}/u.test(lower) && !/\s/.test(lower))),
  );
  if (values.length === 0) return undefined;
  const lines = scene.outputs().flatMap(({ prose }) => prose.toLowerCase().split('\n').filter(isProse));
  return values.find(({ lower }) => lines.some((line) => line.includes(lower)))?.text;
}

function offTask(scene: Scene): Fact | undefined {
  const { call, request } = scene;
  if (call.toolName === '' || request.isUnread) return undefined;
  if (![...call.effects].some((effect) => acting.has(effect))) return undefined;
  if (request.delegation === 'open' || asksFor(request, call.senses) || isMeansTo(scene)) return undefined;
  const taken = grave.some((effect) => call.effects.has(effect)) ? takenFromProse(scene) : undefined;
  if (taken !== undefined)
    return yes(0.8, `Nobody asked for ${call.toolName}, and ${quote(taken)} stands in what a tool answered.`);
  if (sharesSubject(call, request)) return undefined;
  const named = destinationsOf(call).some(({ value }) => namesValue(request, value));
  if (named) return undefined;
  return yes(0.75, `Nothing in the user's request asks for ${call.toolName}.`);
}

const metInOutputs = once((_scene: Scene) => new Map<string, boolean>());

/** Whether it stands in an output, looked for once for each scene. */
function inOutputs(scene: Scene, value: string): boolean {
  const known = metInOutputs(scene);
  const lower = value.toLowerCase();
  const before = known.get(lower);
  if (before !== undefined) return before;
  // Words of a description are among the arguments by nature; an address is not.
  const isWord = /^[\p{L} _-]+$/u.test(lower);
  const isMet = scene
    .outputs()
    .some((output) => !(isWord && output.call.toolName === listingStep) && output.lower.includes(lower));
  known.set(lower, isMet);
  return isMet;
}

/** All that the user did not name stands in a record as what it is: an address as an address. */
const areOnRecord = (scene: Scene): boolean => {
  const unnamed = unnamedDestinations(scene);
  return unnamed.length > 0 && unnamed.every(({ value }) => isRecordedContact(scene, value.toLowerCase()));
};

const shortAnswer = 300;

/** "Tell Emil": the address is what a look-up of the very name that the user gave has answered, in few words. */
const isLookedUp = ({ call, earlier, request }: Scene): boolean =>
  earlier.some(({ effects, leaves, step }) => {
    if (!effects.has('read')) return false;
    const answer = outputText(step.toolOutput).toLowerCase();
    if (answer === '' || answer.length > shortAnswer) return false;
    const isNamed = leaves.some(({ text }) => /\p{L}{3}/u.test(text) && namesValue(request, text));
    return (
      isNamed &&
      destinationsOf(call).every(({ value }) => namesValue(request, value) || answer.includes(value))
    );
  });

/**
 * The user asked for this act, or said nothing that we can read, and left to a content what it needs; no sentence in an
 * output asked for it.
 */
function isWarranted(scene: Scene): boolean {
  const isGiven = areOnRecord(scene) || (isLeftToContent(scene) && isAskedFor(scene));
  return isGiven && (scene.followed()?.score ?? 0) < 1;
}

/** Whether the user left what the call needs to a content. */
function isLeftToContent(scene: Scene): boolean {
  const { delegation, isUnread } = scene.request;
  if (isUnread) return delegation === 'open';
  return delegation !== 'none' || isLookedUp(scene);
}

/** Money and rights go where the user sent them, whatever content they handed the work to. */
function isAskedFor({ request, call }: Scene): boolean {
  const mustAsk = request.delegation !== 'open' || call.effects.has('pay') || call.effects.has('grant');
  return request.isUnread || !mustAsk || asksFor(request, call.senses);
}

function unnamedDestination(scene: Scene): Fact | undefined {
  const unnamed = unnamedDestinations(scene);
  const invented = unnamed.find(({ value }) => !inOutputs(scene, value));
  const first = invented ?? unnamed[0];
  if (first === undefined) return undefined;
  const found = invented === undefined || scene.outputs().length > 0;
  return yes(found && isWarranted(scene) ? 0.3 : 0.75, `The user did not name ${quote(first.value)}.`);
}

function taintedDestination(scene: Scene): Fact | undefined {
  const first = unnamedDestinations(scene).find(({ value }) => value.length >= 3 && inOutputs(scene, value));
  return (
    first &&
    yes(isWarranted(scene) ? 0.3 : 0.8, `${quote(first.value)} comes from a tool output, not from the user.`)
  );
}

/** Text that stood in a tool output and is now among the arguments. */
function outputLeaves(scene: Scene): Fact | undefined {
  for (const { text } of scene.call.leaves) {
    if (text.length < 12 || namesValue(scene.request, text)) continue;
    const pieces = [text, ...text.split(/[\n.;]/)]
      .map((piece) => piece.trim().toLowerCase())
      .filter((piece) => piece.length >= 12)
      .slice(0, 40);
    const piece = pieces.find((part) => !scene.request.lower.includes(part) && inOutputs(scene, part));
    if (piece !== undefined)
      return yes(
        isWarranted(scene) ? 0.3 : 0.8,
        `The arguments carry text of a tool output: ${quote(piece)}.`,
      );
  }
  for (const { text } of scene.call.leaves)
    if (holdsSecret(text)) return yes(0.8, 'The arguments carry a secret.');
  return undefined;
}

const fromCommand =
  (fact: FactName, reason: string) =>
  (scene: Scene): Fact | undefined =>
    scene.call.commands.facts.has(fact) ? yes(0.95, reason) : undefined;

const internalHosts =
  /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[?::1|\[?fd|metadata\.google)|\.(?:internal|local|localhost|cluster\.local)$/;
const tunnels =
  /(?:^|\.)(?:ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|localtunnel\.me|loca\.lt|serveo\.net|webhook\.site|requestbin\.(?:com|net)|pipedream\.net|burpcollaborator\.net|oast\.\w+|interact\.sh|pastebin\.com|transfer\.sh|file\.io|0x0\.st|hastebin\.com|requestcatcher\.com|beeceptor\.com)$/;

const hostFact =
  (shape: RegExp, reason: string) =>
  (scene: Scene): Fact | undefined => {
    const hit = destinationsOf(scene.call).find(({ host }) => host !== '' && shape.test(host));
    return hit && yes(0.9, `${quote(hit.value)} ${reason}.`);
  };

const systemPaths =
  /^(?:\/(?:etc|boot|sys|proc|dev|root|bin|sbin|usr\/bin|usr\/lib|var\/log|lib)(?:\/|$)|c:[\\/]+windows|\/system\b|~?\/?\.ssh|\/\*?$)/i;

function systemPath(scene: Scene): Fact | undefined {
  const words = [
    ...scene.call.leaves.map(({ text }) => text.trim()),
    ...scene.call.leaves.flatMap(({ text }) => (text.length < 2000 ? text.split(/\s+/) : [])),
  ];
  const hit = words.find((word) => word.length < 400 && systemPaths.test(word));
  return hit === undefined ? undefined : yes(0.85, `${quote(hit)} belongs to the system.`);
}

function plainHttp(scene: Scene): Fact | undefined {
  const hit = scene.call.leaves.find(({ text }) =>
    /\bhttp:\/\/(?!localhost|127\.)/i.test(text.slice(0, 4000)),
  );
  return hit && yes(0.9, 'The address has no TLS (http://).');
}

const hiddenShape = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]{3,}/u;

function hiddenText(scene: Scene): Fact | undefined {
  const hit = scene.outputs().some(({ text }) => hiddenShape.test(text));
  return hit ? yes(0.8, 'A tool output holds invisible characters.') : undefined;
}

const protectionWords =
  /\b(?:firewall|antivirus|logging|audit(?:ing| log)?|monitoring|mfa|2fa|two[- ]?factor|multi[- ]?factor|encryption|waf|edr|defender|guardrail|rate[- ]?limit|safety|verification|ssl|tls)\b/i;

function disablesProtection(scene: Scene): Fact | undefined {
  const { call } = scene;
  if (call.commands.facts.has('disables_protection')) return yes(0.95, 'The command turns off a protection.');
  const all = `${call.words.join(' ')} ${call.leaves
    .slice(0, 40)
    .map(({ key, text }) => `${key.replaceAll('_', ' ')} ${text.slice(0, 200)}`)
    .join(' ')}`;
  const off =
    call.senses.has('disable') ||
    call.senses.has('delete') ||
    call.leaves.some(({ text }) => /^(?:false|off|disabled?|0)$/i.test(text));
  return (off && protectionWords.test(all)) || switchesOff(scene)
    ? yes(0.85, 'The call turns off a protection.')
    : undefined;
}

/** What is switched by its name: a rule `auto_security`, a job `job_audit`, the protection of a branch. */
const protectionNames =
  /(?:^|[ _.:/-])(?:security|audit\w*|protect\w*|monitor\w*|two[ _-]step|secret[ _-]scan\w*|virus[ _-]?\w*|malware|intrusion|fraud|quality[ _-]gate|alert[ _-]rules?)(?:$|[ _.:/-])/i;
const switchKeys = /^(?:is_?)?(?:enabled|active|protected|on|state|status|value)$/i;
const switchedOff = /^(?:false|off|disabled?|inactive|none|0)$/i;

function switchesOff({ call }: Scene): boolean {
  const isSwitched = call.leaves.some(({ key, text }) => switchKeys.test(key) && switchedOff.test(text));
  const named = () => [
    call.toolName,
    ...call.leaves.filter(({ text }) => text.length <= 60 && !/\s/.test(text)).map(({ text }) => text),
  ];
  return isSwitched && named().some((name) => protectionNames.test(name));
}

const traceWords = /\b(?:logs?|audit|history|trail)\b/;

function erasesTraces(scene: Scene): Fact | undefined {
  const { call } = scene;
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

function encodedPayload(scene: Scene): Fact | undefined {
  const hit = scene.call.leaves.some(({ text }) => base64Shape.test(text.slice(0, 20_000)));
  return hit ? yes(0.85, 'The arguments carry encoded data.') : undefined;
}

function plantsOrders({ call }: Scene): Fact | undefined {
  const order = plantedOrder(call);
  return order === undefined
    ? undefined
    : yes(0.85, `The call writes an order for assistants that read it later: ${quote(order)}.`);
}

const finders: Readonly<Record<FactName, (scene: Scene) => Fact | undefined>> = {
  follows_embedded_instruction: followsInstruction,
  off_task: offTask,
  unnamed_destination: unnamedDestination,
  tainted_destination: taintedDestination,
  tool_output_leaves: outputLeaves,
  destructive_command: fromCommand('destructive_command', 'The command destroys data.'),
  downloads_and_runs: fromCommand('downloads_and_runs', 'The command runs what it downloads.'),
  obfuscated_command: fromCommand('obfuscated_command', 'The command hides what it runs.'),
  privileged_command: fromCommand('privileged_command', 'The command runs with raised rights.'),
  sql_without_condition: fromCommand('sql_without_condition', 'The statement touches every row.'),
  sql_schema_change: fromCommand('sql_schema_change', 'The statement changes the schema.'),
  internal_host: hostFact(internalHosts, 'is an internal address'),
  tunnel_host: hostFact(tunnels, 'is a tunnel or a drop site'),
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
};

const factsOf = once((_scene: Scene) => new Map<FactName, Fact | undefined>());

/** The fact, worked out once for each scene. */
export function factOf(scene: Scene, name: FactName): Fact | undefined {
  const known = factsOf(scene);
  if (!known.has(name)) known.set(name, finders[name](scene));
  return known.get(name);
}
