import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { scanHere } from '../scan-here.ts';

const source = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import pg from 'pg';
const pool = new pg.Pool();
const server = new McpServer({ name: 'db', version: '1.0.0' });
server.tool('query', 'Runs an SQL statement on the database and returns its rows.', { sql: z.string() }, async ({ sql }) => {
  const { rows } = await pool.query(sql);
  return { content: [{ type: 'text', text: JSON.stringify(rows) }] };
});
server.tool('find_user', 'Finds a user by name.', { name: z.string() }, async ({ name }) => {
  const { rows } = await pool.query(\`select * from users where name = '\${name}'\`);
  return { content: [{ type: 'text', text: JSON.stringify(rows) }] };
});
`;

test('a tool that is there to run SQL is told of the rights of its account, and one that is not of parameters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capability-'));
  try {
    await writeFile(join(folder, 'server.ts'), source);
    const { scans } = await scanHere(folder, { repositoryHosts: [], version: '0', onStage: () => undefined });
    const remedyOf = (tool: string) =>
      scans[0]?.result.findings.find(({ rule, subject }) => rule === 'sql-injection' && subject === tool)
        ?.remedy ?? '';
    assert.match(remedyOf('query'), /account of the database/);
    assert.match(remedyOf('find_user'), /parameters of the statement/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
