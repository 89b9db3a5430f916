/** Finished tests of every kind, for screenshots: scans of a server, a scan of a model, and runs against an agent. */
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { zipOf } from '#services/mcp-scan/fixtures/archives.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { credentials } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

export interface FilledScans {
  /** Scans of one server, before and after it was mended. */
  readonly mcpScans: readonly [string, string];
  readonly modelScanId: string;
  readonly evaluationId: string;
  readonly runIds: readonly [string, string];
  /** An injection that succeeded. */
  readonly resultId: string;
}

type Calls = Awaited<ReturnType<typeof openCalls>>;

const serverSource = (call: string) => `import { execFile, exec } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.tool('git_log', 'Shows the log of a branch.', { branch: z.string() }, async ({ branch }) => {
  const command = \`git log \${branch}\`;
  ${call}
  return { content: [] };
});
`;

async function until<T>(read: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await read();
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('A test did not end within two minutes.');
}

async function scanServer(url: string, call: Calls): Promise<[string, string]> {
  const { access_token: token } = (await (
    await fetch(`${url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
  ).json()) as { access_token: string };
  const ids: string[] = [];
  for (const line of ['exec(command, () => {});', "execFile('git', ['log', '--', branch], () => {});"]) {
    const form = new FormData();
    const zip = await zipOf({ 'src/index.ts': serverSource(line) });
    form.set('file', new Blob([Uint8Array.from(zip)], { type: 'application/zip' }), 'notes.zip');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/services/mcp-scan/process`, { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(`The scan was refused: ${await response.text()}`);
    const { scan_id: scanId } = (await response.json()) as { scan_id: string };
    await until(
      () => call('mcp-scan', 'GET', `/scan/${scanId}/status`),
      ({ status }) => ['completed', 'failed'].includes(status),
    );
    ids.push(scanId);
  }
  return [ids[0] ?? '', ids[1] ?? ''];
}

async function scanModel(call: Calls): Promise<string> {
  const sets = ['FINRA', 'Privacy', 'Bias'];
  const cases = [...readDataSets().values()]
    .filter(({ name }) => sets.includes(name))
    .flatMap((set) => set.cases);
  const apiKey = 'sk-of-the-target-1234567890';
  await using target = await startScriptedTarget({ persona: 'flip', cases, apiKey });
  const { scan_id: scanId } = await call('model-scan', 'POST', '/v1/scan/start', {
    scan_name: 'Assistant, before the launch',
    model: { base_url: target.url, api_key: apiKey, model_name: 'scripted' },
    datasets: sets.map((name) => ({ name })),
    algorithms: ['Flip Attack'],
  });
  await until(
    () => call('model-scan', 'POST', '/v1/scan/progress', { scan_id: scanId }),
    ({ status }) => ['Finished', 'Failed', 'Error'].includes(status),
  );
  return String(scanId);
}

async function attackAgent(call: Calls) {
  const { agents } = await call('red-team', 'GET', '/api/metadata/scripted-agents');
  const { persona, endpoint } = agents.find((agent: { persona: string }) => agent.persona === 'obedient');
  const agent = await call('red-team', 'POST', '/api/agents', {
    name: `Scripted: ${persona}`,
    endpoint,
    protocol: 'openai_responses',
  });
  const { evaluation_id: evaluationId } = await call('red-team', 'POST', '/api/evaluations', {
    name: 'Injections in tools',
    agent_id: agent.agent_id,
    max_tasks: 30,
    seed: 1,
  });
  const runIds: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { run_id: runId } = await call('red-team', 'POST', '/api/runs', { evaluation_id: evaluationId });
    await call('red-team', 'POST', `/api/runs/${runId}/start`);
    await until(
      () => call('red-team', 'GET', `/api/runs/${runId}/status`),
      ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
    );
    runIds.push(String(runId));
  }
  const { results } = await call(
    'red-team',
    'GET',
    `/api/results?run_id=${runIds[0]}&attack_success=true&threat_model=indirect&limit=1`,
  );
  return {
    evaluationId: String(evaluationId),
    runIds: [runIds[0] ?? '', runIds[1] ?? ''] as const,
    resultId: String(results[0].result_id),
  };
}

/** @param url address of the dashboard */
export async function fillScans(url: string): Promise<FilledScans> {
  const call = await openCalls(url);
  return {
    mcpScans: await scanServer(url, call),
    modelScanId: await scanModel(call),
    ...(await attackAgent(call)),
  };
}
