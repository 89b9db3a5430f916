import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';
import type { SourceFile } from './types.ts';

const found = async (files: readonly SourceFile[]): Promise<string[]> => {
  const { observations } = await analyseProject(files);
  return observations.map(({ rule, severity }) => `${rule} ${severity}`);
};

const inFile = (text: string): Promise<string[]> => found([{ path: 'server.js', text }]);

/** A list of tools, and one function that answers for all by a table. */
const listed = (schema: string, body: string, more = ''): string => `
import fs from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
${more}
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [
  { name: 'pack_album', description: 'Packs photographs', inputSchema: { type: 'object', properties: { ${schema} } } },
] }));
const table = { pack_album: async (given) => { ${body} } };
server.setRequestHandler(CallToolRequestSchema, async (request) => table[request.params.name](request.params.arguments));
`;

describe('what a schema says of a parameter', () => {
  const album = `album: { type: 'string', description: 'Absolute path of the folder with the photographs' }`;
  const reads = `return fs.readFileSync(path.join(given.album, 'index.json'), 'utf8');`;

  it('makes a path that its caller may choose a capability', async () => {
    assert.deepEqual(await inFile(listed(album, reads)), ['path-traversal low']);
  });

  it('does not, where the project keeps callers within a folder', async () => {
    const limits = `export const isWithin = (file) => file.startsWith(ROOT_DIR + path.sep);`;
    assert.deepEqual(await inFile(listed(album, reads, limits)), ['path-traversal medium']);
  });

  it('does not, where strangers may call', async () => {
    const serves = `new StreamableHTTPServerTransport({ allowedHosts: ['localhost'], enableDnsRebindingProtection: true });`;
    assert.deepEqual(await inFile(listed(album, reads, serves)), ['path-traversal medium']);
  });

  it('does not, where the server puts its own folder before it', async () => {
    const behind = `return fs.readFileSync('/srv/albums/' + given.album, 'utf8');`;
    assert.deepEqual(await inFile(listed(album, behind)), ['path-traversal high']);
  });

  it('says nothing of another parameter', async () => {
    const other = `${album}, title: { type: 'string', description: 'What the album is called' }`;
    const reader = `return fs.readFileSync(path.join(given.title, 'index.json'), 'utf8');`;
    assert.deepEqual(await inFile(listed(other, reader)), ['path-traversal high']);
  });

  it('is found in a schema within the schema', async () => {
    const nested = `target: { type: 'object', properties: { ${album} } }`;
    const reader = `return fs.readFileSync(path.join(given.target.album, 'index.json'), 'utf8');`;
    assert.deepEqual(await inFile(listed(nested, reader)), ['path-traversal low']);
  });

  it('may leave but a few words, which is not known to be checked', async () => {
    const printer = (more: string) =>
      `printer: { type: 'string', description: 'Which of the printers'${more} }`;
    const sends = 'return fetch(`http://${given.printer}/print`);';
    const few = `, enum: ['attic', 'cellar']`;
    assert.deepEqual(await inFile(listed(printer(few), sends)), ['server-side-request-forgery medium']);
    assert.deepEqual(await inFile(listed(printer(''), sends)), ['server-side-request-forgery high']);
  });

  it('is found in the source where no list shows it', async () => {
    const made = (words: string) => `import fs from 'node:fs';
const shape = z.object({ roll: z.string().optional().describe('${words}'), count: z.number() });
export const parts = [{ name: 'develop', cb: async ({ roll: film }) => fs.readdirSync(film) }];
for (const { name, cb } of parts) server.registerTool(name, { inputSchema: wrapped(shape) }, (given) => cb(given.choice));`;
    assert.deepEqual(await inFile(made('Local folder with the negatives')), ['path-traversal low']);
    assert.deepEqual(await inFile(made('Number of the roll')), ['path-traversal high']);
  });
});

describe('the port of a written host', () => {
  const asks = (address: string) =>
    inFile(`server.registerTool('t', { description: 'State of the browser', inputSchema: { where: z.string() } },
  async ({ where }) => fetch(\`${address}\`));`);

  it('leads elsewhere only by a text that is no number', async () => {
    assert.deepEqual(await asks('http://localhost:${where}/json'), ['server-side-request-forgery medium']);
    assert.deepEqual(await asks('http://${where}:9222/json'), ['server-side-request-forgery high']);
  });
});

describe('statements beside a tool that takes any', () => {
  const describes = `server.registerTool('columns', { description: 'Names of columns', inputSchema: { table: z.string() } },
  async ({ table }) => pool.query(\`SELECT * FROM "\${table}" LIMIT 0\`));`;
  const runs = `server.registerTool('run_sql', { description: 'Runs an SQL statement', inputSchema: { sql: z.string() } },
  async ({ sql }) => pool.query(sql));`;

  it('let nobody do what that one does not', async () => {
    assert.deepEqual(await inFile(describes), ['sql-injection high']);
    assert.deepEqual((await inFile(`${describes}\n${runs}`)).toSorted(), [
      'sql-injection low',
      'sql-injection medium',
    ]);
  });

  it('are one finding where there are many', async () => {
    const several = ['a', 'b', 'c', 'd', 'e'].map((each) => describes.replace("'columns'", `'${each}'`));
    const all = await inFile([...several, runs].join('\n'));
    assert.deepEqual(all.toSorted(), ['sql-injection low', 'sql-injection medium']);
  });

  it('are as bad as alone where that one promises to read only', async () => {
    const reads = runs.replace('Runs an SQL statement', 'Runs a read-only SQL query');
    assert.ok((await inFile(`${describes}\n${reads}`)).includes('sql-injection high'));
  });
});

describe('what a client is given to send', () => {
  it('is no request that came in', async () => {
    const typed = (type: string) =>
      found([{ path: 'call.ts', text: `export const load = async (from: ${type}) => fetch(from);` }]);
    const highest = async (type: string) => (await typed(type)).filter((each) => each.endsWith('high'));
    assert.deepEqual(await highest('URL | string | Request'), []);
    assert.deepEqual(await highest('Request'), ['server-side-request-forgery high']);
  });
});

describe('programs that run another one', () => {
  const runs = (words: string) =>
    inFile(`import { execFile } from 'node:child_process';
server.registerTool('t', { description: 'Sets something up', inputSchema: { what: z.string() } },
  async ({ what }) => execFile('npx', [${words}, what]));`);

  it('give it the options', async () => {
    assert.deepEqual(await runs(`'stickers', 'install'`), ['argument-injection medium']);
    assert.deepEqual(await runs(`'git', 'clone'`), ['argument-injection high']);
  });
});
