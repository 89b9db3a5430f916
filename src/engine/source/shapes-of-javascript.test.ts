import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

/** Rules that are found at high severity or above in a project, each with its file. */
async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { observations } = await analyseProject(
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );
  const rules = observations
    .filter(({ severity }) => ['critical', 'high'].includes(severity))
    .map(({ rule, location }) => `${location?.path} ${rule}`);
  return [...new Set(rules)].toSorted();
}

const mcp = `const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js"); const { z } = require("zod");
const server = new McpServer({ name: "desk", version: "1" });`;

/** A server with one tool that does this with its word. */
const withTool = (body: string, before = ''): string => `${mcp}
${before}
server.tool("lamp", { word: z.string() }, async ({ word }) => { ${body} });`;

const shell = ['a.js command-injection'];

void test('functions whose prototype has methods are classes, also those that are derived', async () => {
  const lamps = (word: string) => `
var cp = require("child_process"); var util = require("util");
var Lamp = (function () {
  function Lamp(room) { this.room = room; }
  Lamp.prototype.turn = function (word) { cp.execSync("lampctl " + ${word}); };
  return Lamp;
}());
function Desk() { Lamp.call(this, "desk"); }
util.inherits(Desk, Lamp);
Desk.prototype = { dim: function (word) { return this.turn(word); } };
Desk.open = function () { return new Desk(); };
`;
  assert.deepEqual(await found({ 'a.js': withTool('new Lamp("hall").turn(word);', lamps('word')) }), shell);
  assert.deepEqual(await found({ 'a.js': withTool('Desk.open().dim(word);', lamps('word')) }), shell);
  assert.deepEqual(await found({ 'a.js': withTool('new Lamp("hall").turn(word);', lamps('this.room')) }), []);
});

void test('a promise comes to what it is resolved with; texts that come back are nobody’s input', async () => {
  const dial = (
    first: string,
  ) => `const { Client } = require("ssh2"); const { exec } = require("child_process");
function dial(name) {
  ${first}
  const line = new Client();
  return new Promise((done, failed) => { line.once("ready", () => done(line)); line.once("error", failed); });
}
const read = (name) => new Promise((done) => exec("uptime", { env: { NAME: name } }, (error, text) => done(text)));`;
  const run = (text: string) => `const line = await dial("hall"); line.exec(${text}, () => {});`;
  assert.deepEqual(await found({ 'a.js': withTool(run('`lampctl ${word}`'), dial('')) }), shell);
  assert.deepEqual(
    await found({
      'a.js': withTool(
        run('`lampctl ${word}`'),
        dial('if (!name) return Promise.reject(new Error("no name"));'),
      ),
    }),
    shell,
  );
  assert.deepEqual(await found({ 'a.js': withTool(run('"lampctl state"'), dial('')) }), []);
  assert.deepEqual(
    await found({ 'a.js': withTool('exec(`echo ${(await read(word)).length}`);', dial('')) }),
    [],
  );
});

void test('a module that is one function, or a class without a name', async () => {
  const main = `${mcp}
const register = require("./a"); const Shelf = require("./b").default; const Box = require("./c");
register(server, (name, run) => async (input) => { try { return await run(input); } finally { console.error(name); } });
const shelf = new Shelf("/srv/shelf"); const box = new Box();
server.tool("shelf", { word: z.string() }, shelf.read.bind(shelf));
server.tool("box", { word: z.string() }, async ({ word }) => box.read(word));`;
  const files = (a: string, b: string, c: string) => ({
    'main.js': main,
    'a.js': `const { exec } = require("child_process"); const { z } = require("zod");
module.exports = function (server, wrap) {
  server.tool("lamp", { word: z.string() }, wrap("lamp", async ({ word }) => { exec(${a}); }));
};`,
    'b.js': `const fs = require("fs");
exports.default = class { constructor(root) { this.root = root; } async read({ word }) { return fs.readFileSync(${b}); } };`,
    'c.js': `const fs = require("fs"); module.exports = class extends Object { read(word) { return fs.readFileSync(${c}); } };`,
  });
  assert.deepEqual(await found(files('"lampctl " + word', 'this.root + "/" + word', '"/srv/box/" + word')), [
    'a.js command-injection',
    'b.js path-traversal',
    'c.js path-traversal',
  ]);
  assert.deepEqual(await found(files('"lampctl on"', 'this.root', '"/srv/box/" + word.length')), []);
});

void test('tools of a folder whose files are read and imported', async () => {
  const files = (query: string) => ({
    'src/main.ts': `import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { readdir } from "node:fs/promises"; import { join } from "node:path"; import { pathToFileURL } from "node:url";
const known = new Map<string, any>();
for (const file of await readdir(join(import.meta.dirname, "verbs"))) {
  const { default: verb } = await import(pathToFileURL(join(import.meta.dirname, "verbs", file)).href);
  known.set(verb.spec.name, verb);
}
const server = new Server({ name: "desk", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => known.get(params.name)?.act(params.arguments));`,
    'src/verbs/guests.ts': `import pg from "pg"; const pool = new pg.Pool();
export default { spec: { name: "guests" }, async act({ word }: { word: string }) { return pool.query(${query}); } };`,
  });
  assert.deepEqual(await found(files("`select * from guests where name = '${word}'`")), [
    'src/verbs/guests.ts sql-injection',
  ]);
  assert.deepEqual(await found(files('"select * from guests where name = $1", [word]')), []);
});

void test('modules in tables and lists, and tables that are gone through pair by pair', async () => {
  const verbs = {
    'a.js': `import { execSync } from "child_process";\nexport const turn = (word) => execSync("lampctl " + word);`,
    'b.js': `import { execSync } from "child_process";\nexport function dim(word) { return execSync("dim " + word); }
export const state = () => execSync("lampctl state");`,
  };
  const main = (registering: string) => `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod"; import * as a from "./a.js"; import * as b from "./b.js";
const server = new McpServer({ name: "desk", version: "1" });
const shape = { word: z.string() };
${registering}`;
  const both = ['a.js command-injection', 'b.js command-injection'];
  for (const registering of [
    'for (const group of Object.values({ a, b })) for (const [name, run] of Object.entries(group)) server.tool(name, shape, async ({ word }) => ({ content: await run(word) }));',
    'for (const group of [a, b]) for (const name of Object.keys(group)) server.tool(name, shape, async ({ word }) => ({ content: await group[name](word) }));',
    'const all = new Map([...Object.entries(a), ...Object.entries(b)]); for (const [name, run] of all) server.tool(name, shape, async ({ word }) => ({ content: await run(word) }));',
  ])
    assert.deepEqual(await found({ 'main.js': main(registering), ...verbs }), both, registering);
  assert.deepEqual(
    await found({
      'main.js': main('server.tool("state", shape, async ({ word }) => ({ content: await b.state(word) }));'),
      ...verbs,
    }),
    [],
  );
});

void test('lists that are made longer or shorter keep what stands before a word', async () => {
  const start = (list: string) =>
    withTool(
      `spawnSync("git", ${list}, { cwd: "/srv" });`,
      'const { spawnSync } = require("child_process");',
    );
  const option = ['a.js argument-injection'];
  for (const list of [
    '["show", "--stat"].concat(word)',
    '["show"].concat(["--stat", word])',
    '["show", word].filter(Boolean)',
  ])
    assert.deepEqual(await found({ 'a.js': start(list) }), option, list);
  for (const list of [
    '["show", "--"].concat(word)',
    '["show"].concat(["--", word])',
    '["show", "--", word].filter(Boolean)',
  ])
    assert.deepEqual(await found({ 'a.js': start(list) }), [], list);
});

void test('what one way of a choice shows is nothing that the other knows', async () => {
  const before = `const { exec } = require("child_process");
const asked = (word) => { if (!/^[a-z]+$/.test(word)) throw new Error("no word"); return exec("lampctl " + word); };
const unasked = (word) => exec("dim " + word);`;
  assert.deepEqual(
    await found({ 'a.js': withTool('word.length > 3 ? asked(word) : unasked(word);', before) }),
    shell,
  );
  assert.deepEqual(
    await found({ 'a.js': withTool('word.length > 3 ? asked(word) : asked(word);', before) }),
    [],
  );
});

void test('pg-format puts in what %s is given as it is', async () => {
  const query = (text: string) =>
    withTool(
      `return pool.query(format(${text}, word));`,
      'const format = require("pg-format"); const { Pool } = require("pg"); const pool = new Pool();',
    );
  assert.deepEqual(await found({ 'a.js': query('"SELECT * FROM guests ORDER BY %s"') }), [
    'a.js sql-injection',
  ]);
  assert.deepEqual(await found({ 'a.js': query('"SELECT * FROM %I"') }), []);
  assert.deepEqual(await found({ 'a.js': query('"SELECT * FROM guests WHERE name = %L"') }), []);
});
