import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const rulesIn = async (path: string, text: string) => {
  const { observations, surface } = await analyseProject([{ path, text }]);
  return {
    found: observations
      .filter(({ severity }) => severity !== 'info' && severity !== 'low')
      .map(({ rule, location, subject }) => `${rule}:${location?.startLine}${subject ? ` ${subject}` : ''}`),
    tools: surface.filter(({ kind }) => kind === 'tool').map(({ name }) => name),
    routes: surface.filter(({ kind }) => kind === 'http').map(({ name }) => name),
  };
};

test('methods with decorators of TypeScript are tools and routes, and what a container puts in is not theirs', async () => {
  const { found, tools, routes } = await rulesIn(
    'src/desk.ts',
    `import { Controller, Get, Query, Res } from '@nestjs/common';
import { Tool } from '@rekog/mcp-nest';
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
@Injectable()
export class DeskTool {
  constructor(private readonly names: NameService) {}
  @Tool({ name: 'count_lines', description: 'Lines of a file', parameters: z.object({ file: z.string(), most: z.number() }) })
  async count({ file, most }: { file: string; most: number }) {
    execSync(\`head -n \${most} log.txt\`);
    return execSync(\`wc -l \${file}\`).toString();
  }
}
@Controller('files')
export class FilesController {
  @Get('one')
  one(@Query('name') name: string, @Res() res: Response, @Inject('root') root: string) {
    readFileSync(root);
    res.send(readFileSync(name));
  }
}`,
  );
  assert.deepEqual(found, ['command-injection:12 count_lines', 'path-traversal:20']);
  assert.deepEqual(tools, ['count_lines']);
  assert.deepEqual(routes, ['one']);
});

test('a parameter that holds a text is the caller’s, whatever a library would fill under its name', async () => {
  const { found } = await rulesIn(
    'server.py',
    `import os, subprocess
from fastmcp import FastMCP, Context
mcp = FastMCP("pods")
@mcp.tool
def pods(context: str, ctx: Context) -> str:
    subprocess.run(f"echo {ctx.request_id}", shell=True)
    return subprocess.run(f"kubectl --context {context} get pods", shell=True, capture_output=True).stdout
`,
  );
  assert.deepEqual(found, ['command-injection:7 pods']);
});

test('a tool without parameters that reads its request hands its token on', async () => {
  const { found } = await rulesIn(
    'server.py',
    `import httpx
from fastmcp import FastMCP
from fastmcp.server.dependencies import get_access_token
mcp = FastMCP("issues")
async def issues_of(bearer):
    async with httpx.AsyncClient() as client:
        return await client.get("https://issues.example/mine", headers={"Authorization": f"Bearer {bearer}"})
@mcp.tool
async def my_issues() -> list:
    return (await issues_of(get_access_token().token)).json()
`,
  );
  assert.deepEqual(found, ['token-passthrough:7']);
});
