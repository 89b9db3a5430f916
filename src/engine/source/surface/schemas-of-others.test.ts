import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

type File = { path: string; text: string };

/** The names of the parameters that each tool is seen to have. */
async function parametersOf(files: readonly File[]): Promise<Record<string, string[]>> {
  const { surface } = await analyseProject(files);
  const tools = surface.filter(({ kind }) => kind === 'tool');
  return Object.fromEntries(
    tools.map(({ name, inputSchema }) => {
      const { properties = {} } = (inputSchema ?? {}) as { properties?: object };
      return [name, Object.keys(properties)];
    }),
  );
}

const inOne = async (schema: string, more: readonly File[] = [], before = ''): Promise<string[]> => {
  const text = `import { z } from 'zod';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
${before}
const base = z.object({ title: z.string().describe('Of the page'), year: z.number() });
const server = new McpServer({ name: 'shelf', version: '1' });
server.registerTool('find', { description: 'Finds a page', inputSchema: ${schema} }, async (input) => input);
`;
  const found = await parametersOf([{ path: 'src/server.ts', text }, ...more]);
  return found['find'] ?? [];
};

describe('the parameters of a tool are known', () => {
  it('where another function comes before or behind its schema', async () => {
    for (const schema of [
      'z.preprocess((input) => input ?? {}, base)',
      'base.transform((input) => input).refine((input) => input.year > 0)',
      'z.lazy(() => base)',
      'base.strict().describe("What to look for")',
      '{ title: z.string().transform((text) => text.trim()).pipe(z.string().min(1)), year: z.preprocess(Number, z.number()) }',
    ])
      assert.deepEqual(await inOne(schema), ['title', 'year'], schema);
  });

  it('where it is made of others, which stay as they are', async () => {
    assert.deepEqual(await inOne('base.extend({ part: z.string() })'), ['title', 'year', 'part']);
    assert.deepEqual(
      await inOne('base', [], 'const more = () => base.extend({ part: z.string() }); more();'),
      ['title', 'year'],
    );
    assert.deepEqual(await inOne('base.shape'), ['title', 'year']);
    assert.deepEqual(await inOne('{ ...base.shape, part: z.string() }'), ['title', 'year', 'part']);
    assert.deepEqual(await inOne('base.pick({ title: true })'), ['title']);
    assert.deepEqual(await inOne('base.omit({ title: true })'), ['year']);
    assert.deepEqual(await inOne('z.intersection(base, z.object({ part: z.string() }))'), [
      'title',
      'year',
      'part',
    ]);
    assert.deepEqual(
      await inOne("z.discriminatedUnion('kind', [base, z.strictObject({ part: z.string() })])"),
      ['title', 'year', 'part'],
    );
  });

  it('where it stands in another file, or is handed on as JSON Schema', async () => {
    const schemas = {
      path: 'src/schemas.ts',
      text: `import { z } from 'zod';
export const Find = z.preprocess((input) => input, z.object({ title: z.string() }));
`,
    };
    assert.deepEqual(await inOne('Find', [schemas], "import { Find } from './schemas.js';"), ['title']);
    const text = `import { zodToJsonSchema } from 'zod-to-json-schema';
import { Find } from './schemas.js';
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [{ name: 'find', description: 'Finds a page', inputSchema: zodToJsonSchema(Find) }],
}));
`;
    assert.deepEqual(await parametersOf([{ path: 'src/server.ts', text }, schemas]), { find: ['title'] });
  });

  it('where a bundle contains the library of schemas', async () => {
    const filler = `// ${'x'.repeat(100)}\n`.repeat(60);
    const text = `var __export = (target, all) => {};
// node_modules/zod/v4/classic/external.js
var external_exports = {};
__export(external_exports, { string: () => string2 });
function string2(params) { return new ZodString(params); }
${filler}
// src/server.js
function patient() {
  return external_exports.preprocess((value) => String(value), external_exports.string().trim());
}
server.tool('find', 'Finds a page', { title: patient().describe('Of the page'), year: external_exports.coerce.number() }, async ({ title }) => title);
server.tool('name', 'Names a page', { part: string2() }, async ({ part }) => part);
`;
    const { surface } = await analyseProject([{ path: 'dist/server.cjs', text }]);
    assert.deepEqual(
      surface.map(({ name, inputSchema }) => [name, inputSchema]),
      [
        [
          'find',
          {
            type: 'object',
            properties: { title: { type: 'string', description: 'Of the page' }, year: { type: 'number' } },
          },
        ],
        ['name', { type: 'object', properties: { part: { type: 'string' } } }],
      ],
    );
  });
});
