import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

/** Lines of the findings of at least medium severity. */
async function linesOf(path: string, text: string): Promise<number[]> {
  const { observations } = await analyseProject([{ path, text }]);
  return observations
    .filter(({ severity }) => severity !== 'low' && severity !== 'info')
    .map(({ location }) => location?.startLine ?? 0);
}

const python = (body: string) => `import asyncio, functools, importlib, re, subprocess, sys
@mcp.tool()
def take(wheel: str) -> str:
    ${body}
`;
const java = (body: string) => `class Desk {
    private static final Pattern CODE = Pattern.compile("\\\\d{4}[\\\\dK]|[A-Z]{3}");
    @Tool(description = "Look a thing up")
    String look(String wanted) throws Exception {
        ${body}
    }
}
`;

describe('options of programs', () => {
  it('are found behind the interpreter that runs, a search and a program that runs another', async () => {
    const pip = 'return subprocess.run([sys.executable, "-m", "pip", "download", wheel])';
    assert.deepEqual(await linesOf('a.py', python(pip)), [4]);
    const search = 'return out(new ProcessBuilder("git", "grep", "-n", wanted));';
    assert.deepEqual(await linesOf('A.java', java(search)), [5]);
    const other = 'return out(new ProcessBuilder("sudo", "apt-get", "remove", wanted));';
    assert.deepEqual(await linesOf('A.java', java(other)), [5]);
  });
  it('are found where several words of the caller are arguments of any program, and are no worse than medium', async () => {
    const severities = async (body: string) => {
      const text = `import { spawn } from 'node:child_process';
server.tool('record', { given: z.array(z.string()), name: z.string() }, async ({ given, name }) => ${body});
`;
      const { observations } = await analyseProject([{ path: 'a.ts', text }]);
      return observations.map(({ rule, severity }) => `${severity} ${rule}`);
    };
    const found = ['medium argument-injection'];
    assert.deepEqual(await severities("spawn('screencorder', ['--window', 'a', ...given])"), found);
    assert.deepEqual(await severities("spawn('screencorder', ['play', name])"), found);
    assert.deepEqual(await severities("spawn('git', ['log', name])"), ['high argument-injection']);
    assert.deepEqual(await severities("spawn('screencorder', ['--', ...given])"), []);
    assert.deepEqual(await severities("spawn('echo', ['a', name])"), []);
    const files = "spawn('screencorder', given.map((each) => '/srv/' + each))";
    assert.deepEqual(await severities(files), []);
  });
  it('are none behind two dashes, and behind the text of a program', async () => {
    const pip = 'return subprocess.run([sys.executable, "-m", "pip", "download", "--", wheel])';
    assert.deepEqual(await linesOf('a.py', python(pip)), []);
    const text = 'return subprocess.run([sys.executable, "-c", "import sys; print(sys.argv)", wheel])';
    assert.deepEqual(await linesOf('a.py', python(text)), []);
  });
});

describe('patterns of the whole text', () => {
  const shell = 'return out(Runtime.getRuntime().exec(new String[] {"sh", "-c", "locate " + wanted}));';
  it('hold for all of their alternatives', async () => {
    const check = 'if (!CODE.matcher(wanted).matches()) throw new Exception();';
    assert.deepEqual(await linesOf('A.java', java(`${check} ${shell}`)), []);
  });
  it('hold for nothing where a part is looked for', async () => {
    const check = 'if (!CODE.matcher(wanted).find()) throw new Exception();';
    assert.deepEqual(await linesOf('A.java', java(`${check} ${shell}`)), [5]);
  });
  it('end with \\Z', async () => {
    const body = String.raw`assert_name = re.match(r"[a-z]+\.whl\Z", wheel)
    if not assert_name:
        raise ValueError(wheel)
    return open("/srv/wheels/" + wheel).read()`;
    assert.deepEqual(await linesOf('a.py', python(body)), []);
  });
});

describe('functions that others run', () => {
  const table = (call: string) => `import asyncio, importlib
def count(given): return len(given["text"])
def load(given): return importlib.import_module(given["name"])
KINDS = {"count": ("Count", count), "load": ("Load", load)}
@server.call_tool()
async def call_tool(name: str, arguments: dict):
    _, kind = KINDS[name]
    return await ${call}
`;
  for (const call of [
    'asyncio.to_thread(kind, arguments)',
    'loop.run_in_executor(None, kind, arguments)',
    'later(kind, arguments)',
  ])
    it(`are all of a table in ${call}`, async () => {
      assert.deepEqual(await linesOf('a.py', table(call)), [3]);
    });
});

describe('decorators of a project', () => {
  const project = (check: string) => `from functools import wraps
from pathlib import Path
BASE = Path("/srv/sheets").resolve()
def within(body):
    @wraps(body)
    def outer(name, *more):
        at = (BASE / name).resolve()
        ${check}
        return body(at, *more)
    return outer
@within
def shown(at: Path) -> str:
    return at.read_text()
@mcp.tool()
def show(name: str) -> str:
    return shown(name)
`;
  it('run around what they are given', async () => {
    const check = 'if not at.is_relative_to(BASE): raise ValueError(name)';
    assert.deepEqual(await linesOf('a.py', project(check)), []);
  });
  it('check nothing by being there', async () => {
    assert.deepEqual(await linesOf('a.py', project('log(name)')), [13]);
  });
});

describe('types of Python that have a name', () => {
  const tool = (pattern: string) => `import os
Label = Annotated[str, Field(pattern=r"${pattern}")]
@mcp.tool()
def tag(label: Label) -> str:
    return os.popen(f"tagger {label}").read()
`;
  it('hold to their pattern', async () => {
    assert.deepEqual(await linesOf('a.py', tool('^[a-z]{1,20}$')), []);
    assert.deepEqual(await linesOf('a.py', tool('^[a-z ;]+$')), [5]);
  });
});
