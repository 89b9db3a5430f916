/** Servers that bring the protocol's library along, or read the protocol themselves; and functions with several callers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const analysed = async (text: string) => {
  const { observations } = await analyseProject([{ path: 'a.js', text }]);
  return observations;
};
const found = async (text: string): Promise<string[]> =>
  (await analysed(text)).map(({ rule, subject }) => `${rule} ${subject ?? ''}`.trim());
const lines = async (text: string): Promise<string[]> =>
  (await analysed(text)).map(({ subject, location }) => `${subject}:${location?.startLine}`).toSorted();

const head = "import { execSync } from 'node:child_process';\n";
const lists = "execSync('ls ' + shelf);";

describe('a server is seen', () => {
  const library = `var Protocol = class { setRequestHandler(schema, handler) {
  this.handlers.set(methodOf(schema), (request, extra) => Promise.resolve(handler(parse(schema, request), extra)));
} };
var Server = class extends Protocol { setRequestHandler(schema, handler) {
  if (methodOf(schema) === 'tools/call')
    return super.setRequestHandler(schema, async (request, extra) => Promise.resolve(handler(request, extra)));
  return super.setRequestHandler(schema, handler);
} };
var McpServer = class { tool(name, ...rest) { this.tools[name] = rest.pop(); } registerTool(name, config, run) { this.tools[name] = run; } };
`;

  it('where its bundle contains the library of the protocol', async () => {
    const low = `async function main() {
  const server = new Server({ name: 'shelves' }, {});
  server.setRequestHandler(CallToolRequestSchema, async (request) => {
    const { name, arguments: { shelf } } = request.params;
    switch (name) { case 'list_shelf': ${lists} }
  });
}
main();
`;
    assert.deepEqual(await found(head + library + low), ['command-injection list_shelf']);
    for (const offer of [
      `server.tool('list_shelf', { shelf: z.string() }, async ({ shelf }) => { ${lists} });`,
      `server.registerTool('list_shelf', { inputSchema: { shelf: z.string() } }, async ({ shelf }) => { ${lists} });`,
    ])
      assert.deepEqual(await found(`${head}${library}const server = new McpServer();\n${offer}`), [
        'command-injection list_shelf',
      ]);
  });

  it('where it answers requests of the protocol itself, by methods that the caller names', async () => {
    const text = `${head}class Shelves {
  list_shelf({ shelf }) { ${lists} }
  async answer({ method, params }) {
    if (method === 'initialize') return {};
    if (method === 'tools/call') {
      const { name, arguments: args } = params;
      if (!this[name]) throw new Error('unknown');
      return this[name](args);
    }
  }
}
process.stdin.on('data', (line) => new Shelves().answer(JSON.parse(line)));
`;
    assert.deepEqual(await found(text), ['command-injection list_shelf']);
  });
});

describe('a function that runs what several callers put together', () => {
  const shell = `import { Client } from 'ssh2';
class Shell { constructor() { this.client = new Client(); }
  run(command) { return new Promise((resolve) => this.client.exec(command, resolve)); } }
const open = new Map();
function shellOf(name) {
  if (open.has(name)) return open.get(name);
  const shell = new Shell(); open.set(name, shell); return shell;
}
`;
  const tool = (name: string, body: string) =>
    `server.tool('${name}', { host: z.string(), shelf: z.string() }, async ({ host, shelf }) => { ${body} });\n`;

  it('is told of where each of them does, and where it runs', async () => {
    const text =
      shell +
      tool('list_shelf', 'return shellOf(host).run(`ls ${shelf}`);') +
      tool('drop_shelf', 'return shellOf(host).run(`rm ${shelf}`);');
    assert.deepEqual(await lines(text), ['drop_shelf:10', 'list_shelf:3', 'list_shelf:9']);
  });

  it('is told of where each does that one handler of all tools leads to', async () => {
    const text = `${shell}server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: { shelf } } }) => {
  switch (name) {
    case 'list_shelf': return shellOf('a').run(\`ls \${shelf}\`);
    case 'drop_shelf': return shellOf('a').run(\`rm \${shelf}\`);
  }
});
`;
    assert.deepEqual(await lines(text), ['drop_shelf:12', 'list_shelf:11', 'list_shelf:3']);
  });

  it('is told of once where one does', async () => {
    assert.deepEqual(await lines(shell + tool('list_shelf', 'return shellOf(host).run(`ls ${shelf}`);')), [
      'list_shelf:3',
    ]);
  });
});

describe('what is no weakness', () => {
  const inTool = (body: string, before = '') =>
    found(`import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
const sharp = require('sharp');
${before}
server.tool('t', { name: z.string(), items: z.array(z.any()) }, async ({ name, items }) => { ${body} });
`);
  const paths = ['path-traversal t'];

  it('is a path whose separators were replaced, one kind after the other', async () => {
    const read = (text: string) => inTool(`fs.readFileSync(path.join('/srv', ${text}));`);
    assert.deepEqual(await read("name.replace(/\\//g, '_').replace(/:/g, '_').replace(/\\\\/g, '_')"), []);
    assert.deepEqual(await read("name.replaceAll('/', '_').replaceAll('\\\\', '_')"), []);
    assert.deepEqual(await read("name.replaceAll('/', '_')"), paths);
    assert.deepEqual(await read("name.replace('/', '_').replace('\\\\', '_')"), paths);
    assert.deepEqual(
      await read("name.replaceAll('/', '_').replaceAll('_', '/').replaceAll('\\\\', '')"),
      paths,
    );
    assert.deepEqual(await read("`${name.replaceAll('/', '')}/${name}`.replaceAll('\\\\', '')"), paths);
  });

  it('are bytes where a path could stand', async () => {
    assert.deepEqual(await inTool("sharp(Buffer.from(name, 'base64'));"), []);
    assert.deepEqual(await inTool("fs.readFileSync(Buffer.from(name, 'base64').toString());"), paths);
  });

  it('is a part of an address behind its host, also where it is an object', async () => {
    const before = "const base = process.env.BASE || 'http://127.0.0.1:3000';";
    const body = 'const made = items.map((item) => ({ ...item })); await fetch(`${base}/a/${made.id}`);';
    assert.deepEqual(await inTool(body, before), []);
  });

  it('is a server that listens at a file, for its own command', async () => {
    const server = (at: string) =>
      found(`import fs from 'node:fs';
import net from 'node:net';
net.createServer((peer) => { peer.on('data', (line) => fs.readFileSync(JSON.parse(line).path)); }).listen(${at});
`);
    assert.deepEqual(await server('options.socketPath'), []);
    assert.deepEqual(await server('8100'), ['path-traversal', 'bind-all-interfaces']);
  });

  it('is a token that is compared with what it was', async () => {
    const compare = (a: string, b: string) =>
      found(
        `const API_TOKEN = process.env.API_TOKEN; export function isOther(a, b) { return ${a}.ACCESS_TOKEN !== ${b}.ACCESS_TOKEN; }`,
      );
    assert.deepEqual(await compare('current', 'previous'), []);
    assert.deepEqual(await compare('given', 'settings'), ['timing-unsafe-comparison']);
  });

  it('is a sentence in another script under the name of a key', async () => {
    assert.deepEqual(
      await found("const texts = { invalidEncryptionKey: '暗号化キーは必ず22文字で指定してください1' };"),
      [],
    );
  });
});
