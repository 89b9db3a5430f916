import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const rules = async (guard: string): Promise<string[]> => {
  const { observations } = await analyseProject([
    { path: 'guard.js', text: guard },
    {
      path: 'server.js',
      text: `import { assertPublicUrl } from './guard.js';
server.tool('t', { url: z.string() }, async ({ url }) => {
  await assertPublicUrl(url);
  return fetch(url);
});
`,
    },
  ]);
  return observations.map(({ rule }) => rule);
};

const guard = (known: string): string => `import dns from 'node:dns/promises';
${known}
export async function assertPublicUrl(url) {
  const { hostname } = new URL(url);
  for (const { address } of await resolved(hostname)) if (isPrivate(address)) throw new Error('private');
}
`;

test('a check of addresses knows the private ranges itself, or by what it asks', async () => {
  const pattern = 'const isPrivate = (ip) => /^(?:10|127|192\\.168|169\\.254)\\./.test(ip);';
  assert.deepEqual(await rules(guard(pattern)), []);
  const list = `const privateRanges = [/^10\\./, /^127\\./, /^192\\.168\\./];
const isPrivate = (ip) => privateRanges.some((range) => range.test(ip));`;
  assert.deepEqual(await rules(guard(list)), []);
});

test('a check that knows none is none', async () => {
  assert.deepEqual(await rules(guard("const isPrivate = (ip) => ip === '127.0.0.1';")), [
    'server-side-request-forgery',
  ]);
});
