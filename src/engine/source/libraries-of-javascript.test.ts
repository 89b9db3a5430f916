/** What libraries of JavaScript do with a text of the caller's. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const server = "server.tool('shelf', { text: z.string() }, async ({ text }) => {";

/** The rules that speak of a tool with this body. */
async function rulesOf(imports: string, body: string): Promise<string[]> {
  const { observations } = await analyseProject([
    { path: 'a.ts', text: `${imports}\n${server}\n${body}\n});` },
  ]);
  return observations.filter(({ severity }) => /critical|high|medium/.test(severity)).map(({ rule }) => rule);
}

const childProcess = "import { spawn, execFile } from 'child_process';";

const weak: readonly (readonly [rule: string, imports: string, body: string])[] = [
  ['command-injection', "import { $ } from 'bun';", '$`${{ raw: `ls ${text}` }}`;'],
  ['command-injection', "import spawn from 'cross-spawn';", "spawn.sync('ls', [text], { shell: true });"],
  [
    'command-injection',
    "import Docker from 'dockerode'; const d = new Docker();",
    "d.run('alpine', ['sh', '-c', `ls ${text}`]);",
  ],
  [
    'command-injection',
    "import { Client } from 'ssh2'; const c = new Client();",
    'c.shell((err, stream) => { stream.write(`${text}\\n`); });',
  ],
  [
    'command-injection',
    "import * as k8s from '@kubernetes/client-node'; const e = new k8s.Exec(new k8s.KubeConfig());",
    "e.exec('a', 'b', 'c', ['sh', '-c', text], null, null, null, false);",
  ],
  ['command-injection', '', "Bun.spawn({ cmd: ['sh', '-c', `ls ${text}`] });"],
  ['chosen-program', "import pty from 'node-pty';", 'pty.spawn(text, [], {});'],
  [
    'chosen-program',
    "import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';",
    'new StdioClientTransport({ command: text });',
  ],
  ['argument-injection', "import simpleGit from 'simple-git';", "await simpleGit().clone(text, 'here');"],
  ['argument-injection', childProcess, "spawn('own-tool', ['find', ...text.split(' ')]);"],
  ['code-execution', childProcess, "spawn('python3', ['-c', `print(${text})`]);"],
  ['code-execution', childProcess, "execFile('node', ['--input-type=module', '-e', text]);"],
  ['code-execution', '', 'globalThis.eval(text);'],
  ['code-execution', "import jp from 'jsonpath';", 'jp.query({}, text);'],
  [
    'code-execution',
    "import puppeteer from 'puppeteer';",
    "const p = await (await puppeteer.launch()).newPage(); const c = await p.createCDPSession(); await c.send('Runtime.evaluate', { expression: text });",
  ],
  [
    'sql-injection',
    "import { Spanner } from '@google-cloud/spanner'; const db = new Spanner();",
    'await db.instance("i").database("d").run({ sql: `SELECT ${text}` });',
  ],
  [
    'nosql-injection',
    "import { Client } from '@elastic/elasticsearch'; const es = new Client({});",
    "await es.search({ index: 'a', query: { bool: { must: [{ script: { script: { source: `doc > ${text}` } } }] } } });",
  ],
  [
    'nosql-injection',
    "import { Client } from '@elastic/elasticsearch'; const es = new Client({});",
    "await es.search({ index: 'a', body: JSON.parse(text) });",
  ],
  [
    'nosql-injection',
    "import { createClient } from 'redis'; const r = createClient();",
    'await r.eval(`return ${text}`);',
  ],
  [
    'nosql-injection',
    "import { MongoClient } from 'mongodb'; const db = new MongoClient('x').db('d');",
    "await db.collection('books').find({ $and: [{ $where: `this.a == ${text}` }] }).toArray();",
  ],
  [
    'ldap-injection',
    "import AD from 'activedirectory2'; const ad = new AD({});",
    'ad.findUsers(`cn=${text}`, () => {});',
  ],
  [
    'path-traversal',
    "import mammoth from 'mammoth';",
    'await mammoth.extractRawText({ path: `/srv/${text}` });',
  ],
  ['path-traversal', "import jetpack from 'fs-jetpack';", 'jetpack.read(`/srv/${text}`);'],
  [
    'path-traversal',
    "import yauzl from 'yauzl'; import fs from 'fs';",
    "yauzl.open('/srv/a.zip', {}, (err, zip) => { zip.on('entry', (entry) => { fs.createWriteStream('/srv/' + entry.fileName); }); });",
  ],
  [
    'path-traversal',
    "import JSZip from 'jszip'; import fs from 'fs';",
    "const zip = await JSZip.loadAsync(text); for (const [name, file] of Object.entries(zip.files)) fs.writeFileSync('/srv/' + name, 'x');",
  ],
  ['server-side-request-forgery', "import { io } from 'socket.io-client';", 'io(text);'],
  ['server-side-request-forgery', "import tls from 'node:tls';", 'tls.connect(443, text);'],
  [
    'server-side-request-forgery',
    "import axios from 'axios';",
    "await axios.create({ baseURL: `http://${text}` }).get('/x');",
  ],
  ['server-side-request-forgery', "import pg from 'pg';", 'new pg.Client({ connectionString: text });'],
  [
    'server-side-request-forgery',
    "import SwaggerParser from '@apidevtools/swagger-parser';",
    'await SwaggerParser.dereference(text);',
  ],
  [
    'unsafe-deserialization',
    "import { deserialize } from 'bson';",
    'deserialize(Buffer.from(text), { evalFunctions: true });',
  ],
  [
    'template-injection',
    "import { Edge } from 'edge.js'; const edge = Edge.create();",
    'await edge.renderRaw(text, {});',
  ],
  [
    'prototype-pollution',
    'const all = {};',
    "const parts = text.split('.'); const last = parts.pop(); parts.reduce((at, name) => (at[name] ??= {}), all)[last] = 1;",
  ],
  [
    'prototype-pollution',
    "import extend from 'extend'; const all = {};",
    'extend(true, all, JSON.parse(text));',
  ],
];

const safe: typeof weak = [
  ['command-injection', "import { $ } from 'execa';", '$`ls -- ${text}`;'],
  ['code-execution', childProcess, "spawn('python3', ['-c', 'import sys; print(sys.argv)', text]);"],
  ['code-execution', '', 'setTimeout(() => text, 10);'],
  ['chosen-program', "import pty from 'node-pty';", "pty.spawn('top', [], {});"],
  ['argument-injection', childProcess, "spawn('own-tool', ['find', '--', ...text.split(' ')]);"],
  ['argument-injection', childProcess, "spawn('own-tool', ['find', '--', text]);"],
  [
    'nosql-injection',
    "import { Client } from '@elastic/elasticsearch'; const es = new Client({});",
    "await es.search({ index: 'a', query: { match: { title: text } } });",
  ],
  [
    'server-side-request-forgery',
    "import axios from 'axios';",
    "await axios.create({ baseURL: 'https://a.example', headers: { note: text } }).get('/x');",
  ],
  [
    'prototype-pollution',
    'const all = Object.create(null);',
    'all[text] ??= Object.create(null); all[text][text] = 1;',
  ],
];

describe('a text of the caller that a library takes', () => {
  for (const [rule, imports, body] of weak)
    it(`${rule}: ${body}`, async () => {
      const found = await rulesOf(imports, body);
      assert.ok(found.includes(rule), `found ${found.join(', ')}`);
    });
});

describe('a text of the caller that does no harm', () => {
  for (const [rule, imports, body] of safe)
    it(`${rule}: ${body}`, async () => {
      assert.equal((await rulesOf(imports, body)).includes(rule), false);
    });
});
