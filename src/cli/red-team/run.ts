/** `bulwark red-team evaluation run`: starts a run and follows it to its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { openRedTeam, type RedTeamClient, type RedTeamOptions } from './open.ts';
import { printStats, printStatus } from './print.ts';

export interface RunOptions extends RedTeamOptions {
  wait: boolean;
  concurrency?: number;
  gateway?: string;
  adaptive?: number;
  failOver?: number;
}

const pollMs = 1000;
const pageSize = 500;

/** The evaluation with this name or id. @throws AppError 404 */
async function findEvaluation(client: RedTeamClient, name: string) {
  for (let offset = 0; ; offset += pageSize) {
    const { evaluations, total } = await client.listEvaluations({
      query: { limit: String(pageSize), offset: String(offset) },
    });
    const found = evaluations.find((each) => each.name === name || each.evaluation_id === name);
    if (found !== undefined) return found;
    if (offset + pageSize >= total)
      throw new AppError(
        404,
        'not_found',
        `There is no evaluation ${JSON.stringify(name)}. \`bulwark red-team evaluation list\` names them.`,
      );
  }
}

/** @returns whether attack success, in percent, is above `--fail-over` */
export async function runEvaluation(name: string, options: RunOptions): Promise<boolean> {
  const client = await openRedTeam(options);
  const evaluation = await findEvaluation(client, name);
  const { concurrency, gateway, adaptive } = options;
  const { run_id: runId } = await client.createRun({
    body: {
      evaluation_id: evaluation.evaluation_id,
      ...(concurrency !== undefined && { concurrency }),
      ...(adaptive !== undefined && { adaptive_budget: adaptive }),
      ...(gateway !== undefined && { gateway_id: gateway }),
    },
  });
  await client.startRun({ params: { run_id: runId } });
  if (!options.wait) {
    console.log(runId);
    return false;
  }
  await awaitEnd(client, runId);
  return showStats(client, runId, options);
}

/** @returns whether attack success, in percent, is above `--fail-over` */
export async function showStats(
  client: RedTeamClient,
  runId: string,
  { json, failOver }: Pick<RunOptions, 'json' | 'failOver'>,
): Promise<boolean> {
  const stats = await client.getRunStats({ params: { run_id: runId } });
  if (json === true) console.log(JSON.stringify(stats, null, 2));
  else printStats(stats);
  if (failOver === undefined) return false;
  const { rate } = stats.total.asr;
  // A pipeline must not pass because nothing could be assessed.
  if (rate === null && stats.total.error_rate.count > 0)
    throw new AppError(
      409,
      'nothing_assessed',
      'No attack could be assessed: see the errors of the results.',
    );
  return rate !== null && rate * 100 > failOver;
}

async function awaitEnd(client: RedTeamClient, runId: string): Promise<void> {
  let shown = '';
  for (;;) {
    const status = await client.getRunStatus({ params: { run_id: runId } });
    const { total, passed, failed, error } = status;
    const line = `${passed + failed + error} of ${total}`;
    if (process.stderr.isTTY && line !== shown) process.stderr.write(`\r${line} tasks, ${failed} failed `);
    shown = line;
    if (status.status !== 'created' && status.status !== 'running') {
      if (process.stderr.isTTY) process.stderr.write('\n');
      if (status.status === 'completed') return;
      printStatus(status);
      const { error: why } = await client.getRun({ params: { run_id: runId } });
      throw new AppError(409, status.status, `The run has ${status.status}. ${why ?? ''}`.trim());
    }
    await sleep(pollMs);
  }
}
