import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const found = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule, location }) => `${rule}:${location?.startLine}`).toSorted();
};

describe('input is followed', () => {
  it('through generators, and through what a generator checks', async () => {
    const source = (check: string) => `import os
from pathlib import Path
def paths(names):
    for name in names:
        path = (Path("/srv") / name).resolve()
${check}        yield path
@mcp.tool()
def count(names: list[str]) -> str:
    return "".join(path.read_text() for path in paths(names))
`;
    assert.deepEqual(await found('a.py', source('')), ['path-traversal:9']);
    const checked = source('        if not path.is_relative_to(Path("/srv")):\n            continue\n');
    assert.deepEqual(await found('a.py', checked), []);
  });

  it('through workers that are made by number', async () => {
    const text = `import { execSync } from 'node:child_process';
async function each(items, count, work) {
  let next = 0;
  const worker = async () => { while (next < items.length) await work(items[next++]); };
  await Promise.all(Array.from({ length: count }, () => worker()));
}
server.tool('t', { lines: z.array(z.string()) }, async ({ lines }) => { await each(lines, 3, async (line) => { execSync('git ' + line); }); });
`;
    assert.deepEqual(await found('a.js', text), ['command-injection:7']);
  });

  it('through a queue of the module that a listener empties, and through what an event carries', async () => {
    const text = `import { EventEmitter } from 'node:events';
import { execSync } from 'node:child_process';
const bus = new EventEmitter();
const waiting = [];
bus.on('queued', () => {
  const job = waiting.shift();
  execSync(job.line);
});
bus.on('asked', (line) => { execSync('git ' + line); });
server.tool('later', { line: z.string() }, async ({ line }) => {
  waiting.push({ line: 'npm ' + line });
  bus.emit('queued');
});
server.tool('now', { line: z.string() }, async ({ line }) => { bus.emit('asked', line); });
`;
    assert.deepEqual(await found('a.ts', text), ['command-injection:7', 'command-injection:9']);
  });

  it('to every function and every object of a table', async () => {
    const text = `import { execSync } from 'node:child_process';
const table = new Map();
table.set('a', async ({ line }) => execSync('a ' + line));
table.set('b', async ({ line }) => execSync('b ' + line));
class C { run(line) { return execSync('c ' + line); } }
class D { run(line) { return execSync('d ' + line); } }
const objects = [new C(), new D()];
server.tool('t', {}, async (args) => table.get(args.name)(args));
for (const each of objects) server.tool('o', {}, async (args) => each.run(args.line));
`;
    const rules = await found('a.ts', text);
    assert.deepEqual(
      rules,
      [3, 4, 5, 6].map((line) => `command-injection:${line}`),
    );
  });

  it('through channels of Go, between functions that never call each other', async () => {
    const text = `package main
import ("os"; "context"; "github.com/mark3labs/mcp-go/mcp")
type job struct { path string }
var jobs = make(chan job, 8)
func reader() {
	for one := range jobs {
		os.ReadFile("/srv/" + one.path)
	}
}
func handle(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	jobs <- job{path: request.GetString("path", "")}
	return nil, nil
}
func main() { go reader() }
`;
    assert.deepEqual(await found('main.go', text), ['path-traversal:7']);
  });

  it('to what a class above does with what the class below gives it', async () => {
    const text = `import java.util.Map;
abstract class Task {
  private final Map<String, Object> given;
  Task(Map<String, Object> given) { this.given = given; }
  abstract String line();
  void run() throws Exception { Runtime.getRuntime().exec(line() + given.get("end")); }
}
class Build extends Task {
  Build(Map<String, Object> given) { super(given); }
  String line() { return "make "; }
}
class Tools { @Tool(description = "Builds") void build(Map<String, Object> given) throws Exception { new Build(given).run(); } }
`;
    assert.deepEqual(await found('Tools.java', text), ['command-injection:6']);
  });

  it('to a shell that is written to, and not to other programs', async () => {
    const text = (program: string) => `import { spawn } from 'node:child_process';
server.tool('t', { text: z.string() }, async ({ text }) => {
  const child = spawn('${program}', ['-s']);
  child.stdin.write(text);
});
`;
    assert.deepEqual(await found('a.ts', text('/bin/bash')), ['command-injection:4']);
    assert.deepEqual(await found('a.ts', text('/usr/bin/wc')), []);
  });

  it('to a property that is reached by names that it gives, unless those of prototypes are refused', async () => {
    const text = (check: string) => `function put(target, path, value) {
  const keys = path.split('.');
  ${check}
  let at = target;
  for (const key of keys.slice(0, -1)) at = at[key];
  at[keys.at(-1)] = value;
}
server.tool('t', {}, async ({ path, value }) => put({}, path, value));
`;
    assert.deepEqual(await found('a.js', text('')), ['prototype-pollution:6']);
    const refused =
      "if (keys.some((key) => key === '__proto__' || key === 'constructor' || key === 'prototype')) throw new Error();";
    assert.deepEqual(await found('a.js', text(refused)), []);
  });

  it('no further than the constraints of a model', async () => {
    const text = `import os
from typing import Annotated
from pydantic import BaseModel, Field, field_validator
class Query(BaseModel):
    name: Annotated[str, Field(pattern=r"^[a-z]+$")]
    kind: str
    free: str
    @field_validator("kind")
    @classmethod
    def known(cls, value):
        if value not in {"a", "b"}:
            raise ValueError("unknown")
        return value
@mcp.tool()
def one(query: Query) -> None:
    os.system("x " + query.name)
    os.system("x " + query.kind)
    os.system("x " + query.free)
`;
    assert.deepEqual(await found('a.py', text), ['command-injection:18']);
  });

  it('to another host unless an address begins with one slash', async () => {
    const text = (test: string) => `from starlette.responses import RedirectResponse
@mcp.custom_route("/done", methods=["GET"])
async def done(request: Request):
    back = request.query_params.get("back", "/")
    if ${test}:
        back = "/"
    return RedirectResponse(url=back)
`;
    assert.deepEqual(await found('a.py', text('not back.startswith("/") or back.startswith("//")')), []);
    assert.deepEqual(await found('a.py', text('not back.startswith("/")')), ['open-redirect:7']);
    assert.deepEqual(await found('a.py', text('back.startswith("//")')), ['open-redirect:7']);
  });

  it('not through names of plain letters, with a class that is written short', async () => {
    const text = (pattern: string) => `import { z } from 'zod';
import fs from 'node:fs';
server.tool('t', { file: z.string().regex(${pattern}) }, async ({ file }) => fs.readFileSync('/srv/' + file));
`;
    assert.deepEqual(await found('a.ts', text(String.raw`/^[\w-]+\.zip$/`)), []);
    assert.deepEqual(await found('a.ts', text(String.raw`/^[\w\\/-]+\.zip$/`)), ['path-traversal:3']);
  });

  it('unless a function that tells what is wrong with it has nothing to tell', async () => {
    const text = (line: string) => `import { readFileSync } from 'node:fs';
const faultOf = (name: string): string | undefined => {
  if (name.length > 200) return \`has \${name.length} letters\`;
  if (!/^[a-z]+$/.test(name)) return 'has other letters';
  return undefined;
};
const isFine = (name: string): boolean => /^[a-z]+$/.test(name);
server.tool('t', { name: z.string() }, async ({ name }) => {
  ${line}
  return readFileSync(name);
});
`;
    const open = ['path-traversal:10'];
    const said = 'const why = faultOf(name); if (TEST) throw new Error(why);';
    for (const [test, expected] of [
      ['why !== undefined', []],
      ['why != null', []],
      ['why', []],
      ['why === undefined', open],
      ["why === 'has other letters'", open],
    ] as const)
      assert.deepEqual(await found('a.ts', text(said.replace('TEST', test))), expected, test);
    assert.deepEqual(await found('a.ts', text('faultOf(name);')), open);
    // What is not undefined may be false.
    assert.deepEqual(await found('a.ts', text('if (isFine(name) === undefined) throw new Error();')), open);
  });

  it('for each of many tools that are registered through one wrapper', async () => {
    const tools = Array.from({ length: 60 }, (_, at) => `t${at}`);
    const text = `import { execSync } from 'node:child_process';
const server = new McpServer({ name: 's', version: '1.0.0' });
const add = (name, run) => server.tool(name, { line: z.string() }, async (args) => { try { return await run(args); } catch (e) { return e; } });
${tools.map((name) => `add('${name}', ({ line }) => execSync('${name} ' + line));`).join('\n')}
`;
    assert.deepEqual(
      await found('a.ts', text),
      tools.map((_, at) => `command-injection:${at + 4}`).toSorted(),
    );
  });

  it('not behind a function that only throws', async () => {
    const text = (call: string, fail: string) => `import { readFileSync } from 'node:fs';
${fail}
server.tool('t', { name: z.string() }, async ({ name }) => {
  if (!/^[a-z]+$/.test(name)) ${call};
  return readFileSync(name);
});
`;
    const fail = 'function fail(why) { const text = `bad: ${why}`; throw new Error(text); }';
    assert.deepEqual(await found('a.ts', text('fail(name)', fail)), []);
    const note = 'function fail(why) { if (why.length > 9) throw new Error(why); }';
    assert.deepEqual(await found('a.ts', text('fail(name)', note)), ['path-traversal:5']);
    const below = 'class Base { fail(why) { throw new Error("not here"); } }\nconst base = make();';
    assert.deepEqual(await found('a.ts', text('base.fail(name)', below)), ['path-traversal:6']);
  });

  it('not where the folder of a path was looked at, which says nothing else of it', async () => {
    const text = (line: string) => `import fs from 'node:fs';
import path from 'node:path';
import { execSync } from 'node:child_process';
function placeOf(name) {
  const file = path.resolve(name);
  try { return path.join(fs.realpathSync(path.dirname(file)), path.basename(file)); } catch { return file; }
}
server.tool('t', { name: z.string() }, async ({ name }) => {
  ${line}
});
`;
    const within = "if (path.relative('/srv', placeOf(name)).startsWith('..')) throw new Error('outside');";
    assert.deepEqual(await found('a.ts', text(`${within} return fs.readFileSync(name);`)), []);
    assert.deepEqual(await found('a.ts', text('placeOf(name); return fs.readFileSync(name);')), [
      'path-traversal:9',
    ]);
    const same = "if (path.dirname(name) !== '/srv') throw new Error('outside');";
    assert.deepEqual(await found('a.ts', text(`${same} return execSync('cat ' + name);`)), [
      'command-injection:9',
    ]);
  });

  it('not where it is checked wherever it is given at all', async () => {
    const text = (body: string) => `import fs from 'node:fs';
function validate(name) { if (!/^[a-z]+$/.test(name)) throw new Error('bad'); }
server.tool('t', { name: z.string().optional() }, async ({ name }) => {
  ${body}
});
`;
    const write = "fs.writeFileSync(name, 'x');";
    for (const test of ['name', 'name !== undefined', 'name != null', "name !== ''", '!(!name)'])
      assert.deepEqual(await found('a.ts', text(`if (${test}) validate(name); ${write}`)), [], test);
    assert.deepEqual(
      await found('a.ts', text(`if (!name || /^[a-z]+$/.test(name)) { log(); ${write} }`)),
      [],
    );
    // That nothing of a part was found says nothing of the whole.
    for (const test of ["name.split('..')[1]", 'name.match(/^evil/)', 'Math.random() < 0.5'])
      assert.deepEqual(
        await found('a.ts', text(`const hit = ${test}; if (hit) return 'no'; ${write}`)),
        ['path-traversal:4'],
        test,
      );
  });

  it('not behind a check of another file, as compilers write its call', async () => {
    const call = async (line: string) => {
      const server = `const checks_1 = require('./checks');
const fs = require('node:fs');
server.tool('t', { name: z.string() }, async ({ name }) => { ${line} return fs.readFileSync(name); });
`;
      const checks = `exports.validate = validate;
function validate(name) { if (!/^[a-z]+$/.test(name)) throw new Error('bad'); }
`;
      const { observations } = await analyseProject([
        { path: 'server.js', text: server },
        { path: 'checks.js', text: checks },
      ]);
      return observations.map(({ rule }) => rule);
    };
    assert.deepEqual(await call('(0, checks_1.validate)(name);'), []);
    assert.deepEqual(await call('(0, checks_1.other)(name);'), ['path-traversal']);
  });

  it('not where the way from a folder is empty or does not lead above it', async () => {
    const text = (test: string) => `import { readFileSync } from 'node:fs';
import path from 'node:path';
server.tool('t', { name: z.string() }, async ({ name }) => {
  const file = path.resolve('/srv', name);
  const way = path.relative('/srv', file);
  if (${test}) return readFileSync(file);
});
`;
    const within = "way === '' || (!way.startsWith('..') && !path.isAbsolute(way))";
    assert.deepEqual(await found('a.ts', text(within)), []);
    assert.deepEqual(await found('a.ts', text("way === '' || way.length < 100")), ['path-traversal:6']);
    const go = (test: string) => `package main
import ("context"; "errors"; "os"; "path/filepath"; "strings"; "github.com/mark3labs/mcp-go/mcp")
func read(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name := request.GetString("name", "")
	file := filepath.Join("/srv", name)
	rel, err := filepath.Rel("/srv", file)
	if err != nil || ${test} {
		return nil, errors.New("outside")
	}
	data, _ := os.ReadFile(file)
	return mcp.NewToolResultText(string(data)), nil
}
func main() {
	s.AddTool(mcp.NewTool("read", mcp.WithString("name")), read)
}
`;
    assert.deepEqual(await found('a.go', go('strings.HasPrefix(rel, ".."+string(filepath.Separator))')), []);
    assert.deepEqual(await found('a.go', go('strings.HasSuffix(rel, "..")')), ['path-traversal:10']);
  });

  it('not into another command where a text is quoted as a shell wants it', async () => {
    const script = (quote: string) => `import { execSync } from 'node:child_process';
function quote(s) { return ${quote}; }
server.tool('t', { name: z.string() }, async ({ name }) => execSync('ls ' + quote(name)));
`;
    for (const quote of [
      String.raw`"'" + s.replace(/'/g, "'\\''") + "'"`,
      String.raw`"'" + s.replaceAll("'", '\'"\'"\'') + "'"`,
      "`'${s.replace(/'/g, '')}'`",
      String.raw`'"' + s.replace(/(["\\$${'`'}])/g, '\\$1') + '"'`,
    ])
      assert.deepEqual(await found('a.ts', script(quote)), [], quote);
    for (const quote of [
      // The first place alone, no marks around it, marks of another kind, an escape that a shell does not know.
      String.raw`"'" + s.replace("'", "'\\''") + "'"`,
      String.raw`s.replace(/'/g, "'\\''")`,
      String.raw`'"' + s.replace(/'/g, "'\\''") + '"'`,
      String.raw`"'" + s.replace(/'/g, "\\'") + "'"`,
      String.raw`'"' + s.replace(/"/g, '\\"') + '"'`,
      // Between two quotations.
      String.raw`"'a'" + s.replace(/'/g, "'\\''") + "'b'"`,
    ])
      assert.deepEqual(await found('a.ts', script(quote)), ['command-injection:3'], quote);
    const python = (quoted: string) => `import subprocess
@mcp.tool()
def t(name: str):
    return subprocess.run("ls " + ${quoted}, shell=True)
`;
    assert.deepEqual(await found('a.py', python(`"'" + name.replace("'", "'\\"'\\"'") + "'"`)), []);
    assert.deepEqual(await found('a.py', python('name')), ['command-injection:4']);
    const go = (quoted: string) => `package main
import ("os/exec"; "strings"; "github.com/mark3labs/mcp-go/mcp")
func run(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name := request.GetString("name", "")
	out, _ := exec.Command("sh", "-c", "ls " + ${quoted}).Output()
	return mcp.NewToolResultText(string(out)), nil
}
func main() { s.AddTool(mcp.NewTool("run", mcp.WithString("name")), run) }
`;
    assert.deepEqual(await found('a.go', go(`"'" + strings.ReplaceAll(name, "'", "'\\\\''") + "'"`)), []);
    assert.deepEqual(await found('a.go', go('name')), ['command-injection:5']);
  });
});
