import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { createClient, type Client } from '#base/contract/client.ts';
import type { Received } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import { policyGroupOperations } from '#services/policy-guard/contract/groups.ts';
import { optimizationOperations } from '#services/policy-guard/contract/optimization.ts';
import { baseUrlOf, signIn, type SignInOptions } from '../connection.ts';
import { readExamples } from '../lab/examples.ts';

interface RunOptions extends SignInOptions {
  tier: 'fast' | 'high' | 'max';
  objective: 'f1' | 'recall_at_fpr';
  split: string;
  everyday: boolean;
  apply?: boolean;
  json?: boolean;
}

type Job = Received<(typeof optimizationOperations)['getOptimizationJob']>;

const askEveryMs = 300;

const shareOf = ({ done, total }: Job['progress']) => Math.round((100 * done) / (total ?? Infinity));

/** Waits for the job, and shows on a terminal how far it is. */
async function awaited(client: Client<typeof optimizationOperations>, jobId: string): Promise<Job> {
  for (;;) {
    const job = await client.getOptimizationJob({ params: { job_id: jobId } });
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${job.status} · ${shareOf(job.progress)} %`);
    if (job.finished_at !== null) {
      if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
      return job;
    }
    await sleep(askEveryMs);
  }
}

const shown = (value: number | null | undefined) =>
  (value === null || value === undefined ? '–' : value.toFixed(3)).padStart(7);

function print(job: Job): void {
  const found = job.policies ?? [];
  const width = Math.max(6, ...found.map(({ policy }) => policy.length));
  console.log(
    `${'policy'.padEnd(width)}  examples       F1  → after   recall  → after      FPR  → after   everyday  → after`,
  );
  for (const result of found) {
    const { policy, examples, before, after, everyday_flagged: everyday, improves, proposal } = result;
    console.log(
      `${policy.padEnd(width)}  ${String(examples).padStart(8)}  ${shown(before.f1)}  ${shown(after?.f1)}  ` +
        `${shown(before.recall)}  ${shown(after?.recall)}  ${shown(before.false_positive_rate)}  ` +
        `${shown(after?.false_positive_rate)}    ${shown(everyday.before)}  ${shown(everyday.after)}`,
    );
    const { low, high } = (after ?? before).intervals.false_positive_rate;
    if (result.few_examples)
      console.log(
        `  Too few examples to learn from: 10 of each kind are needed. False alarms may be ${shown(low).trim()} to ${shown(high).trim()}.`,
      );
    if (result.kept_because !== null) console.log(`  It stays as it is. ${result.kept_because}`);
    for (const change of proposal.changes) console.log(`  ${improves ? '' : '(not better) '}${change}`);
  }
}

/** `bulwark lab run`. */
export function addLabCommand(program: Command): void {
  const lab = program.command('lab').description('make policies better by labelled examples');
  lab
    .command('run')
    .description('optimise the policies of a group with labelled rows, and report the improvement')
    .argument('<group>', 'the UUID of a policy group of yours')
    .argument('<examples.jsonl...>', 'files or folders of rows, .gz too')
    .addOption(
      new Option('--tier <tier>', 'how much to try').choices(['fast', 'high', 'max']).default('high'),
    )
    .addOption(
      new Option('--objective <objective>', 'metric to maximise')
        .choices(['f1', 'recall_at_fpr'])
        .default('f1'),
    )
    .option('--split <name>', 'rows that name another split are left out; all takes every row', 'all')
    .option('--no-everyday', 'do not add ordinary messages to the examples')
    .option('--apply', 'save improvements as a new version of the group')
    .option('--username <name>', 'who signs in (default: admin; password from BULWARK_PASSWORD)')
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option('--json', 'print the job as JSON')
    .addHelpText(
      'after',
      `
A row: {"text": "…", "labels": {"rival_clubs": 1}}. A label is the policy's name in lower case with _ between words,
or a detector id for a built-in policy: 1 violates it, 0 does not, null is not known.
`,
    )
    .action(async (group: string, paths: string[], options: RunOptions) => {
      const at = { baseUrl: baseUrlOf(options), headers: await signIn(options) };
      const { policies } = await createClient(policyGroupOperations, at).getPolicyGroup({
        params: { group_uuid: group },
      });
      const names = policies.filter(({ enabled }) => enabled).map(({ name }) => name);
      const { examples, remarks } = await readExamples(paths, names, options.split);
      for (const remark of remarks) process.stderr.write(`bulwark: ${remark}\n`);
      const client = createClient(optimizationOperations, at);
      const { job_id: jobId } = await client.optimizePolicyGroup({
        params: { group_uuid: group },
        body: {
          tier: options.tier,
          objective: options.objective,
          everyday_messages: options.everyday,
          examples: [...examples],
        },
      });
      const job = await awaited(client, jobId);
      if (job.status !== 'completed')
        throw new AppError(
          409,
          'not_done',
          `The job ${jobId} ${job.status}: ${job.error ?? 'by somebody else'}`,
        );
      if (options.json === true) console.log(JSON.stringify(job, null, 2));
      else print(job);
      if (options.apply !== true) return;
      const { version } = await client.applyOptimizationJob({ params: { job_id: jobId }, body: {} });
      process.stderr.write(`Applied: the group has version ${version} now.\n`);
    });
}
