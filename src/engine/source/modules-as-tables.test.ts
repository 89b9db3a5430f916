import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const shelves = `import { execSync } from 'node:child_process';
export async function weigh({ shelf }) {
  return execSync('du -s ' + shelf).toString();
}
export const count = ({ shelf }) => execSync('ls ' + shelf + ' | wc -l').toString();
export const version = () => execSync('uname -r').toString();
`;

const main = (table: string, call: string): string => `import * as shelves from './shelves.mjs';
const handlers = ${table};
export async function answer(message) {
  if (message.method === 'tools/call') return ${call}(message.params.arguments);
  return null;
}
`;

async function linesOf(table: string, call: string): Promise<number[]> {
  const { observations } = await analyseProject([
    { path: 'shelves.mjs', text: shelves },
    { path: 'main.mjs', text: main(table, call) },
  ]);
  return observations
    .filter(({ rule, severity }) => rule === 'command-injection' && severity === 'critical')
    .map(({ location }) => location?.startLine ?? 0)
    .toSorted((a, b) => a - b);
}

const called = 'handlers[message.params.name]';
const looked = 'handlers.get(message.params.name)';

test('functions of a module that is spread into a table are called through it', async () => {
  assert.deepEqual(await linesOf('{ ...shelves }', called), [3, 5]);
  assert.deepEqual(await linesOf('Object.assign({}, shelves)', called), [3, 5]);
  assert.deepEqual(await linesOf('new Map(Object.entries({ ...shelves }))', looked), [3, 5]);
  assert.deepEqual(await linesOf('new Map(Object.entries(shelves))', looked), [3, 5]);
});

test('a name that a module exports is not what the same name means within it', async () => {
  const parts = `import { execSync as D } from 'node:child_process';
function find(name) { return name.length; }
function list(name) { return D('ls ' + name).toString(); }
export { find as D, list as v };
`;
  const server = (call: string) => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { D as x, v } from './parts.mjs';
const server = new McpServer({ name: 'a', version: '1' });
server.tool('t', { name: z.string() }, async ({ name }) => ${call});
`;
  const rulesOf = async (call: string) => {
    const { observations } = await analyseProject([
      { path: 'parts.mjs', text: parts },
      { path: 'server.mjs', text: server(call) },
    ]);
    return observations.filter(({ tags }) => tags.includes('tool')).map(({ rule }) => rule);
  };
  assert.deepEqual(await rulesOf('x(name)'), []);
  assert.deepEqual(await rulesOf('v(name)'), ['command-injection']);
});
