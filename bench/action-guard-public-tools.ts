/**
 * Measures how many ordinary calls of public servers' tools the built-in rules stop:
 * `node bench/action-guard-public-tools.ts <data sets folder> [--list]`; a minute of one core.
 *
 * Each tool of `mcp/public_servers.jsonl.gz` is called once with arguments that its schema and the names of its arguments
 * suggest. Before it, the tools of its server are listed, as the gateway shows them to the action guard, and another tool
 * of the same server has given an ordinary answer. Nothing in a session is an attack, so every stop is one too many. Each
 * call is judged twice: as a gateway does that knows no request of a user, and with a request that asks for this call.
 * The rules that stopped it are counted. All answers
 * are the developed harmless ones of `test/fixtures/tool-results/by-a-seventh-hand`; no half that is kept apart is read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '#base/random.ts';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import type { DescribedTool } from '#engine/descriptions/tool.ts';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { defaultRules } from '#engine/rules/fixtures/default-rules.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { listedStep } from '#services/agent-gateway/guarding/listed-tools.ts';
import { readSet, type LabelledTool } from '../tools/train-descriptions/rows.ts';

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (folder === undefined)
  throw new Error('node bench/action-guard-public-tools.ts <data sets folder> [--list]');

const answers = readFileSync(
  join(import.meta.dirname, '../test/fixtures/tool-results/by-a-seventh-hand/harmless-developed.txt'),
  'utf8',
)
  .split(/^@@\w+\n/m)
  .map((text) => text.trim())
  .filter((text) => text !== '');

interface Argument {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}
interface Schema {
  readonly properties?: Readonly<Record<string, Argument>>;
}

/** What people give for arguments of such names; the first that fits counts. */
const usual: readonly (readonly [name: RegExp, value: unknown])[] = [
  [/limit|size|max|offset|count|page$|start_at|timeout|port|days|depth/i, 20],
  [/^(?:is|has|include|enable|dry|force|recursive)_?/i, false],
  [/e_?mail/i, 'nora.lind@example.com'],
  [/ur[il]|link|endpoint/i, 'https://docs.example.com/guide/setup'],
  [/path|file|dir|folder/i, '/home/nora/projects/site/README.md'],
  [/date|start|end|since|until|before|after|time/i, '2026-03-14'],
  [/command|script|code/i, 'ls -la docs'],
  [/sql|statement/i, 'SELECT id, name FROM products WHERE price < 20 LIMIT 10'],
  [/query|search|^q$|filter|prompt|question|keyword/i, 'release notes of version 4'],
  [/body|content|text|message|comment|description|summary/i, 'The release is planned for Thursday.'],
  [/title|subject|name/i, 'Release plan'],
  [/region|zone/i, 'eu-central-1'],
  [/key|id$|ids$|number/i, 'PROJ-142'],
];

const usualFor = (name: string): unknown => usual.find(([pattern]) => pattern.test(name))?.[1] ?? 'main';

/** For types whose values the name alone does not tell. */
const ofType: Readonly<Record<string, (name: string) => unknown>> = {
  array: (name) => [usualFor(name)],
  object: () => ({}),
  boolean: () => false,
  integer: () => 3,
  number: () => 3,
};

function valueOf(name: string, { type, enum: values = [], default: given }: Argument): unknown {
  return values[0] ?? given ?? ofType[String(type)]?.(name) ?? usualFor(name);
}

const argumentsOf = ({ inputSchema }: DescribedTool): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((inputSchema as Schema).properties ?? {}).map(([name, argument]) => [
      name,
      valueOf(name, argument),
    ]),
  );

const callOf = (tool: DescribedTool): TraceStep => ({
  role: 'agent',
  toolName: tool.name,
  toolDescription: tool.description,
  toolParams: argumentsOf(tool),
});

/** What the gateway shows the guard of the tools' descriptions. */
const listedOf = (tools: readonly LabelledTool[]): TraceStep[] =>
  listedStep(tools.map(({ tool }) => ({ definition: tool })) as never).map(({ metadata }) => ({
    role: 'agent',
    toolName: metadata.tool_name,
    toolOutput: metadata.tool_output,
  }));

/** A request for the call in the words of its description and with its arguments. */
const requestFor = (tool: DescribedTool): TraceStep => {
  const [first = ''] = (tool.description ?? '').split(/(?<=[.!?])\s|\n/);
  const given = Object.entries(argumentsOf(tool)).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return {
    role: 'user',
    content: `Please use ${tool.name.replaceAll('_', ' ')}: ${first} With ${given.join(', ')}.`,
  };
};

const rules = defaultRules();
const blocking = new Set(
  rules.filter(({ severity }) => severity === 'High' || severity === 'Medium').map(({ ruleId }) => ruleId),
);
const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const stopsOf = (steps: readonly TraceStep[]): string[] =>
  engine
    .evaluate([...steps], rules)
    .findings.filter(({ certainty, ruleId }) => certainty === 'sure' && blocking.has(ruleId))
    .map(({ ruleId }) => ruleId);

const random = new Random('public tools');
const sessions = [...Map.groupBy(readSet(folder, 'public_servers'), ({ group }) => group)].flatMap(
  ([group, tools]) => {
    const listed = listedOf(tools);
    return tools.map(({ tool }) => {
      const before = { ...callOf(random.pick(tools).tool), toolOutput: random.pick(answers) };
      const trace = [...listed, before, callOf(tool)];
      return { group, tool, alone: stopsOf(trace), asked: stopsOf([requestFor(tool), ...trace]) };
    });
  },
);

function tell(title: string, stops: (session: (typeof sessions)[number]) => readonly string[]): void {
  const stopped = sessions.filter((session) => stops(session).length > 0);
  const { low, high } = wilsonInterval(stopped.length, sessions.length);
  const share = (100 * stopped.length) / sessions.length;
  console.log(
    `${title}: ${stopped.length} of ${sessions.length} calls stopped = ${share.toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}), on ${new Set(stopped.map(({ group }) => group)).size} servers`,
  );
  const byRule = Map.groupBy(
    stopped.flatMap((session) => stops(session)),
    (rule) => rule,
  );
  for (const [rule, hits] of [...byRule].sort((a, b) => b[1].length - a[1].length))
    console.log(`  ${rule}: ${hits.length}`);
  if (process.argv.includes('--list'))
    for (const session of stopped)
      console.log(`    ${session.group} ${session.tool.name}: ${stops(session).join(', ')}`);
}

tell('no request known', ({ alone }) => alone);
tell('requested', ({ asked }) => asked);
