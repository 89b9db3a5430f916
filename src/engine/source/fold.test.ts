import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';
import type { SourceFile } from './types.ts';

const found = async (files: SourceFile[]): Promise<string[]> => {
  const { observations } = await analyseProject(files);
  return observations.map(({ rule, location, otherPlaces = [] }) =>
    [rule, ...[location, ...otherPlaces].map((place) => `${place?.path}:${place?.startLine}`)].join(' '),
  );
};

test('a place that was built out of another one, or built twice, is one finding: that of the source', async () => {
  const source = `import fs from 'node:fs';
export function keep(state: string): void {
  fs.writeFileSync('/tmp/shelf-state.json', JSON.stringify({ state }));
}
`;
  const built = source.replace('state: string): void', 'state)');
  assert.deepEqual(
    await found([
      { path: 'dist/cli/state.js', text: built },
      { path: 'dist/cli/state.mjs', text: built },
      { path: 'src/cli/state.ts', text: source },
    ]),
    ['unsafe-temp src/cli/state.ts:3 dist/cli/state.js:3 dist/cli/state.mjs:3'],
  );
});

test('the same line twice in one file is two findings', async () => {
  const hash = (name: string) => `export function ${name}(password) {
  const digest = crypto.createHash('md5').update(password).digest('hex');
  return digest;
}
`;
  const text = `import crypto from 'node:crypto';\n${hash('first')}${hash('second')}`;
  assert.equal((await found([{ path: 'a.js', text }])).length, 2);
});

test('that a server does not check its host is said once for each server', async () => {
  const text = `app.post('/a', (req, res) => { new StreamableHTTPServerTransport({ sessionIdGenerator: undefined }); });
app.get('/b', (req, res) => { new SSEServerTransport('/messages', res); });
`;
  const server = (folder: string) => [
    { path: `${folder}/package.json`, text: '{}' },
    { path: `${folder}/index.js`, text },
  ];
  assert.deepEqual(await found([...server('one'), ...server('two')]), [
    'dns-rebinding one/index.js:1 one/index.js:2',
    'dns-rebinding two/index.js:1 two/index.js:2',
  ]);
});

test('what an exported function is given is said once for each function and kind of call', async () => {
  const text = `export async function refresh(address) {
  await fetch(address + '/a');
  await fetch(address + '/b');
}
`;
  assert.deepEqual(await found([{ path: 'a.js', text }]), ['server-side-request-forgery a.js:2 a.js:3']);
});

test('a file that lies directly in the folder of the source, and in that of what was built, is one', async () => {
  const source = `import { execSync } from 'node:child_process';
export function begin(server: Server): void {
  server.tool('count', { folder: z.string() }, async ({ folder }: { folder: string }) => {
    const lines = execSync(\`wc -l \${folder}\`, { encoding: 'utf8' });
    return { content: [{ type: 'text', text: lines }] };
  });
}
`;
  const built = `"use strict";
exports.begin = begin;
const node_child_process_1 = require("node:child_process");
function begin(server) {
    server.tool("count", { folder: z.string() }, async ({ folder }) => {
        const lines = (0, node_child_process_1.execSync)(\`wc -l \${folder}\`, { encoding: "utf8" });
        return { content: [{ type: "text", text: lines }] };
    });
}
`;
  const files = [
    { path: 'dist/count.js', text: built },
    { path: 'src/count.ts', text: source },
  ];
  assert.deepEqual(await found(files), ['command-injection src/count.ts:4 dist/count.js:6']);
});

test('a value that gets to many places is told of once, with the places', async () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, i) => `  if (kind === ${i}) return fetch(base + '/v1/kind${i}');`).join(
      '\n',
    );
  const server = (
    count: number,
  ) => `server.tool('ask', { host: z.string(), kind: z.number() }, async ({ host, kind }) => {
  const address = host.trim();
  const base = address + '/api';
  const given = base;
${calls(count).replaceAll('base', 'given')}
});
`;
  const few = await analyseProject([{ path: 'a.js', text: server(3) }]);
  assert.equal(few.observations.length, 3);
  const many = await analyseProject([{ path: 'a.js', text: server(12) }]);
  assert.equal(many.observations.length, 1);
  assert.equal(many.observations[0]?.otherPlaces?.length, 11);
  assert.match(many.observations[0]?.description ?? '', /gets to 11 further places/);
});
