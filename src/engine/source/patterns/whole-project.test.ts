import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const server = `import { createServer } from 'node:http';
import { guarded } from './guard.js';
createServer(guarded(async (req, res) => {
  const asked = JSON.parse(await bodyOf(req));
  if (asked.method === 'tools/call') res.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: await run(asked.params) }));
})).listen(7070, '127.0.0.1');`;

const guards: Record<string, { text: string; isGuard: boolean }> = {
  'the host': {
    text: `export const guarded = (next) => (req, res) => (hosts.has(req.headers.host) ? next(req, res) : res.end());`,
    isGuard: true,
  },
  'a key': {
    text: `export const guarded = (next) => (req, res) => {
  if (!same(req.headers['x-desk-key'], key)) { res.statusCode = 401; return res.end(); }
  return next(req, res);
};`,
    isGuard: true,
  },
  'nothing, and gives the origin back': {
    text: `export const guarded = (next) => (req, res) => {
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin);
  return next(req, res);
};`,
    isGuard: false,
  },
  'a key on a way of its own': {
    text: `export const guarded = (next) => next;
export const admin = (req, res) => { if (!same(req.headers['x-admin-key'], key)) { res.statusCode = 401; } res.end(); };`,
    isGuard: false,
  },
};

describe('what the files of a project say together', () => {
  for (const [what, { text, isGuard }] of Object.entries(guards))
    it(`${isGuard ? 'is content' : 'is not content'} with a guard that asks for ${what}`, async () => {
      const { observations } = await analyseProject([
        { path: 'src/server.ts', text: server },
        { path: 'src/guard.ts', text },
      ]);
      assert.equal(
        observations.some(({ rule }) => rule === 'dns-rebinding'),
        !isGuard,
      );
    });
});

const temporary: Record<string, { language: string; text: string; isWeak: boolean }> = {
  'two functions with a variable of one name': {
    language: 'ts',
    text: `import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
export const read = (root: string) => { const file = path.join(root, 'list.txt'); return fs.readFileSync(file); };
export const keep = (id: string, text: string) => { const file = path.join(os.tmpdir(), \`list-\${id}.txt\`); fs.writeFileSync(file, text); };`,
    isWeak: true,
  },
  'a folder and a file with names of their own': {
    language: 'py',
    text: `import os, tempfile
FOLDER = tempfile.gettempdir()
STATE = os.path.join(FOLDER, "state.json")
def keep(text):
    with open(STATE, "w") as handle:
        handle.write(text)
`,
    isWeak: true,
  },
  'a private folder with a name of its own': {
    language: 'py',
    text: `import os, tempfile
FOLDER = tempfile.mkdtemp()
STATE = os.path.join(FOLDER, "state.json")
def keep(text):
    with open(STATE, "w") as handle:
        handle.write(text)
`,
    isWeak: false,
  },
};

describe('values over several statements', () => {
  for (const [what, { language, text, isWeak }] of Object.entries(temporary))
    it(`${isWeak ? 'finds' : 'leaves alone'} ${what}`, async () => {
      const { observations } = await analyseProject([{ path: `src/server.${language}`, text }]);
      assert.equal(
        observations.some(({ rule }) => rule === 'unsafe-temp'),
        isWeak,
      );
    });
});
