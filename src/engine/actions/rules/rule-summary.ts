import { root } from '../words.ts';
import type { Condition, FactName, RuleClause } from '../clauses.ts';
import { placeName } from './grammar/places.ts';
import { mayBeNamedOtherwise } from '../judging/like-acts.ts';
import type { ThingPhrase } from '../things.ts';

/** What each signal is called; goes on from "the call …". */
export const factTexts: Readonly<Record<FactName, string>> = {
  follows_embedded_instruction: 'does what a sentence in a tool output tells it to do',
  off_task: "has nothing to do with the user's request",
  unnamed_destination: 'goes to a recipient, account or address that the user did not name',
  tainted_destination: 'goes to a recipient, account or address that stands only in a tool output',
  tool_output_leaves: 'carries text of a tool output',
  destructive_command: 'runs a destructive command',
  wipes_disk: 'wipes, formats or partitions a disk',
  destroys_service: 'destroys what runs in a cluster or a cloud',
  downloads_and_runs: 'runs what it downloads',
  obfuscated_command: 'runs a command in disguise',
  privileged_command: 'runs with raised rights',
  sql_without_condition: 'touches every row of a table',
  sql_schema_change: 'changes the schema of a database',
  internal_host: 'reaches an internal address',
  plain_http: 'uses an address without TLS',
  tunnel_host: 'reaches a tunnel or a drop site',
  system_path: 'touches files of the system',
  hidden_text: 'follows outputs with invisible characters',
  disables_protection: 'turns off a protection',
  reverse_shell: 'opens a shell to the outside or waits for connections',
  scans_or_mines: 'runs a scanner or a miner',
  skips_checks: 'skips a check by a flag',
  erases_traces: 'erases logs or a history',
  injected_sql: 'has the marks of an SQL injection',
  stacked_statements: 'runs several statements at once',
  encoded_payload: 'carries encoded data',
  threatens: 'says something that threatens or harasses',
  plants_orders: 'writes orders for the assistants that read it later',
  may_be_led: 'may come of what the agent has read',
  tells_the_party: 'tells those whom the request concerns how it went',
};

const list = (words: readonly string[]) => words.join(' or ');
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const quoted = (words: readonly string[]) => list(words.map((word) => `"${word}"`));

/** The words of a rule; places that stand for many by their name. */
const thingText = ({ words, hard }: ThingPhrase): string =>
  placeName(words) ?? `"${[...hard, ...words].join(' ')}"`;
const things = (phrases: readonly ThingPhrase[]) => [...new Set(phrases.map(thingText))].join(' or ');

/** "More than 500" and "500 or more": a bound that counts itself is kept as one that lies a little beside it. */
function boundText(value: number, side: 'over' | 'under'): string {
  const plain = Number(value.toPrecision(6));
  if (Math.abs(plain - value) < 1e-12) return side === 'over' ? `more than ${plain}` : `less than ${plain}`;
  return side === 'over' ? `${plain} or more` : `${plain} or less`;
}

/** "one-way", "one_way", "one way": one is enough to be read. */
const oneSpelling = (said: readonly string[]): readonly string[] =>
  new Set(said.map((text) => text.replaceAll(/[-_ ]/g, ''))).size === 1 ? said.slice(0, 1) : said;

const boundsText = (over: number | undefined, under: number | undefined): string =>
  [over === undefined ? '' : boundText(over, 'over'), under === undefined ? '' : boundText(under, 'under')]
    .filter(Boolean)
    .join(' and ');

type Texts = { [Test in Condition['test']]: (condition: Extract<Condition, { test: Test }>) => string };

const weekTime = (minute: number) => `${days[Math.floor(minute / 1440) % 7] ?? ''} ${clock(minute % 1440)}`;

function timeText({
  days: on,
  fromMinute,
  toMinute,
  outside,
  week,
}: Extract<Condition, { test: 'time' }>): string {
  if (week !== undefined)
    return `happens ${outside ? 'outside of ' : ''}between ${weekTime(week[0])} and ${weekTime(week[1])}`;
  const when = on.length > 0 ? `on ${list(on.map((day) => days[day] ?? ''))} ` : '';
  return `happens ${outside ? 'outside of ' : ''}${when}${clock(fromMinute)}–${clock(toMinute)}`;
}

function destinationText({ where, domains }: Extract<Condition, { test: 'destination' }>): string {
  if (where === 'outside') return 'goes outside of the own domains';
  return `${where === 'in' ? 'goes to' : 'goes elsewhere than'} ${list(domains)}`;
}

const by = (people: readonly string[]) => (people.length > 0 ? ` by ${list(people)}` : '');

const texts: Texts = {
  verb: ({ senses, said = [] }) => {
    const known = new Set(said.map(root));
    const others = senses.filter((sense) => !known.has(root(sense)));
    if (said.length === 0) return `does ${quoted(others)}`;
    return `does ${quoted(said)}${others.length > 0 ? ` (tools may call it ${list(others)})` : ''}`;
  },
  number: ({ of, over, under, relative }) =>
    relative === true
      ? `changes a value by ${boundsText(over, under)} percent`
      : `names ${boundsText(over, under)} as its ${of[0] ?? 'number'}`,
  differs: ({ slot, phrases }) =>
    slot.includes('recipient')
      ? `goes to somebody other than ${things(phrases)}`
      : `names ${slot.length > 0 ? `another ${slot.join(' ')}` : 'something else'} than ${things(phrases)}`,
  exceeds: ({ of }) => `has an amount above the "${of.join(' ')}" that a tool told`,
  lacks: ({ words }) => `concerns what has no "${words.join(' ')}", as a tool told`,
  again: ({ states }) =>
    `does the same to the same thing again${states.length > 0 ? `, or a tool said that it is ${list(states)}` : ''}`,
  state: ({ states }) => `concerns what is ${list(states)}, as far as the trace tells`,
  own: () => 'concerns what an earlier step of the agent made',
  listed: ({ words }) => `names what an earlier step found among ${words.join(' ') || 'those allowed'}`,
  acts: () => 'does more than look something up',
  mentioned: ({ words }) => `comes where the trace speaks of "${words.join(' ')}"`,
  told: () => 'was shown or told to the user before',
  effect: ({ effects }) => `has the effect: ${list(effects)}`,
  about: ({ phrases }) => `concerns ${things(phrases)}`,
  data: ({ classes }) => `carries or names ${list(classes.map((name) => name.replaceAll('_', ' ')))} data`,
  fact: ({ facts }) => list(facts.map((fact) => factTexts[fact])),
  approved: (one) => `was ${one.explicit ? 'confirmed' : 'approved'}${by(one.by)} in the trace`,
  literal: ({ texts: said }) => `has ${quoted(oneSpelling(said))} in its arguments`,
  user_asked: () => 'was asked for by the user',
  user_said: ({ words }) => `follows a turn of the user that speaks of ${quoted(words)}`,
  earlier: ({ senses, phrases, said, done }) => {
    const step = [
      senses.length > 0 ? `did ${quoted(senses)}` : '',
      phrases.length > 0 ? `was about ${things(phrases)}` : '',
    ];
    const ended = done === true ? ' and came to its end' : '';
    const spoken = said === true ? ', or after the agent said so' : '';
    return `comes after a step that ${step.filter(Boolean).join(' and ')}${ended}${spoken}`;
  },
  argument: ({ words }) => `has an argument for "${words.join(' ')}"`,
  amount: ({ over, inclusive, total }) =>
    `has ${total ? 'amounts that sum up to' : 'an amount of'} ${inclusive ? 'at least' : 'more than'} ${over}`,
  amount_under: ({ under }) => `has an amount of at most ${under}`,
  count: ({ over, of }) => `concerns more than ${over} ${list(of)}`,
  repeat: ({ over, per = [] }) =>
    `is done more than ${over === 1 ? 'once' : `${over} times`}${per.length > 0 ? ` for the same ${list(per)}` : ''} in the session`,
  destination: destinationText,
  path: ({ where, prefixes }) =>
    `touches a path ${where === 'under' ? 'below' : 'outside of'} ${list(prefixes)}`,
  extension: ({ extensions }) => `touches ${list(extensions)} files`,
  tool: ({ names, where }) => `${where === 'in' ? 'is' : 'is another tool than'} ${list(names)}`,
  time: timeText,
  any: ({ of }) => of.map((all) => all.map(conditionText).join(' and ')).join(', or '),
};

/** A test in plain words; goes on from "the call …". */
const conditionText = (condition: Condition): string =>
  (texts[condition.test] as (one: Condition) => string)(condition);

/** Plain lines of what a clause forbids. */
export function clauseSummary({ when, unless, need, confidence }: RuleClause): string[] {
  const text = (condition: Condition) =>
    condition.test === 'verb' && mayBeNamedOtherwise(when)
      ? `${conditionText(condition)} or what comes to the same`
      : conditionText(condition);
  const lines = [`Broken when the call ${when.map(text).join(', and ')}.`];
  if (need.length > 0) lines.push(`Allowed only when it ${need.map(conditionText).join(', and ')}.`);
  for (const exception of unless)
    lines.push(`Not broken when it ${exception.map(conditionText).join(', and ')}.`);
  if (confidence < 0.6)
    lines.push('A part of the sentence cannot be seen in a trace: this rule warns and does not block.');
  return lines;
}
