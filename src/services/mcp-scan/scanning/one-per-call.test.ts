import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Observation } from '#findings/finding.ts';
import type { Severity } from '#findings/severity.ts';
import { scanHere } from '../scan-here.ts';
import { onePerCall } from './one-per-call.ts';

const source = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { spawn } from 'node:child_process';
import { z } from 'zod';
const server = new McpServer({ name: 'forward', version: '1.0.0' });
async function start(args) {
  return new Promise((resolve) => {
    const child = spawn('kubectl', args);
    child.on('close', resolve);
  });
}
server.tool('forward', 'Forwards a port of a pod.', { kind: z.string(), name: z.string(), from: z.string(), space: z.string() }, async (input) => {
  const args = ['port-forward'];
  if (input.space) {
    args.push('-n', input.space);
  }
  args.push(\`\${input.kind}/\${input.name}\`);
  args.push(\`\${input.from}:\${input.name}\`);
  await start(args);
  return { content: [] };
});
server.tool('other', 'Shows a pod.', { name: z.string() }, async ({ name }) => {
  spawn('kubectl', ['get', name]);
  spawn('kubectl', ['describe', name]);
  return { content: [] };
});
`;

test('a program that a tool starts is one finding, with the other ways and rules that tell of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'one-per-call-'));
  try {
    await writeFile(join(folder, 'server.js'), source);
    const { scans } = await scanHere(folder, { repositoryHosts: [], version: '0', onStage: () => undefined });
    const findings = scans[0]?.result.findings ?? [];
    const of = (tool: string) =>
      findings.filter(({ subject, tags }) => subject === tool && tags.includes('kind:taint'));
    const [forward] = of('forward');
    assert.equal(
      of('forward').length,
      1,
      JSON.stringify(of('forward').map(({ rule, location }) => [rule, location?.startLine])),
    );
    const lines = [forward?.location, ...(forward?.otherPlaces ?? [])].map((place) => place?.startLine);
    assert.ok(lines.length >= 2, String(lines));
    // Calls of their own stay findings of their own.
    const others = of('other').map(({ location }) => location?.startLine);
    assert.equal(new Set(others).size, others.length);
    assert.ok(others.length >= 2, String(others));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('other rules about the same call are named, with their entries of frameworks; other weaknesses stay apart', () => {
  const observed = (rule: string, severity: Severity, cwe: string, line = 3): Observation => ({
    rule,
    title: `Title of ${rule}`,
    description: 'It is so.',
    severity,
    confidence: 'high',
    location: { path: 'a.ts', startLine: line },
    subject: 'run',
    tags: ['kind:taint'],
    frameworks: [{ framework: 'cwe', id: cwe }],
  });
  const [one, ...more] = onePerCall([
    observed('chosen-program', 'medium', 'CWE-78'),
    observed('command-injection', 'critical', 'CWE-77'),
    observed('path-traversal', 'high', 'CWE-22'),
    observed('command-injection', 'high', 'CWE-77', 9),
  ]);
  assert.deepEqual([one?.rule, one?.severity], ['command-injection', 'critical']);
  assert.match(one?.description ?? '', /The same call is also: Title of chosen-program \(chosen-program\)\./);
  assert.deepEqual(
    one?.frameworks.map(({ id }) => id),
    ['CWE-78', 'CWE-77'],
  );
  assert.deepEqual(
    more.map(({ rule, location }) => [rule, location?.startLine]),
    [
      ['path-traversal', 3],
      ['command-injection', 9],
    ],
  );
});
