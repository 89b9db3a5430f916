import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const head = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { exec } from 'node:child_process';
const server = new McpServer({ name: 'a', version: '1' });
const later = (run) => run();
`;

async function linesOf(code: string): Promise<number[]> {
  const { observations } = await analyseProject([{ path: 'server.ts', text: head + code }]);
  return observations
    .filter(({ rule }) => rule === 'command-injection')
    .map(({ location }) => (location?.startLine ?? 0) - 5);
}

const tool = (name: string, body: string): string =>
  `server.tool('${name}', { ref: z.string() }, async ({ ref }) => { ${body} });\n`;

test('what one branch of a closure knows of a variable around it does not hold for the other', async () => {
  const code = [
    tool('a', 'return later(() => { if (!ref) { console.error("none"); } exec(`git a ${ref}`); });'),
    tool('b', 'return later(() => { if (Date.now() > 1) { ref = "HEAD"; } exec(`git b ${ref}`); });'),
    tool('c', 'return later(() => { if (!/^[a-z]+$/.test(ref)) { ref = "HEAD"; } exec(`git c ${ref}`); });'),
    tool('d', 'let at = "HEAD"; later(() => { if (ref) { at = ref; } }); exec(`git d ${at}`);'),
  ];
  assert.deepEqual(await linesOf(code.join('')), [1, 2, 4]);
});

test('parameters and variables of a closure are not those around it', async () => {
  const code = [
    tool('a', 'const all = ["x"].map((ref) => ref + "y"); exec(`git a ${ref} ${all}`);'),
    tool('b', 'const at = ref; later(() => { const at = "HEAD"; console.error(at); }); exec(`git b ${at}`);'),
    tool('c', 'const at = "HEAD"; later(() => { const at = ref; console.error(at); }); exec(`git c ${at}`);'),
  ];
  assert.deepEqual(await linesOf(code.join('')), [1, 2]);
});

test('each of many functions that one helper is given is followed', async () => {
  const count = 20;
  const classes = Array.from(
    { length: count },
    (_, at) =>
      `class Step${at} extends Base { run(args, context) { return this.safe(context, () => { ${
        at === count - 1 ? 'exec(`git ${args.ref}`)' : `console.error(args.ref, ${at})`
      }; }); } }\n`,
  );
  const cases = classes.map((_, at) => `case 's${at}': return new Step${at}().run(args, context);\n`);
  const code = `class Base { safe(context, operation) { return operation(context.page); } }
${classes.join('')}
server.server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
  const context = { width: args.width };
  switch (name) {
${cases.join('')}  }
});
`;
  assert.deepEqual(await linesOf(code), [count + 1]);
});
