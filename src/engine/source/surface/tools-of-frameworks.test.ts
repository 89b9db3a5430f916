import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const read = async (text: string) => {
  const { surface, observations } = await analyseProject([{ path: 'a.js', text }]);
  return {
    tools: surface.filter(({ kind }) => kind === 'tool').map(({ name, description }) => [name, description]),
    found: observations.map(({ rule, subject }) => `${rule} ${subject}`),
  };
};

test('a tool that a builder makes is described by the calls of its chain', async () => {
  const { tools, found } = await read(`import { tool } from '@harbour/mcp-kit';
import { execSync } from 'node:child_process';
export const berths = tool().name('berths').description('Lists free berths')
  .input(z.object({ pier: z.string() }))
  .handler(async ({ input }) => execSync('berths ' + input.pier));
`);
  assert.deepEqual(tools, [['berths', 'Lists free berths']]);
  assert.deepEqual(found, ['command-injection berths']);
});

test('an object with a name, a configuration and a handler that a factory returns is a tool', async () => {
  const { tools, found } = await read(`import { execSync } from 'node:child_process';
const config = { title: 'Tides', description: 'Says when the tide turns', inputSchema: { port: z.string() } };
export default function createTool() {
  async function handler(args, extra) {
    return { content: [{ type: 'text', text: execSync('tide ' + args.port).toString() }] };
  }
  return {
    name: 'tides',
    config,
    handler,
  };
}
`);
  assert.deepEqual(tools, [['tides', 'Says when the tide turns']]);
  assert.deepEqual(found, ['command-injection tides']);
});

test('what is set up and handled, and is no tool, stays none', async () => {
  const { tools } = await read(`export function createTimer() {
  return { name: 'hourly', config: { every: 3600 }, handler: (now) => console.error(now) };
}
`);
  assert.deepEqual(tools, []);
});

test('names that a schema has as constants are read', async () => {
  const { tools } = await read(`import { z } from 'zod';
const Moor = z.object({ name: z.literal('moor'), description: z.literal('Moors a ship'), arguments: z.object({ pier: z.string() }) });
export const moor = {
  schema: { name: Moor.shape.name.value, description: Moor.shape.description.value, inputSchema: toJson(Moor.shape.arguments) },
  handle: async (context, params) => context.moor(params.pier),
};
`);
  assert.deepEqual(tools, [['moor', 'Moors a ship']]);
});
