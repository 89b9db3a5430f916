import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const counts = new Set(['critical', 'high', 'medium']);

async function found(lines: readonly string[]): Promise<string[]> {
  const text = ['from mcp.server.fastmcp import FastMCP', 'mcp = FastMCP("desk")', ...lines].join('\n');
  const { observations } = await analyseProject([{ path: 'desk.py', text }]);
  return [...new Set(observations.filter(({ severity }) => counts.has(severity)).map(({ rule }) => rule))];
}

const tool = (imports: string, ...body: string[]) => [
  imports,
  '@mcp.tool()',
  'async def look(x: str):',
  ...body.map((line) => `    ${line}`),
];

const weak: readonly (readonly [rule: string, lines: readonly string[]])[] = [
  [
    'command-injection',
    tool('import functools, subprocess', 'return functools.partial(subprocess.run, f"ls {x}", shell=True)()'),
  ],
  [
    'command-injection',
    tool('import subprocess', 'kw = dict(shell=True)', 'return subprocess.run(f"ls {x}", **kw)'),
  ],
  [
    'command-injection',
    tool('import subprocess', 'return subprocess.run(["bash"], input=f"ls {x}", text=True)'),
  ],
  [
    'command-injection',
    tool('import subprocess, sys', 'return subprocess.run([sys.executable, "-c", f"print({x})"])'),
  ],
  ['code-execution', tool('import threading', 'threading.Thread(target=exec, args=(x,)).start()')],
  ['code-execution', tool('import builtins', 'return getattr(builtins, "eval")(x)')],
  [
    'sql-injection',
    tool(
      'from desk.store import pool',
      'return await pool().shelf(f"a"), pool().raw(f"SELECT * FROM t WHERE a = \'{x}\'")',
    ),
  ],
  ['template-injection', tool('class Shelf:\n    pass', 'return x.format(shelf=Shelf())')],
  [
    'xml-external-entity',
    tool(
      'import io, xml.sax\nfrom xml.sax.handler import feature_external_ges',
      'reader = xml.sax.make_parser()',
      'reader.setFeature(feature_external_ges, True)',
      'reader.parse(io.StringIO(x))',
    ),
  ],
  [
    'nosql-injection',
    tool(
      'import json\nfrom pymongo import MongoClient\ndb = MongoClient()["desk"]',
      'return list(db[x].find(json.loads(x)))',
    ),
  ],
  [
    'sql-injection',
    [
      'import sqlite3',
      'db = sqlite3.connect("a.db")',
      'def rows(words: str, order: str):',
      '    return db.execute(f"SELECT * FROM t WHERE a = ? ORDER BY {order}", (words,))',
      'mcp.tool()(rows)',
    ],
  ],
  [
    'command-injection',
    [
      'import os',
      'from flask import Flask, request',
      'app = Flask("a")',
      '@app.post("/a")',
      'def a():',
      '    os.system("ls " + request.get_json()["p"])',
    ],
  ],
  [
    'command-injection',
    [
      'import os',
      'from fastapi import Depends, FastAPI',
      'app = FastAPI()',
      'class Wanted:',
      '    def __init__(self, p: str):',
      '        self.p = p',
      '@app.get("/a")',
      'def a(wanted: Wanted = Depends()):',
      '    os.system("ls " + wanted.p)',
    ],
  ],
];

const safe: readonly (readonly [name: string, lines: readonly string[]])[] = [
  [
    'words that are quoted one by one',
    tool(
      'import shlex, subprocess',
      'return subprocess.run(" ".join(map(shlex.quote, ["ls", x])), shell=True)',
    ),
  ],
  [
    'what stands behind a script',
    tool('import subprocess', 'return subprocess.run(["sh", "-c", "ls -- \\"$1\\"", "sh", x])'),
  ],
  [
    'alternatives of match',
    tool('import os', 'match x:', '    case "a" | "b":', '        os.system("ls " + x)'),
  ],
  ['an address as text', tool('import ipaddress, os', 'os.system(f"ping -c1 {ipaddress.ip_address(x)}")')],
  [
    'what the server has signed',
    tool(
      'import hashlib, hmac, pickle\nKEY = open("/etc/key", "rb").read()',
      'sig, body = x.split(".")',
      'if not hmac.compare_digest(hmac.new(KEY, body.encode(), hashlib.sha256).hexdigest(), sig):',
      '    raise ValueError(x)',
      'return pickle.loads(body.encode())',
    ),
  ],
  [
    'a path that lies in the folder',
    tool(
      'from pathlib import Path\nROOT = Path("/srv").resolve()',
      'path = (ROOT / x).resolve()',
      'if path.parent != ROOT:',
      '    raise ValueError(x)',
      'return path.read_text()',
    ),
  ],
  [
    'a type of another name with a pattern',
    [
      'import os',
      'from typing import Annotated',
      'from pydantic import BaseModel, StringConstraints',
      'Sha = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")]',
      'class Wanted(BaseModel):',
      '    sha: Sha',
      '@mcp.tool()',
      'def show(arguments: dict):',
      '    os.system("git show " + Wanted(**arguments).sha)',
    ],
  ],
];

for (const [rule, lines] of weak)
  test(`${rule} is found: ${lines.at(-1)?.trim()}`, async () => {
    assert.ok((await found(lines)).includes(rule));
  });

for (const [name, lines] of safe)
  test(`${name} is no weakness`, async () => {
    assert.deepEqual(await found(lines), []);
  });
