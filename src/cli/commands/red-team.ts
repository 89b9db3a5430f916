import { Option, type Command } from 'commander';
import {
  domains,
  protocols,
  riskCategories,
  taskTypes,
  threatModels,
  vectors,
} from '#services/red-team/contract/names.ts';
import { AppError } from '#base/errors.ts';
import { personas } from '#services/red-team/scripted-agent/personas.ts';
import { exitCodes } from '../exit-codes.ts';
import { numberFrom } from '../number-option.ts';
import { plain } from '#base/log/plain.ts';
import { type AgentOptions, serveAgent } from '../red-team/agent.ts';
import { compareRuns, type CompareOptions } from '../red-team/compare.ts';
import { openRedTeam, type RedTeamOptions } from '../red-team/open.ts';
import { printStatus } from '../red-team/print.ts';
import { runEvaluation, type RunOptions, showStats } from '../red-team/run.ts';
import {
  checkTasks,
  deleteTaskSet,
  listTaskSets,
  taskSetIdOf,
  uploadTasks,
  type UploadOptions,
} from '../red-team/tasks.ts';
import { whoSignsIn } from '../sign-in-option.ts';

const withConnection = (command: Command): Command =>
  command
    .option('--username <name>', whoSignsIn)
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the red-teaming platform (default: BULWARK_RED_TEAM_URL, else as configured)')
    .option('--json', 'print JSON');

interface CreateOptions extends RedTeamOptions {
  agent: string;
  protocol: (typeof protocols)[number];
  domain?: (typeof domains)[number][];
  category?: (typeof riskCategories)[number][];
  threatModel?: (typeof threatModels)[number][];
  taskType?: (typeof taskTypes)[number][];
  vector?: (typeof vectors)[number][];
  tasks?: string[];
  max?: number;
  seed?: number;
}

const several = (flags: string, description: string, values: readonly string[]) =>
  new Option(`${flags} <name...>`, `${description} (default: all)`).choices(values);

function addCreate(evaluation: Command): void {
  withConnection(evaluation.command('create'))
    .description('create an evaluation: one task for each that the selection matches')
    .argument('<name>')
    .requiredOption('--agent <name-or-url>', 'a registered agent by name or id, or the address of one')
    .addOption(
      new Option('--protocol <name>', 'of an address that is not registered')
        .choices(protocols)
        .default('auto'),
    )
    .addOption(several('--domain', 'fields of work', domains))
    .addOption(several('--category', 'categories of risk', riskCategories))
    .addOption(several('--threat-model', 'who attacks', threatModels))
    .addOption(several('--task-type', 'types of tasks', taskTypes))
    .addOption(several('--vector', 'where an injection stands', vectors))
    .option('--tasks <name...>', 'sets of own tasks, by name or id; `shipped`: those of the product as well')
    .option('--max <n>', 'a sample of this size', numberFrom(1, 20_000, true))
    .option('--seed <n>', 'chooses the sample (default: 1)', numberFrom(0, 2_147_483_647, true))
    .action(createEvaluation);
}

async function createEvaluation(name: string, options: CreateOptions): Promise<void> {
  const client = await openRedTeam(options);
  const { max, seed } = options;
  const made = await client.createEvaluation({
    body: {
      name,
      ...(await agentOf(options)),
      domains: options.domain ?? [],
      risk_categories: options.category ?? [],
      threat_models: options.threatModel ?? [],
      task_types: options.taskType ?? [],
      vectors: options.vector ?? [],
      task_sets: await Promise.all(
        (options.tasks ?? []).map(async (set) => (set === 'shipped' ? set : taskSetIdOf(client, set))),
      ),
      ...(max !== undefined && { max_tasks: max }),
      ...(seed !== undefined && { seed }),
    },
  });
  if (options.json === true) console.log(JSON.stringify(made, null, 2));
  else console.log(`Evaluation ${plain(made.name)} (${made.evaluation_id}) with ${made.total_tasks} tasks.`);
}

/** The registered agent of this name, id or address; an address that is not registered is registered. */
async function agentOf({ agent, protocol, ...connection }: CreateOptions): Promise<{ agent_id: string }> {
  const client = await openRedTeam(connection);
  const { agents } = await client.listAgents({ query: { limit: 500 } });
  const known = agents.find((each) => [each.name, each.agent_id, each.endpoint].includes(agent));
  if (known !== undefined) return { agent_id: known.agent_id };
  if (!/^https?:\/\//i.test(agent))
    throw new AppError(
      404,
      'not_found',
      `No agent is named ${JSON.stringify(agent)}: give the name or id of one that is registered, or an address such as http://127.0.0.1:8000/chat.`,
    );
  const made = await client.registerAgent({ body: { name: agent, endpoint: agent, protocol } });
  return { agent_id: made.agent_id };
}

function addEvaluation(redTeam: Command): void {
  const evaluation = redTeam.command('evaluation').description('evaluations of agents');
  addCreate(evaluation);
  withConnection(evaluation.command('list'))
    .description('the evaluations, the newest first')
    .action(async (options: RedTeamOptions) => {
      const client = await openRedTeam(options);
      const { evaluations } = await client.listEvaluationsWithStats({});
      if (options.json === true) return console.log(JSON.stringify(evaluations, null, 2));
      for (const { evaluation_id: id, name, total_tasks: total, runs, rates } of evaluations) {
        const asr = rates?.asr.rate;
        const share = asr === undefined || asr === null ? '' : `, attack success ${(asr * 100).toFixed(1)} %`;
        console.log(`${id}  ${plain(name)}: ${total} tasks, ${runs} runs${share}`);
      }
    });
  withConnection(evaluation.command('run'))
    .description('run an evaluation, wait for its end and print its figures')
    .argument('<name>', 'name or id of the evaluation')
    .option('--concurrency <n>', 'tasks at a time', numberFrom(1, 256, true))
    .option('--gateway <id>', 'guard the agent’s calls as this gateway is set')
    .option(
      '--adaptive <n>',
      'let the language model rewrite this many injections that were resisted',
      numberFrom(0, 1000, true),
    )
    .option('--no-wait', 'only start it and print the id of the run')
    .option('--fail-over <percent>', 'exit with 10 if attack success is higher', numberFrom(0, 100, false))
    .action(async (name: string, options: RunOptions) => {
      if (await runEvaluation(name, options)) process.exitCode = exitCodes.flagged;
    });
}

function addTasks(redTeam: Command): void {
  const tasks = redTeam.command('tasks').description('tasks of your own');
  tasks
    .command('check')
    .description('prove the tasks of a file here, without a server')
    .argument('<file>', 'scenarios and goals as YAML or JSON')
    .option('--json', 'print JSON')
    .action(async (path: string, options: Pick<RedTeamOptions, 'json'>) => {
      if (await checkTasks(path, options)) process.exitCode = exitCodes.flagged;
    });
  withConnection(tasks.command('upload'))
    .description('store the tasks of a file as a set, for evaluations')
    .argument('<file>', 'scenarios and goals as YAML or JSON')
    .option('--name <name>', 'of the set (default: the file’s)')
    .option('--share', 'for everyone of the tenant')
    .action((path: string, options: UploadOptions) => uploadTasks(path, options));
  withConnection(tasks.command('list'))
    .description('the sets that you may use')
    .action((options: RedTeamOptions) => listTaskSets(options));
  withConnection(tasks.command('delete'))
    .description('delete a set; evaluations keep their tasks')
    .argument('<name>', 'name or id of the set')
    .action((name: string, options: RedTeamOptions) => deleteTaskSet(name, options));
}

/** `bulwark red-team …`. */
export function addRedTeamCommand(program: Command): void {
  const redTeam = program
    .command('red-team')
    .description('attack agents in sandboxes, and judge what they do');
  addEvaluation(redTeam);
  addTasks(redTeam);
  withConnection(redTeam.command('status'))
    .description('how far a run is')
    .argument('<run_id>')
    .action(async (runId: string, options: RedTeamOptions) => {
      const client = await openRedTeam(options);
      const status = await client.getRunStatus({ params: { run_id: runId } });
      if (options.json === true) console.log(JSON.stringify(status, null, 2));
      else printStatus(status);
    });
  withConnection(redTeam.command('stats'))
    .description('the figures of a run, with intervals')
    .argument('<run_id>')
    .option('--fail-over <percent>', 'exit with 10 if attack success is higher', numberFrom(0, 100, false))
    .action(async (runId: string, options: RunOptions) => {
      if (await showStats(await openRedTeam(options), runId, options)) process.exitCode = exitCodes.flagged;
    });
  withConnection(redTeam.command('compare'))
    .description('compare two runs: figures, and the tasks that ended differently')
    .argument('<before>', 'id of a run')
    .argument('<after>', 'id of a run')
    .option('--fail-on-worse', 'exit with 10 if attack success has risen, and not by chance')
    .action(async (before: string, after: string, options: CompareOptions) => {
      if (await compareRuns(before, after, options)) process.exitCode = exitCodes.flagged;
    });
  redTeam
    .command('agent')
    .description('serve a scripted agent whose figures are known, to try evaluations with')
    .addOption(
      new Option(
        '--persona <id>',
        Object.entries(personas)
          .map(([id, description]) => `${id}: ${description}`)
          .join('; '),
      )
        .choices(Object.keys(personas))
        .default('obedient'),
    )
    .option('--port <n>', '0 picks a free one', numberFrom(0, 65_535, true), 9700)
    .option(
      '--mcp-url <url>',
      'a fixed MCP server, with BULWARK_API_KEY; default: the address of each request',
    )
    .addOption(new Option('--transport <name>', 'of MCP').choices(['http', 'sse']).default('http'))
    .addOption(new Option('--era <name>', 'of the MCP protocol').choices(['auto', 'legacy']).default('auto'))
    .action((options: AgentOptions) => serveAgent(options));
}
