import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const rules = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule }) => rule);
};

const inScript = (library: string, text: string): Promise<string[]> =>
  rules(
    'a.ts',
    `import db from '${library}';
const literal = (value: string) => \`'\${value.replace(/'/g, "''")}'\`;
const withoutBackslashes = (value: string) => \`'\${value.replace(/\\\\/g, '\\\\\\\\').replace(/'/g, "''")}'\`;
const column = (value: string) => '"' + value.replaceAll('"', '""') + '"';
const bookColumn = (value: string) => '\`' + value.replaceAll('\`', '\`\`') + '\`';
server.tool('t', { name: z.string() }, async ({ name }) => pool.query(\`SELECT * FROM books WHERE \${${text}}\`));
`,
  );

const sql = ['sql-injection'];

describe('marks that are written twice', () => {
  it('end no text between two of them', async () => {
    assert.deepEqual(await inScript('pg', 'literal(name)'), []);
    assert.deepEqual(await inScript('pg', 'column(name)'), []);
    assert.deepEqual(await inScript('pg', "name.replace(/'/g, \"''\")"), sql);
    assert.deepEqual(await inScript('pg', 'literal(name) + name'), sql);
    assert.deepEqual(
      await rules(
        'a.py',
        `import psycopg2
@mcp.tool()
def find(name: str) -> list:
    quoted = name.replace("'", "''")
    cursor.execute(f"SELECT * FROM books WHERE name = '{quoted}'")
`,
      ),
      [],
    );
  });

  it('do where a backslash escapes them', async () => {
    assert.deepEqual(await inScript('mysql2/promise', 'literal(name)'), sql);
    assert.deepEqual(await inScript('mysql2/promise', 'column(name)'), sql);
    assert.deepEqual(await inScript('mysql2/promise', 'bookColumn(name)'), []);
    assert.deepEqual(await inScript('mysql2/promise', 'withoutBackslashes(name)'), []);
  });

  it('are told by the database that a name is for', async () => {
    const named = (body: string) =>
      rules(
        'a.ts',
        `import pool from '${'mysql2'}';
const named = (name: string, kind: string) => { ${body} };
server.tool('t', { name: z.string() }, async ({ name }) => pool.query(\`SELECT * FROM \${named(name, engine)}\`));
`,
      );
    const brackets = "return '[' + name.replace(/\\]/g, ']]') + ']';";
    assert.deepEqual(await named(brackets), []);
    assert.deepEqual(await named("return ']' + name.replace(/\\]/g, ']]') + ']';"), sql);
    const double = "return '\"' + name.replace(/\"/g, '\"\"') + '\"';";
    const back = "return '`' + name.replace(/`/g, '``') + '`';";
    assert.deepEqual(await named(`switch (kind) { case 'mysql': ${back} default: ${double} }`), []);
    assert.deepEqual(await named(double), sql);
  });
});
