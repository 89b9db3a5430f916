/**
 * The protocol's conformance suite against the gateway as a client: each scenario's server is attached to a gateway,
 * and an SDK client uses all its features through the gateway. If the server requires consent, the test gives it as a
 * user would.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { confirm, followConsent } from '#services/agent-gateway/fixtures/consent.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
);
const command = fileURLToPath(new URL('./client-command.ts', import.meta.url));

const results = await mkdtemp(join(tmpdir(), 'bulwark-conformance-client-'));
const service = await openTestService({
  env: {
    // The suite's example address of a client's metadata document.
    BULWARK_AGENT_GATEWAY_CLIENT_METADATA_URL: 'https://conformance-test.local/client-metadata.json',
    // A gateway lists nothing of a server that it cannot reach in time, and the machine may be busy.
    BULWARK_AGENT_GATEWAY_CONNECT_TIMEOUT_MS: '120000',
  },
});
const { call, key } = service;

interface Scenario {
  readonly url: string;
  readonly scenario: string;
  readonly context: {
    readonly client_id?: string;
    readonly client_secret?: string;
    readonly private_key_pem?: string;
    /** The assertion of a workload. */
    readonly valid_jwt?: string;
    readonly idp_client_id?: string;
    readonly idp_id_token?: string;
    readonly idp_issuer?: string;
    readonly toolCalls?: { name: string; arguments: Record<string, unknown> }[];
  };
}

/** More than any scenario needs: a server that never accepts must not cause an endless loop. */
const mostConsents = 6;

/** Consents if the server waits for it; returns whether it did. Throws if the sign-in failed. */
async function consented(serverId: string): Promise<boolean> {
  const { body } = await call('GET', `/api/mcp-servers/${serverId}`, { key });
  if (body.authorization_url === null) {
    if (typeof body.authorization?.error !== 'string') return false;
    throw new Error(body.authorization.error);
  }
  const { url, page } = await followConsent(body.authorization_url);
  if (page.status !== 200) throw new Error(page.text);
  const answer = await confirm(url);
  if (answer.status !== 200) throw new Error(answer.text);
  return true;
}

/** Values that are valid for a tool's schema. */
function argumentsFor(schema: { properties?: object | undefined; required?: string[] | undefined }) {
  const values: Record<string, unknown> = { string: 'text', number: 5, integer: 5, boolean: true };
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, property]) => [name, values[String((property as { type?: unknown }).type)] ?? 'text']),
  );
}

/** The default values of a form, as a user sends them by only pressing the button. */
function filled(schema: { properties?: Record<string, unknown> }) {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const { default: preset, type } = property as { default?: unknown; type?: unknown };
      return [name, preset ?? (type === 'boolean' ? true : 'text')];
    }),
  ) as Record<string, string | number | boolean>;
}

async function connect(mcpUrl: string, idToken: string | undefined): Promise<Client> {
  const client = new Client(
    { name: 'conformance', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: 'requestedSchema' in params ? filled(params.requestedSchema) : {},
  }));
  const headers = { 'x-api-key': key, ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }) };
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  return client;
}

/** Uses all features of the server, as a newly connected client: an existing one caches lists for a second. */
async function useAll(mcpUrl: string, { context }: Scenario): Promise<void> {
  const client = await connect(mcpUrl, context.idp_id_token);
  try {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { prompts } = await client.listPrompts();
    if (tools.length === 0) throw new Error('The server offers nothing.');
    const calls =
      context.toolCalls ??
      tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema) }));
    for (const each of calls) await client.callTool(each);
    for (const { uri } of resources) await client.readResource({ uri });
    for (const { name, arguments: wanted } of prompts) {
      const values = (wanted ?? []).map((each) => [each.name, 'text'] as const);
      await client.getPrompt({ name, arguments: Object.fromEntries(values) });
    }
  } finally {
    await client.close();
  }
}

/** A gateway's manager knows the authorization server at which they registered; the suite tells it nowhere else. */
async function issuerOf(serverUrl: string): Promise<string | undefined> {
  const response = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', serverUrl));
  return ((await response.json()) as { authorization_servers?: string[] }).authorization_servers?.[0];
}

/** The client that the scenario has registered. */
async function clientOf({ scenario, url, context }: Scenario): Promise<object | undefined> {
  const { client_id, client_secret, private_key_pem: private_key, valid_jwt: assertion } = context;
  if (client_id === undefined) return undefined;
  if (scenario.startsWith('auth/client-credentials'))
    return {
      client_id,
      client_secret,
      private_key,
      grant: 'client_credentials',
      issuer: await issuerOf(url),
    };
  if (assertion !== undefined)
    return { client_id, grant: 'jwt_bearer', assertion, issuer: await issuerOf(url) };
  return { client_id, client_secret };
}

/** How the gateway gets tokens of the scenario's server. */
async function authorizationOf(scenario: Scenario): Promise<object> {
  const { idp_issuer: issuer, idp_client_id, client_id, client_secret } = scenario.context;
  if (issuer !== undefined)
    return {
      identity_scheme: 'enterprise_managed',
      identity_provider: { issuer, client_id: idp_client_id },
      oauth_client: { client_id, client_secret, issuer: await issuerOf(scenario.url) },
    };
  const client = await clientOf(scenario);
  return { auth_type: 'oauth', ...(client !== undefined && { oauth_client: client }) };
}

async function drive(scenario: Scenario): Promise<void> {
  const isAuth = scenario.scenario.startsWith('auth/');
  const server = {
    name: scenario.scenario,
    transport: 'http',
    connection_url: scenario.url,
    ...(isAuth && (await authorizationOf(scenario))),
  };
  const { mcpUrl, serverIds, gatewayId } = await service.gateway([{ server, prefix: '' }]);
  const [serverId = ''] = serverIds;
  try {
    for (let left = mostConsents; ; left -= 1) {
      try {
        await useAll(mcpUrl, scenario);
        // Scenarios whose token is refused at its second use.
        if (isAuth) await useAll(mcpUrl, scenario);
        return;
      } catch (error) {
        if (!isAuth || left === 0 || !(await consented(serverId))) throw error;
      }
    }
  } finally {
    await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
  }
}

const driver = createServer((request, response) => {
  json(request)
    .then((scenario) => drive(scenario as Scenario))
    .then(
      () => response.end('done\n'),
      (error: unknown) => response.writeHead(500).end(`${String(error)}\n`),
    );
});
await new Promise<void>((resolve) => driver.listen(0, '127.0.0.1', resolve));
const driverUrl = `http://127.0.0.1:${(driver.address() as AddressInfo).port}`;

after(async () => {
  driver.close();
  await service[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

/** The failures of the scenario as the suite recorded them, and the output of the client. */
function reasonsOf(out: string, scenario: string): string[] {
  const folders = globSync(`${out}/**/${scenario.replaceAll('/', '?')}-*`).concat(
    globSync(`${out}/${scenario}-*`),
  );
  return folders.flatMap((folder) => {
    const checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as {
      id: string;
      status: string;
      description?: string;
      errorMessage?: string;
    }[];
    const said = readFileSync(join(folder, 'stdout.txt'), 'utf8');
    return checks
      .filter(({ status }) => status === 'FAILURE')
      .map(
        ({ id, errorMessage, description }) =>
          `${scenario}: ${id}: ${errorMessage ?? description ?? ''} | ${said}`,
      );
  });
}

for (const [requirements, required] of [
  ['2025-11-25', 18],
  ['2026-07-28', 32],
] as const)
  test(`clients pass the client requirements of ${requirements} through a gateway`, async (context) => {
    const out = join(results, requirements);
    const args = [suite, 'client', '--command', `${process.execPath} ${command}`];
    const child = spawn(process.execPath, [...args, '--requirements', requirements, '-o', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BULWARK_CONFORMANCE_DRIVER: driverUrl },
    });
    const [printed, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    const [, summary = ''] = printed.split('=== SUITE SUMMARY ===');
    const [scored = '', unscored = ''] = summary.split('Not scored for');
    const failing = scored
      .split('\n')
      .filter((line) => line.startsWith('✗'))
      .map((line) => line.slice(2).split(':')[0]?.trim() ?? '')
      .filter((name) => !unscored.includes(`✗ ${name} `));
    context.diagnostic(
      `${required - failing.length}/${required} required client scenarios of ${requirements}`,
    );
    assert.deepEqual(
      failing.flatMap((name) => reasonsOf(out, name)),
      [],
    );
    assert.deepEqual(failing, [], summary);
    assert.equal(code, 0, `${printed.slice(-3000)}\n${errors.slice(-1000)}`);
  });

for (const scenario of [
  'client-credentials-basic',
  'client-credentials-jwt',
  'wif-jwt-bearer',
  'enterprise-managed-authorization',
])
  test(`the gateway signs in without a browser: extension ${scenario}`, async () => {
    const name = `auth/${scenario}`;
    const out = join(results, scenario);
    const args = [suite, 'client', '--command', `${process.execPath} ${command}`, '--scenario', name];
    const child = spawn(process.execPath, [...args, '-o', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BULWARK_CONFORMANCE_DRIVER: driverUrl },
    });
    const [printed, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    assert.equal(code, 0, `${printed.slice(-3000)}\n${errors.slice(-3000)}`);
    assert.doesNotMatch(printed + errors, /WARNING|Failed: [1-9]/);
  });
