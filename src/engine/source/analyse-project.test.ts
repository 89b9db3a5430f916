import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const rulesOf = async (files: Record<string, string>): Promise<string[]> => {
  const list = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { observations } = await analyseProject(list);
  return observations
    .map(({ rule, location }) => `${rule} ${location?.path}:${location?.startLine}`)
    .toSorted();
};

describe('a project in TypeScript', () => {
  it('is followed through classes, fields, wrappers and files', async () => {
    const found = await rulesOf({
      'src/git.ts': `import { exec } from 'node:child_process';
import { promisify } from 'node:util';
const execAsync = promisify(exec);
export class Git {
  constructor(private readonly folder: string) {}
  private async run(line: string) { return execAsync('git ' + line, { cwd: this.folder }); }
  async log(branch: string) { return this.run(\`log \${branch}\`); }
}`,
      'src/server.ts': `import { Git } from './git.js';
class Server {
  private git: Git;
  constructor() {
    this.git = new Git('/srv');
    this.server.setRequestHandler(CallToolRequestSchema, async (request) => this.handle(request));
  }
  async handle(request) {
    const { name, arguments: args } = request.params;
    switch (name) {
      case 'log': return this.git.log(args.branch);
    }
  }
}`,
    });
    assert.deepEqual(found, ['command-injection src/git.ts:6']);
  });

  it('believes a check for what it shows, and no more', async () => {
    const tool = (body: string) => `import { exec } from 'child_process';
import fs from 'node:fs';
import path from 'node:path';
const root = path.resolve(process.env.ROOT ?? '.');
const names = new Set(['a', 'b']);
server.tool('t', { x: z.string() }, async ({ x }) => {
${body}
});`;
    const of = async (body: string) =>
      (await rulesOf({ 'server.ts': tool(body) })).map((each) => each.split(' ')[0]);
    assert.deepEqual(await of('if (!names.has(x)) return; exec(`ls ${x}`);'), []);
    assert.deepEqual(await of("if (x.includes(';')) return; exec(`ls ${x}`);"), ['command-injection']);
    assert.deepEqual(await of('if (!/^[a-z0-9]+$/.test(x)) return; exec(`ls ${x}`);'), []);
    assert.deepEqual(await of('if (!/[a-z0-9]+/.test(x)) return; exec(`ls ${x}`);'), ['command-injection']);
    const resolved = 'const file = path.resolve(root, x);';
    assert.deepEqual(await of(`${resolved} if (!file.startsWith(root)) return; fs.readFileSync(file);`), [
      'path-traversal',
    ]);
    assert.deepEqual(
      await of(`${resolved} if (!file.startsWith(root + path.sep)) return; fs.readFileSync(file);`),
      [],
    );
    assert.deepEqual(await of(`${resolved} if (!file.startsWith(root + path.sep)) return; exec(file);`), [
      'command-injection',
    ]);
  });
});

describe('a project in Python', () => {
  it('leaves no measuring marks behind, which Node would keep for ever', async () => {
    const before = performance.getEntriesByType('mark').length;
    await analyseProject([{ path: 'a.ts', text: "export const key = 'nothing secret';" }]);
    assert.equal(performance.getEntriesByType('mark').length, before);
  });

  it('learns from validators, those that raise, answer or give the value back', async () => {
    const found = await rulesOf({
      'app/paths.py': `from pathlib import Path
ROOT = Path("/srv").resolve()
def checked(name):
    target = (ROOT / name).resolve()
    if not target.is_relative_to(ROOT):
        raise ValueError("outside")
    return target
def is_known(name):
    return name in ("a", "b")`,
      'app/server.py': `import os
from .paths import checked, is_known
@mcp.tool()
def read(name: str) -> str:
    return checked(name).read_text()
@mcp.tool()
def ping(name: str) -> str:
    if not is_known(name):
        return "no"
    os.system("ping " + name)
@mcp.tool()
def trace(name: str) -> str:
    os.system("traceroute " + name)`,
    });
    assert.deepEqual(found, ['command-injection app/server.py:13']);
  });
});

describe('a project in Go', () => {
  it('is followed through methods and formatting', async () => {
    const found = await rulesOf({
      'main.go': `package main
import ("context"; "fmt"; "os"; "os/exec"; "path/filepath"; "strings"; "github.com/mark3labs/mcp-go/mcp")
type Runner struct{ dir string }
func (r *Runner) run(ctx context.Context, command string) ([]byte, error) {
	return exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
}
func ping(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	host, _ := request.RequireString("host")
	r := &Runner{dir: "/tmp"}
	out, err := r.run(ctx, fmt.Sprintf("ping %s", host))
	return mcp.NewToolResultText(string(out)), err
}
func read(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	full := filepath.Clean(filepath.Join("/srv", request.GetString("name", "")))
	if !strings.HasPrefix(full, "/srv/") {
		return nil, fmt.Errorf("outside")
	}
	data, err := os.ReadFile(full)
	return mcp.NewToolResultText(string(data)), err
}`,
    });
    assert.deepEqual(found, ['command-injection main.go:5']);
  });
});

describe('what is not read', () => {
  it('is said: dependencies, what is too large, what is nested too deeply', async () => {
    const deep = `const a = ${'['.repeat(10_000)}${']'.repeat(10_000)};`;
    const { coverage } = await analyseProject(
      [
        { path: 'node_modules/x/index.js', text: 'eval(1)' },
        { path: 'deep.ts', text: deep },
        { path: 'long.ts', text: `const b = "${'x'.repeat(5000)}";` },
        { path: 'README.md', text: '# x' },
      ],
      { limits: { fileBytes: 25_000 } },
    );
    const reasons = coverage.skipped.map(({ path, reason }) => `${path} ${reason}`);
    assert.deepEqual(reasons, ['deep.ts too-deeply-nested', 'node_modules/x/index.js dependency']);
    assert.equal(coverage.otherFiles, 1);
    assert.ok(coverage.analysedBytes < coverage.presentBytes);
  });

  it('is said where a file is cut, and one long line does no harm', async () => {
    const line = `const table = {${'a: 1, '.repeat(200_000)}};`;
    const { coverage } = await analyseProject([{ path: 'table.js', text: line }], {
      limits: { fileBytes: 1_000_000, parseMs: 60_000 },
    });
    assert.deepEqual(
      coverage.skipped.map(({ reason }) => reason),
      ['file-too-large'],
    );
  });

  it('ends by processor time of a file, and not by how long others had the processor', async (context) => {
    const text = `const table = [${'1, '.repeat(20_000)}];`;
    const reasons = async () => {
      const { coverage } = await analyseProject([{ path: 'table.ts', text }], { limits: { totalMs: 1e9 } });
      return coverage.skipped.map(({ reason }) => reason);
    };
    let jumps = 0;
    const clock = context.mock.method(performance, 'now', () => (jumps += 10_000));
    assert.deepEqual(await reasons(), []);
    assert.ok(clock.mock.callCount() > 1);
    clock.mock.restore();
    context.mock.method(process, 'threadCpuUsage', () => ({ user: (jumps += 10_000) * 1000, system: 0 }));
    assert.deepEqual(await reasons(), ['parse-time']);
  });

  it('is said where a project is too large to be followed, and its files are looked at one by one', async () => {
    const { observations, coverage } = await analyseProject(
      [
        { path: 'a.ts', text: "server.tool('t', { x: z.string() }, async ({ x }) => eval(x));" },
        { path: 'b.ts', text: 'const agent = new https.Agent({ rejectUnauthorized: false });' },
      ],
      { limits: { followedBytes: 80 } },
    );
    assert.deepEqual(
      observations.map(({ rule }) => rule),
      ['code-execution', 'tls-verification-off'],
    );
    assert.deepEqual([coverage.isComplete, coverage.notFollowed], [false, 'size']);
  });

  it('is nothing of a generated parser and a table of states', async () => {
    const states = Array.from(
      { length: 3000 },
      (_, at) =>
        `case ${at}: switch (token) { case 1: return ${at + 1}; default: return fail(state, "${at}"); }`,
    );
    const { coverage } = await analyseProject([
      {
        path: 'parser.ts',
        text: `export function step(state, token) { switch (state) {\n${states.join('\n')}\n} }`,
      },
    ]);
    assert.deepEqual(coverage.skipped, []);
    assert.ok(coverage.isComplete);
  });

  it('is said where the steps are used up', async () => {
    const text =
      "server.tool('t', {}, (x) => { for (const a of x) for (const b of a) for (const c of b) eval(c); });";
    const { coverage } = await analyseProject([{ path: 'a.js', text }], { limits: { steps: 20 } });
    assert.equal(coverage.isComplete, false);
  });
});

test('what exported functions share is followed once, and each finding tells the way from its own function', async () => {
  const { observations } = await analyseProject([
    {
      path: 'src/shell.ts',
      text: `import { exec } from 'node:child_process';
export function first(name) {
  return quoted(name);
}
export function second(branch) {
  exec('git log ' + quoted(branch));
}
function quoted(word) {
  return '"' + word + '"';
}`,
    },
  ]);
  const [found, ...others] = observations.filter(({ rule }) => rule === 'command-injection');
  assert.deepEqual(others, []);
  assert.match(found?.description ?? '', /"second"/);
  const lines = found?.flow?.map(({ location }) => location.startLine) ?? [];
  assert.equal(lines[0], 5, 'the way begins in the function that is called');
  assert.ok(!lines.includes(2) && !lines.includes(3), lines.join());
});

test('a function called in hundreds of ways with the same input is followed for some of them, and found in', async () => {
  const calls = Array.from({ length: 300 }, (_, at) => `  deep${at % 7}(x, ${at});`).join('\n');
  const deep = Array.from(
    { length: 7 },
    (_, at) =>
      `function deep${at}(x, n) { ${at === 6 ? 'exec(x)' : `deep${at + 1}(x, n + 1); deep${at + 1}(x, n * 2); deep${at + 1}(x, 'a' + n)`}; }`,
  ).join('\n');
  const { observations, coverage } = await analyseProject([
    {
      path: 'server.ts',
      text: `import { exec } from 'node:child_process';
${deep}
server.tool('t', { x: z.string() }, async ({ x }) => {
${calls}
});`,
    },
  ]);
  assert.ok(coverage.isComplete);
  assert.deepEqual(
    observations
      .filter(({ rule }) => rule === 'command-injection')
      .map(({ location }) => location?.startLine),
    [8],
  );
});

const tool = (body: string) => `from mcp.server.fastmcp import FastMCP
import subprocess
mcp = FastMCP("x")
class Line:
    def __init__(self):
        self._parts = ["ls"]
    def add(self, part):
        self._parts.append(part)
        return self
    def text(self):
        return " ".join(self._parts)
@mcp.tool()
def t(x: str):
${body}
`;

test('what a method puts into a field of its object is found where another method reads it', async () => {
  const run = (line: string) => `    subprocess.getoutput(${line})`;
  assert.deepEqual(await rulesOf({ 'a.py': tool(run('Line().add(x).text()')) }), [
    'command-injection a.py:14',
  ]);
  assert.deepEqual(await rulesOf({ 'a.py': tool(run('Line().add("-l").text()')) }), []);
});

test('a text written piece by piece is one text', async () => {
  const source = (piece: string) => `import java.sql.*;
public class Tools {
  @Tool(description = "finds")
  public ResultSet find(String name, Statement statement) throws SQLException {
    StringBuilder sql = new StringBuilder("SELECT * FROM people WHERE name = '");
    sql.append(${piece}).append("'");
    return statement.executeQuery(sql.toString());
  }
}`;
  assert.deepEqual(await rulesOf({ 'Tools.java': source('name') }), ['sql-injection Tools.java:7']);
  assert.deepEqual(await rulesOf({ 'Tools.java': source('name.length()') }), []);
});

test('a test that each character passes shows what a text is made of', async () => {
  const line = (allowed: string) =>
    tool(`    if not all(c.isalnum() or c in "${allowed}" for c in x):
        raise ValueError(x)
    subprocess.run(f"ls dir_{x}", shell=True)`);
  assert.deepEqual(await rulesOf({ 'a.py': line('-_') }), []);
  assert.deepEqual(await rulesOf({ 'a.py': line('-_;') }), ['command-injection a.py:16']);
});

test('numbers and operators are no code', async () => {
  const sum = (allowed: string) =>
    tool(`    allowed = set("${allowed}")
    if not all(c in allowed for c in x):
        raise ValueError(x)
    return eval(x)`);
  assert.deepEqual(await rulesOf({ 'a.py': sum('0123456789+-*/.() ') }), []);
  assert.deepEqual(await rulesOf({ 'a.py': sum('0123456789abcdefghijklmnopqrstuvwxyz_.()') }), [
    'code-execution a.py:17',
  ]);
  const script = (test: string) =>
    `server.tool('t', { x: z.string() }, async ({ x }) => { if (!${test}.test(x)) throw new Error(x); return eval(x); });`;
  assert.deepEqual(await rulesOf({ 'a.js': script(String.raw`/^[\d\s+\-*/().]+$/`) }), []);
  assert.deepEqual(await rulesOf({ 'a.js': script(String.raw`/^[\w\s+\-*/().]+$/`) }), [
    'code-execution a.js:1',
  ]);
  assert.deepEqual(await rulesOf({ 'a.js': script(String.raw`/^[[\]!+()]+$/`) }), ['code-execution a.js:1']);
});

test('a handler that refuses all other tools is followed for the one that it names', async () => {
  const { observations } = await analyseProject([
    {
      path: 'server.ts',
      text: `import mysql from 'mysql2/promise';
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  if (request.params.name !== 'run_query') throw new Error('Unknown tool');
  return pool.query(request.params.arguments.sql);
});
const pool = mysql.createPool({});`,
    },
  ]);
  assert.deepEqual(
    observations.map(({ rule, subject, severity }) => [rule, subject, severity]),
    [['sql-injection', 'run_query', 'medium']],
  );
});
