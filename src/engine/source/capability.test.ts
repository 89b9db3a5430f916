import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const found = async (text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path: 'a.js', text }]);
  return observations.map(({ rule, severity, tags }) =>
    `${rule} ${severity} ${tags.includes('capability') ? 'capability' : ''}`.trim(),
  );
};

const tool = (name: string, parameter: string, body: string, description = ''): string =>
  `import { execSync } from 'node:child_process';
import fs from 'node:fs';
server.registerTool('${name}', { description: ${JSON.stringify(description)}, inputSchema: { ${parameter}: z.string() } }, async ({ ${parameter} }) => { ${body} });
`;

describe('a tool that runs statements', () => {
  const runs = 'return pool.query(sql);';

  it('is what it says it is', async () => {
    const said = tool('execute_sql', 'sql', runs, 'Runs a statement on the database');
    assert.deepEqual(await found(said), ['sql-injection low capability']);
    const limited = tool('report', 'sql', 'return pool.query(`${sql} LIMIT 10`);', 'Runs an SQL query');
    assert.deepEqual(await found(limited), ['sql-injection low capability']);
  });

  it('is not told by a name alone', async () => {
    assert.deepEqual(await found(tool('execute_sql', 'sql', runs)), ['sql-injection medium capability']);
  });

  it('is described where tools are listed', async () => {
    const text = `server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [
  { name: 'execute_sql', description: 'Runs a statement', inputSchema: {} },
] }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
  switch (name) { case 'execute_sql': return pool.query(args.sql); }
});
`;
    assert.deepEqual(await found(text), ['sql-injection low capability']);
  });

  it('must keep what it promises', async () => {
    const promises = tool('execute_sql', 'sql', runs, 'Runs a read-only query');
    assert.deepEqual(await found(promises), ['sql-injection medium capability']);
    const meant = tool(
      'execute_sql',
      'sql',
      `if (!sql.startsWith('SELECT')) throw new Error('no'); ${runs}`,
      'Runs a statement',
    );
    assert.deepEqual(await found(meant), ['sql-injection medium capability']);
    // The statement itself can end such a transaction.
    const ended = tool(
      'execute_sql',
      'sql',
      `await pool.query('BEGIN READ ONLY'); ${runs}`,
      'Read-only query',
    );
    assert.deepEqual(await found(ended), ['sql-injection medium capability']);
    const kept = `const pool = new Database('a.db', { readonly: true });\n${promises}`;
    assert.deepEqual(await found(kept), ['sql-injection low capability']);
  });

  it('is none where something stands before what it is given', async () => {
    const search = tool(
      'query_users',
      'query',
      'return pool.query(`SELECT * FROM users WHERE name = ${query}`);',
      'Runs a query for users',
    );
    assert.deepEqual(await found(search), ['sql-injection high']);
  });
});

describe('what a tool calls its parameter', () => {
  it('says that it is given a command, whatever stands around it', async () => {
    const within = tool('run', 'command', 'execSync(`cd /srv && ${command}`);', 'Runs a command');
    assert.deepEqual(await found(within), ['command-injection medium capability']);
    const other = tool('run', 'folder', 'execSync(`ls ${folder}`);', 'Runs a command');
    assert.deepEqual(await found(other), ['command-injection critical']);
  });

  it('says that it is given a whole path', async () => {
    assert.deepEqual(await found(tool('attach', 'outputPath', "fs.writeFileSync(outputPath, 'x');")), [
      'path-traversal medium capability',
    ]);
    assert.deepEqual(await found(tool('note', 'title', "fs.writeFileSync(title, 'x');")), [
      'path-traversal high',
    ]);
    const within = "fs.writeFileSync('/srv/' + outputPath, 'x');";
    assert.deepEqual(await found(tool('attach', 'outputPath', within)), ['path-traversal high']);
  });
});

describe('a search with a pattern of the caller', () => {
  const found = async (handler: string) => {
    const text = `server.tool('search_notes', 'Search the notes', { pattern: z.string() }, async ({ pattern }) => ${handler});\n`;
    const { observations } = await analyseProject([{ path: 'a.ts', text }]);
    return observations.flatMap(({ rule, severity }) => (rule === 'regex-injection' ? [severity] : []));
  };

  it('is of medium severity: a pattern that takes for ever stops the server', async () => {
    assert.deepEqual(await found("notes.filter((note) => new RegExp(pattern, 'i').test(note))"), ['medium']);
    assert.deepEqual(await found('notes.filter((note) => note.includes(pattern))'), []);
  });
});
