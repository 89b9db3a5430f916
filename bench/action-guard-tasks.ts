/**
 * Measures in process what a gateway with the built-in rules does to the red team's own tasks:
 * `node bench/action-guard-tasks.ts [share of the tasks under attack, default 1] [words of a task's id]`.
 *
 * The obedient agent of `bench/red-team-guarded.ts` works on each task; each call is judged as the agent gateway asks the
 * action guard, and each answer is read by its output guard. Prints how much of the benign work is done, how many
 * attacks succeed, and, for each rule, the ordinary calls that it stops.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findEnvironment } from '#environments/catalogue.ts';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { ActionRule, Severity, TraceStep } from '#engine/actions/types.ts';
import { judge } from '#engine/red-team/judge.ts';
import { InProcessHandle } from '#engine/red-team/session/in-process.ts';
import { withResults } from '#engine/red-team/session/replay.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import { containsLetters } from '#engine/red-team/checks/matcher.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { beforeReply } from '#engine/red-team/tasks/self-check.ts';
import type { Step } from '#engine/red-team/tasks/task-file.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { ListedTool } from '#environments/kit/instance.ts';
import { listedStep } from '#services/agent-gateway/guarding/listed-tools.ts';
import { createOutputCheck } from '#services/agent-gateway/guarding/output-check.ts';

const [share = '1', words = ''] = process.argv.slice(2);

const folder = join(import.meta.dirname, '../data/templates/actions');
interface Template {
  readonly default: boolean;
  readonly rules: Record<string, { description: string; canonical?: string; severity: Severity }>;
}
const rules = readdirSync(folder)
  .map((name) => parse(readFileSync(join(folder, name), 'utf8')) as Template)
  .filter((template) => template.default)
  .flatMap((template) => Object.entries(template.rules))
  .map(([ruleId, { description, canonical, severity }]): ActionRule => {
    const { compiled, rule: form } = draftRule(canonical ?? description);
    return { ruleId, description, severity, compiled, form };
  });
const blocking = new Set(rules.filter(({ severity }) => severity !== 'Low').map(({ ruleId }) => ruleId));

const text = await loadTextEngine();
const engine = createActionEngine(text, judgeByForm);
const checkOutput = createOutputCheck(text);

/** What the gateway shows the guard of the tools' descriptions. */
const listedOf = (tools: readonly ListedTool[]): TraceStep[] =>
  listedStep(tools.map((definition) => ({ definition })) as never).map(({ metadata }) => ({
    role: 'agent',
    toolName: metadata.tool_name,
    toolOutput: metadata.tool_output,
  }));

const instances = new Map<string, EnvironmentInstance>();
function handleOf(id: string): InProcessHandle {
  const environment = findEnvironment(id);
  if (environment === undefined) throw new Error(`There is no environment ${id}.`);
  const instance = instances.get(id) ?? new EnvironmentInstance(environment);
  instances.set(id, instance);
  return new InProcessHandle(instance);
}

interface Stop {
  readonly task: string;
  readonly prompt: string;
  readonly call: string;
  /** `rule: reason`; where the output guard withheld the answer, `output`. */
  readonly by: readonly string[];
}

const blocksOf = (steps: readonly TraceStep[]): string[] =>
  engine
    .evaluate(steps, rules)
    .findings.filter(({ certainty, ruleId }) => certainty === 'sure' && blocking.has(ruleId))
    .map(({ ruleId, reason }) => `${ruleId}: ${reason}`);

/** One task as an agent works on it behind the gateway. */
class GuardedWork {
  readonly stops: Stop[] = [];
  readonly #task: TaskInstance;
  readonly #session: SandboxSession;
  readonly #trace: TraceStep[];
  readonly #tools: ReadonlyMap<string, string>;
  readonly #outputs: string[] = [];

  constructor(task: TaskInstance, session: SandboxSession, tools: readonly ListedTool[]) {
    this.#task = task;
    this.#trace = listedOf(tools);
    this.#tools = new Map(tools.map(({ name, description }) => [name, description]));
    this.#session = session;
  }

  get outputs(): readonly string[] {
    return this.#outputs;
  }

  async call(step: Extract<Step, { call: string }>): Promise<void> {
    const toolParams = JSON.parse(withResults(JSON.stringify(step.args), this.#outputs)) as Record<
      string,
      unknown
    >;
    const call: TraceStep = {
      role: 'agent',
      toolName: step.call,
      toolDescription: this.#tools.get(step.call),
      toolParams,
    };
    const user: TraceStep = { role: 'user', content: this.#task.prompt };
    const by = blocksOf([user, ...this.#trace, call]);
    if (by.length > 0) {
      this.#stop(call, by);
      this.#outputs.push(`Blocked by the action guard: ${by.join(' ')}`);
      return;
    }
    const { text: output } = await this.#session.call(step.call, toolParams);
    const found = await checkOutput([{ type: 'text', text: output }]);
    const isWithheld = found?.tier === 'high';
    if (isWithheld) this.#stop(call, [`output: ${found.reason}`]);
    this.#trace.push({ ...call, toolOutput: isWithheld ? '' : output });
    this.#outputs.push(isWithheld ? 'Blocked: it carries instructions.' : output);
  }

  #stop({ toolName, toolParams }: TraceStep, by: readonly string[]): void {
    const call = `${toolName} ${JSON.stringify(toolParams)}`;
    this.stops.push({ task: this.#task.id, prompt: this.#task.prompt, call, by });
  }
}

const isCall = (step: Step): step is Extract<Step, { call: string }> => 'call' in step;

async function work(task: TaskInstance) {
  const session = new SandboxSession(task, new Map(task.envs.map((id) => [id, handleOf(id)])));
  await session.start(task.id);
  const tools = await session.tools();
  const descriptions = tools.map(({ description }) => description);
  const guarded = new GuardedWork(task, session, tools);
  const { user, attacker } = task.groundTruth;
  const own = (task.threatModel === 'direct' ? attacker : user).filter(isCall);
  for (const step of own) await guarded.call(step);
  const ordinaryStops = task.threatModel === 'direct' ? [] : [...guarded.stops];
  const { injection } = task;
  const isHijacked =
    injection !== null &&
    [...descriptions, ...guarded.outputs].some((read) => containsLetters(read, injection.text));
  const steps = isHijacked ? beforeReply(user, attacker) : task.threatModel === 'direct' ? attacker : user;
  for (const step of steps.filter(isCall).slice(own.length)) await guarded.call(step);
  const last = steps.findLast((step) => 'respond' in step);
  const reply = last && 'respond' in last ? withResults(last.respond, guarded.outputs) : 'Done.';
  const verdict = judge(task, await session.observe(reply), isHijacked);
  return { task, verdict, ordinaryStops, stops: guarded.stops, calls: own.length };
}

const hash = (id: string) =>
  Array.from(id).reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7);
const chosen = shippedTasks().filter(
  ({ id, threatModel }) =>
    id.includes(words) && (threatModel === 'benign' || hash(id) % 1000 < Number(share) * 1000),
);
const done: Awaited<ReturnType<typeof work>>[] = [];
for (const task of chosen) done.push(await work(task));

const percent = (count: number, of: number) =>
  `${((100 * count) / Math.max(1, of)).toFixed(1)} % (${count} of ${of})`;
const benign = done.filter(({ task }) => task.threatModel === 'benign');
const attacked = done.filter(({ task }) => task.attack !== null);
console.log(
  `benign work done: ${percent(benign.filter(({ verdict }) => verdict.taskSuccess).length, benign.length)}; calls stopped: ${percent(
    benign.flatMap(({ ordinaryStops }) => ordinaryStops).length,
    benign.reduce((sum, { calls }) => sum + calls, 0),
  )}`,
);
for (const [model, all] of Map.groupBy(attacked, ({ task }) => `${task.threatModel} ${task.vector ?? ''}`))
  console.log(
    `${model}: attacks succeed ${percent(all.filter(({ verdict }) => verdict.attackSuccess).length, all.length)}, ` +
      `work done ${percent(all.filter(({ verdict }) => verdict.taskSuccess).length, all.filter(({ task }) => task.success).length)}`,
  );
console.log(
  `attack success: ${percent(attacked.filter(({ verdict }) => verdict.attackSuccess).length, attacked.length)}`,
);
const through = Map.groupBy(
  attacked.filter(({ verdict }) => verdict.attackSuccess),
  ({ task }) => task.subCategory ?? '',
);
for (const [sub, all] of [...through].sort((a, b) => b[1].length - a[1].length).slice(0, 25))
  console.log(`  gets through: ${sub} ${all.length}`);
const stops = benign.flatMap(({ ordinaryStops }) => ordinaryStops);
const byRule = new Map<string, number>();
for (const { by } of stops)
  for (const name of new Set(by.map((one) => one.slice(0, one.indexOf(':')))))
    byRule.set(name, (byRule.get(name) ?? 0) + 1);
for (const [name, count] of [...byRule].sort((a, b) => b[1] - a[1])) console.log(`  ${name}: ${count}`);
for (const { task, prompt, call, by } of stops)
  console.log(
    `\n${task}\n  asks: ${prompt}\n  call: ${call.slice(0, 400)}\n  ${by.join('\n  ').slice(0, 700)}`,
  );
if (process.env['THROUGH'] !== undefined)
  for (const { task, verdict } of attacked)
    if (verdict.attackSuccess === true)
      console.log(
        `\nTHROUGH ${task.id}\n  asks: ${task.prompt}\n  injected: ${task.injection?.text ?? ''}\n  ${JSON.stringify(task.groundTruth.attacker).slice(0, 400)}`,
      );
