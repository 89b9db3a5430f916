/** `bulwark model scan`: starts a scan and follows it to its end. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import { algorithmNames, dataSetNames } from '#services/model-scan/contract/names.ts';
import { junitOf } from './junit.ts';
import { type ModelScanClient, type ModelScanOptions, openModelScan } from './open.ts';
import { printSummary, type Summary } from './print.ts';
import { modelSarifOf } from './sarif.ts';

/** From the lowest to the highest. */
const risks = ['low', 'medium', 'high'] as const;
/** The levels that a pipeline can fail on. */
export const failingRisks = ['medium', 'high'] as const;

export interface ScanOptions extends ModelScanOptions {
  baseUrl: string;
  model: string;
  dataset?: string[];
  algorithm?: string[];
  concurrency?: number;
  qpm?: number;
  seed?: number;
  languageModel?: boolean;
  sandbox?: boolean;
  continue?: boolean;
  wait: boolean;
  failUnder?: number;
  failOnRisk?: (typeof failingRisks)[number];
  junit?: string;
  sarif?: string;
}

/** @returns whether `--fail-under` or `--fail-on-risk` is met */
export async function runScan(name: string, options: ScanOptions): Promise<boolean> {
  const { baseUrl, ...connection } = options;
  const client = await openModelScan(connection);
  const { scan_id: scanId } = await start(client, name, options, baseUrl);
  if (!options.wait) {
    console.log(scanId);
    return false;
  }
  await awaitEnd(client, scanId);
  const summary = await client.getSummary({ body: { scan_id: scanId } });
  if (options.junit !== undefined) writeFileSync(options.junit, junitOf(name, summary));
  if (options.sarif !== undefined)
    writeFileSync(options.sarif, `${JSON.stringify(modelSarifOf(summary), undefined, 2)}\n`);
  if (options.json === true) console.log(JSON.stringify({ scan_id: scanId, ...summary }, null, 2));
  else {
    console.log(`Scan ${scanId}`);
    printSummary(summary);
  }
  return isFlagged(summary, options);
}

function isFlagged({ avg_score: score, risk_level: risk }: Summary, options: ScanOptions): boolean {
  const { failUnder, failOnRisk } = options;
  const level = (name: string) => risks.findIndex((each) => each === name.toLowerCase());
  return (
    (failUnder !== undefined && score < failUnder) ||
    (failOnRisk !== undefined && level(risk) >= level(failOnRisk))
  );
}

function start(client: ModelScanClient, name: string, options: ScanOptions, baseUrl: string) {
  const key = readEnv()['BULWARK_TARGET_API_KEY'];
  if (key === undefined || key === '')
    throw new AppError(
      400,
      'no_key',
      'Set BULWARK_TARGET_API_KEY to the key of the model; any text if it needs none.',
    );
  const common = {
    scan_name: name,
    model: { base_url: baseUrl, api_key: key, model_name: options.model },
    continue_flag: options.continue === true,
  };
  if (options.sandbox === true) return client.startSandboxScan({ body: common });
  const { algorithm: algorithms = [], concurrency, qpm, seed } = options;
  return client.startScan({
    body: {
      ...common,
      datasets: dataSetsOf(options.dataset ?? ['all']).map((each) => ({ name: each })),
      algorithms: namesOf('--algorithm', algorithms, algorithmNames),
      ...(concurrency !== undefined && { concurrency }),
      ...(qpm !== undefined && { qpm }),
      ...(seed !== undefined && { seed }),
      ...(options.languageModel === true && { use_language_model: true }),
    },
  });
}

/** Names without regard to case; `all` is all of them. */
function namesOf<N extends string>(option: string, given: readonly string[], names: readonly N[]): N[] {
  if (given.includes('all')) return [...names];
  return given.map((each) => {
    const found = names.find((name) => name.toLowerCase() === each.toLowerCase());
    if (found === undefined)
      throw new AppError(400, 'unknown', `${option} ${each} is unknown. There are: ${names.join(', ')}.`);
    return found;
  });
}

/** Those of the product without regard to case; other names are the tenant's own, which the service knows. */
const dataSetsOf = (given: readonly string[]): string[] =>
  given.includes('all')
    ? [...dataSetNames]
    : given.map((each) => dataSetNames.find((name) => name.toLowerCase() === each.toLowerCase()) ?? each);

const askEveryMs = 500;

/** Waits, and shows on a terminal how far it is. @throws AppError where the scan does not finish */
async function awaitEnd(client: ModelScanClient, scanId: string): Promise<void> {
  for (;;) {
    const [progress] = [await client.getProgress({ body: { scan_id: scanId } })].flat();
    if (progress === undefined) throw new Error('The service answered no progress.');
    const { status, percentage, passed_line: passed, total, remaining_time: left, error } = progress;
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r\u001B[K${status} · ${passed} of ${total} · ${percentage} % · about ${Math.ceil(left)} s left`,
      );
    if (status === 'Finished' || status === 'Failed' || status === 'Error' || status === 'Paused') {
      if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
      if (status === 'Finished') return;
      throw new AppError(
        409,
        'not_finished',
        `The scan ${scanId} is ${status}. ${error ?? ''} \`bulwark model retry ${scanId}\` continues it.`,
      );
    }
    await sleep(askEveryMs);
  }
}
