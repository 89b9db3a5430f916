/** `bulwark judge setup`: finds models on this machine, tries each, and configures the best if it judges better. */
import { existsSync } from 'node:fs';
import { loadConfig, type Env } from '#base/config/load.ts';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import { withoutSecretsInUrls } from '#base/secrets/without-secrets-in-urls.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { sections } from '../../settings.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { findServers, usualAddresses } from './find-servers.ts';
import type { Candidate, Tried } from './candidate.ts';
import { judgeByModel, judgeEmbedded, type Config, type ModelJudged } from './measure.ts';
import { choose, type Choice } from './choose.ts';
import { printFound, printMeasured, printOutcome, toJson } from './print.ts';
import { readProbe } from './probe.ts';
import { configFile, writeSettings } from './write-config.ts';

export interface SetupOptions {
  /** Addresses to look at instead of the usual ones. */
  at: readonly string[];
  /** Only models of these names. */
  models: readonly string[];
  concurrency: number;
  minutes: number;
  dryRun?: boolean;
  json?: boolean;
}

function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new WrongUsage(
      `--at takes addresses such as http://127.0.0.1:11434/v1, not ${withoutSecretsInUrls(address)}.`,
    );
  return address.replace(/\/+$/, '');
}

/** The configured model first: others must be better than it. */
async function candidatesOf(config: Config, { at, models }: SetupOptions): Promise<Candidate[]> {
  const { baseUrl, model, apiKey } = config.llm;
  const isSet = baseUrl !== undefined && model !== undefined;
  const configured = isSet
    ? [{ kind: 'configured', baseUrl: baseUrl.replace(/\/+$/, ''), model, apiKey, isConfigured: true }]
    : [];
  const servers = await findServers(at.length > 0 ? at.map(checkedAddress) : usualAddresses);
  const found = servers
    .flatMap(({ kind, baseUrl: url, models: listed }) =>
      listed.map((name) => ({ kind, baseUrl: url, model: name, isConfigured: false })),
    )
    .filter(({ model: name }) => models.length === 0 || models.includes(name))
    .filter((each) => !configured.some((one) => one.baseUrl === each.baseUrl && one.model === each.model));
  return [...configured, ...found];
}

function refuseNone(candidates: readonly Candidate[], { at, models }: SetupOptions): void {
  if (candidates.length > 0) return;
  const looked = (at.length > 0 ? at : usualAddresses).join(', ');
  throw new AppError(
    404,
    'no_model',
    models.length > 0
      ? `No server at ${looked} lists ${models.join(' or ')}.`
      : `No model server answers at ${looked}. Start one (Ollama, vLLM, llama.cpp, LM Studio), or name another address with --at.`,
  );
}

/** A model that cannot be measured is shown with the reason; the others go on. */
async function tryOne(candidate: Candidate, measure: () => Promise<ModelJudged>): Promise<Tried> {
  try {
    return { candidate, judged: await measure(), error: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { candidate, judged: undefined, error: error.message };
  }
}

/** Others may not be sent the key of the configured server. */
function refuseForeignKey({ best, settings }: Choice, config: Config): void {
  if (best === undefined || settings === undefined || config.llm.apiKey === undefined) return;
  if (config.llm.baseUrl?.replace(/\/+$/, '') === best.candidate.baseUrl) return;
  throw new AppError(
    409,
    'key_of_another_server',
    `llm.api_key belongs to another server, and would be sent to ${best.candidate.baseUrl}. Remove it (BULWARK_LLM_API_KEY or the configuration file), and run this again.`,
  );
}

/** The file that is named may be the one to be written. */
const withoutMissingFile = (env: Env): Env => {
  const { BULWARK_CONFIG: named, ...others } = env;
  return named === undefined || existsSync(named) ? env : others;
};

/** @throws AppError where nothing was found or measured, or the configuration cannot be written */
export async function setUpJudge(options: SetupOptions): Promise<void> {
  const env = readEnv();
  const config = loadConfig(sections, withoutMissingFile(env));
  const candidates = await candidatesOf(config, options);
  refuseNone(candidates, options);
  const log = options.json === true ? console.error : console.log;
  printFound(candidates, log);
  const rows = readProbe();
  const engine = await loadTextEngine();
  const embedded = judgeEmbedded(engine, rows);
  const withinMs = options.minutes * 60_000;
  const limits = { config, engine, concurrency: options.concurrency, withinMs };
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[Ktrying ${candidate.model} …`);
    tried.push(await tryOne(candidate, () => judgeByModel(candidate, rows, limits)));
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  const choice = choose(rows, embedded, tried, config);
  printMeasured(rows, embedded, tried, log);
  refuseForeignKey(choice, config);
  const path = configFile(env);
  const writes = choice.settings !== undefined && options.dryRun !== true;
  if (writes && choice.settings !== undefined) writeSettings(path, choice.settings, env);
  printOutcome(choice, { path, writes, env, engine: config.policyGuardJudge.engine }, log);
  if (options.json === true)
    console.log(JSON.stringify(toJson(rows, embedded, tried, choice, writes ? path : null), null, 2));
  if (tried.every(({ judged }) => judged === undefined))
    throw new AppError(504, 'not_measured', 'No model could be measured; the reasons stand above.');
}
