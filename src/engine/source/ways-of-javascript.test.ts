/** Ways that a text of the caller's takes through JavaScript, and what its servers are made of. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const head = "import { exec } from 'child_process';\n";

async function isFound(text: string, rule = 'command-injection'): Promise<boolean> {
  const { observations } = await analyseProject([{ path: 'a.ts', text: head + text }]);
  return observations.some((each) => each.rule === rule && /critical|high|medium/.test(each.severity));
}

const withTool = (before: string, body: string): string =>
  `${before}\nserver.tool('shelf', { name: z.string() }, async ({ name }) => { ${body} });`;

const ways: readonly (readonly [what: string, before: string, body: string])[] = [
  [
    'a getter',
    'class Job { constructor(private readonly name) {} get line() { return `ls ${this.name}`; } run() { exec(this.line); } }',
    'new Job(name).run();',
  ],
  [
    'a getter of a class',
    'class Db { private static one; static get instance() { return (this.one ??= new Db()); } run(line) { exec(line); } }',
    'Db.instance.run(`ls ${name}`);',
  ],
  ['call', 'function run(shelf) { exec(`ls ${shelf}`); }', 'run.call(undefined, name);'],
  ['apply', 'function run(...shelves) { exec(["ls", ...shelves].join(" ")); }', 'run.apply(null, [name]);'],
  ['bind', 'const run = exec.bind(null);', 'run(`ls ${name}`);'],
  [
    'a function that is given as a preset',
    'function run(shelf, tools = { exec }) { tools.exec(`ls ${shelf}`); }',
    'run(name);',
  ],
  [
    'a preset that is a field',
    'class Job { constructor(private run = exec) {} go(shelf) { this.run(`ls ${shelf}`); } }',
    'new Job().go(name);',
  ],
  ['a container', 'class Job { go(shelf) { exec(`ls ${shelf}`); } }', 'container.resolve(Job).go(name);'],
  [
    'a queue',
    "import Queue from 'p-queue'; const queue = new Queue();",
    'await queue.add(() => exec(`ls ${name}`));',
  ],
  [
    'a namespace',
    'namespace Shelves { export function list(shelf) { exec(`ls ${shelf}`); } }',
    'Shelves.list(name);',
  ],
  [
    'an assignment of several',
    "const settings = { shelf: 'a' };",
    'Object.assign(settings, { shelf: name }); exec(`ls ${settings.shelf}`);',
  ],
  ['what a function puts in', '', "exec('ls SHELF'.replace(/SHELF/g, () => name));"],
  ['a constant key', "import cp from 'child_process'; const key = 'exec';", 'cp[key](`ls ${name}`);'],
  ['a module of the runtime', '', "process.getBuiltinModule('child_process').exec(`ls ${name}`);"],
  [
    'functions put together from the right',
    'const chain = [(at, next) => next(at)].reduceRight((next, each) => (at) => each(at, next), (at) => exec(`ls ${at}`));',
    'chain(name);',
  ],
  [
    'one of a list by a number that grows',
    'const runs = [() => 1, (shelf) => exec(`ls ${shelf}`)]; let at = 0;',
    'runs[at++](name);',
  ],
];

const servers: readonly (readonly [what: string, text: string])[] = [
  [
    'lines of a client',
    "import readline from 'readline'; const lines = readline.createInterface({ input: process.stdin });\nlines.on('line', (line) => { const m = JSON.parse(line); if (m.method === 'tools/call') exec(`ls ${m.params.arguments.shelf}`); });",
  ],
  [
    'sockets',
    "import { WebSocketServer } from 'ws'; const all = new WebSocketServer({ port: 1 });\nall.on('connection', (one) => { one.on('message', (data) => { exec(`ls ${JSON.parse(data).shelf}`); }); });",
  ],
  [
    'middlewares',
    "import Koa from 'koa'; const app = new Koa();\napp.use(async (ctx) => { exec(`ls ${ctx.request.body.shelf}`); });",
  ],
  [
    'a worker',
    'export default { async fetch(request) { const { shelf } = await request.json(); exec(`ls ${shelf}`); } };',
  ],
  [
    'procedures',
    "import { publicProcedure } from './trpc';\nexport const list = publicProcedure.input(z.object({ shelf: z.string() })).mutation(({ input }) => { exec(`ls ${input.shelf}`); });",
  ],
  [
    'event handlers',
    "import { defineEventHandler, readBody } from 'h3';\nexport default defineEventHandler(async (event) => { const { shelf } = await readBody(event); exec(`ls ${shelf}`); });",
  ],
  ['resolvers', 'const resolvers = { Query: { list: (_, { shelf }) => { exec(`ls ${shelf}`); } } };'],
  [
    'a definition apart from its function',
    "export const list = defineTool({ schema: { name: 'list', description: 'Lists', inputSchema: z.object({ shelf: z.string() }) }, handle: async (context, params) => { exec(`ls ${params.shelf}`); } });",
  ],
];

describe('a text of the caller is followed', () => {
  for (const [what, before, body] of ways)
    it(`through ${what}`, async () => assert.ok(await isFound(withTool(before, body))));
  it('where a schema lets an object through', async () => {
    const text =
      "import mongoose from 'mongoose'; const Book = mongoose.model('Book', {});\nserver.tool('book', { title: z.any() }, async ({ title }) => Book.findOne({ title, isFree: true }));";
    assert.ok(await isFound(text, 'nosql-injection'));
    assert.equal(await isFound(text.replace('z.any()', 'z.string()'), 'nosql-injection'), false);
  });
});

describe('requests are seen that come by', () => {
  for (const [what, text] of servers) it(what, async () => assert.ok(await isFound(text)));
});

it('what a server hands to those who register its tools is not the caller’s', async () => {
  const text =
    "export function shelves({ server, git }) {\n  server.registerTool('list', { inputSchema: { days: z.number() } }, async ({ days }) => git.list(days));\n}\nclass Git { list(days) { exec(`git log --since=${days}`); } }\nshelves({ server, git: new Git() });";
  assert.equal(await isFound(text), false);
});

const checks: readonly (readonly [safe: string, weak: string, rule?: string])[] = [
  [
    'if (/[^\\w.]/.test(name)) throw new Error(); exec(`ls ${name}`);',
    'if (/[;&|]/.test(name)) throw new Error(); exec(`ls ${name}`);',
  ],
  [
    'const m = /^shelf=(\\w+)$/.exec(name); exec(`ls ${m[1]}`);',
    'const m = /^shelf=(.*)$/.exec(name); exec(`ls ${m[1]}`);',
  ],
  [
    'const one = z.string().regex(/^\\w+$/).parse(name); exec(`ls ${one}`);',
    'const one = z.string().min(1).parse(name); exec(`ls ${one}`);',
  ],
  [
    'if (![name].every((each) => /^\\w+$/.test(each))) throw new Error(); exec(`ls ${name}`);',
    'if (![name].some((each) => /^\\w+$/.test(each)) && name) exec(`ls ${name}`);',
  ],
  [
    'if (!/^https:\\/\\/a\\.example\\//.test(name)) throw new Error(); await fetch(name);',
    'if (!/^https:\\/\\/a\\.example/.test(name)) throw new Error(); await fetch(name);',
    'server-side-request-forgery',
  ],
  [
    'await fetch(`https://a.example${new URL(name).pathname}`);',
    'await fetch(`https://a.example${name}`);',
    'server-side-request-forgery',
  ],
  [
    "fs.readFileSync('/srv/' + name.split('/').pop());",
    "fs.readFileSync('/srv/' + name.split('.').pop());",
    'path-traversal',
  ],
  [
    "fs.readFileSync(path.join('/srv', path.join('/', name)));",
    "fs.readFileSync(path.join('/srv', path.normalize(name)));",
    'path-traversal',
  ],
  [
    "fs.readFileSync(path.join('/srv', path.parse(name).base));",
    "fs.readFileSync(path.join('/srv', path.parse(name).dir));",
    'path-traversal',
  ],
  [
    "if (!inside(path.resolve(name), '/srv')) throw new Error(); fs.readFileSync(path.resolve(name));",
    "if (!inside('/srv', path.resolve(name))) throw new Error(); fs.readFileSync(path.resolve(name));",
    'path-traversal',
  ],
  [
    "new RegExp(name.replace(/[.*+?^${}()|[\\]\\\\]/g, (c) => '\\\\' + c));",
    "new RegExp(name.replace(/[-]/g, (c) => '\\\\' + c));",
    'regex-injection',
  ],
  [
    "if (!/^src\\/.*$/.test(name)) throw new Error(); execFile('git', ['log', name]);",
    "if (!/^.*$/.test(name)) throw new Error(); execFile('git', ['log', name]);",
    'argument-injection',
  ],
];

describe('a check that holds is told from one that does not', () => {
  const before =
    "import fs from 'fs'; import path from 'path'; import inside from 'is-path-inside'; import { execFile } from 'child_process'; import { z } from 'zod';";
  for (const [safe, weak, rule = 'command-injection'] of checks)
    it(safe, async () => {
      assert.equal(await isFound(withTool(before, safe), rule), false);
      assert.ok(await isFound(withTool(before, weak), rule), weak);
    });
});
