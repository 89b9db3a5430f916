import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const server = (lines: readonly string[]): string => `from pathlib import Path
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("films")
ROOT = Path("/srv/films").resolve()

@mcp.tool()
def film(name: str) -> str:
${lines.map((line) => `    ${line}`).join('\n')}
`;

async function isFound(...lines: string[]): Promise<boolean> {
  const { observations } = await analyseProject([{ path: 'films.py', text: server(lines) }]);
  return observations.some(({ rule }) => rule === 'path-traversal');
}

test('the last part of a path stays where it is put', async () => {
  assert.equal(await isFound('return (ROOT / Path(name).name).read_text()'), false);
  assert.equal(await isFound('return (ROOT / f"{Path(name).stem}.srt").read_text()'), false);
  assert.equal(await isFound('return (ROOT / Path(name)).read_text()'), true);
  assert.equal(await isFound('return (ROOT / Path(name).parent).joinpath("a").read_text()'), true);
});

test('a folder that is among the parents of a resolved path holds it', async () => {
  const refuse = ['if ROOT not in full.parents:', '    raise ValueError(name)'];
  const read = 'return full.read_text()';
  assert.equal(await isFound('full = (ROOT / name).resolve()', ...refuse, read), false);
  assert.equal(await isFound('full = ROOT / name', ...refuse, read), true);
  assert.equal(
    await isFound('full = (ROOT / name).resolve()', 'if ROOT in full.parents:', '    return ""', read),
    true,
  );
});
