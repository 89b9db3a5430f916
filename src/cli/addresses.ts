/** Addresses of the services, for commands. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { readEnv } from '#base/config/read-env.ts';
import { originOf } from '#base/http/listen.ts';
import { portVariable, sections, type ServiceName } from '../settings.ts';

type Asked = Exclude<ServiceName, 'dashboard'>;

/** Environment variables that override the configured address. */
const variables = {
  'policy-guard': 'BULWARK_URL',
  'action-guard': 'BULWARK_ACTION_GUARD_URL',
  'agent-gateway': 'BULWARK_AGENT_GATEWAY_URL',
  'shadow-ai': 'BULWARK_SHADOW_AI_URL',
  'mcp-scan': 'BULWARK_MCP_SCAN_URL',
  'video-moderation': 'BULWARK_VIDEO_MODERATION_URL',
  'model-scan': 'BULWARK_MODEL_SCAN_URL',
  'red-team': 'BULWARK_RED_TEAM_URL',
} as const satisfies Record<Asked, string>;

const portKeys = {
  'policy-guard': 'policyGuard',
  'action-guard': 'actionGuard',
  'agent-gateway': 'agentGateway',
  'shadow-ai': 'shadowAi',
  'mcp-scan': 'mcpScan',
  'video-moderation': 'videoModeration',
  'model-scan': 'modelScan',
  'red-team': 'redTeam',
} as const satisfies Record<Asked, keyof (typeof platformSections)['port']>;

const fileName = 'addresses.json';
const Addresses = z.record(z.string(), z.url());

/**
 * Writes the addresses of this process's services to the data directory, for commands; removed at exit.
 * If the folder is not writable, commands use only the configuration.
 */
export function keepAddresses(
  dataDir: string,
  services: readonly { readonly name: string; readonly url: string }[],
): Disposable {
  const path = join(dataDir, fileName);
  try {
    writeFileSync(
      path,
      `${JSON.stringify(Object.fromEntries(services.map(({ name, url }) => [name, fromHere(url)])))}\n`,
    );
  } catch {
    return { [Symbol.dispose]: () => undefined };
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** An address that stands for all interfaces of this machine, as one that clients can call. */
const fromHere = (url: string) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

function keptAddress(dataDir: string, service: Asked): string | undefined {
  try {
    return Addresses.parse(JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')))[service];
  } catch {
    return undefined;
  }
}

export interface Address {
  /** Without a slash at its end. */
  readonly url: string;
  /** Where it is configured, for messages. */
  readonly from: string;
}

/**
 * `--url`, then the variable of the service, then the port that is configured, then where the Bulwark over the same data
 * directory listens, then the default.
 * @throws StartupError when the configuration is not valid.
 */
export function findAddress(service: Asked, given: string | undefined): Address {
  const clean = (url: string) => url.replace(/\/+$/, '');
  if (given !== undefined) return { url: clean(given), from: '--url' };
  const variable = variables[service];
  const env = readEnv();
  const fromEnv = env[variable];
  if (fromEnv !== undefined && fromEnv !== '') return { url: clean(fromEnv), from: variable };
  const { dataDir, host, port } = loadConfig(sections, env);
  const configured = port[portKeys[service]];
  const { preset } = platformSections.port[portKeys[service]];
  const kept = keptAddress(dataDir, service);
  if (kept !== undefined && (configured === 0 || configured === preset))
    return { url: clean(kept), from: join(dataDir, fileName) };
  const from = configured === preset ? 'the preset' : portVariable(service);
  return { url: fromHere(originOf(host, configured)), from };
}

/** Advice if the address is wrong. */
export const otherAddress = (service: Asked, { from }: Address): string =>
  `The address is from ${from}; \`bulwark up\` starts the services, and --url or ${variables[service]} names others.`;
