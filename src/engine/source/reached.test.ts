import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { analyseProject } from './analyse-project.ts';
import type { Observation } from '#findings/finding.ts';

const found = async (text: string): Promise<Observation[]> =>
  (await analyseProject([{ path: 'a.js', text }])).observations;

const lines = ({ location, otherPlaces = [] }: Observation): (number | undefined)[] =>
  [location, ...otherPlaces].map((place) => place?.startLine);

const names = ({ tags }: Observation): string[] => tags.filter((tag) => tag.startsWith('tool:'));

const tool = (name: string, parameter: string, body: string): string =>
  `server.registerTool('${name}', { description: '', inputSchema: { ${parameter}: z.string() } }, async ({ ${parameter} }) => ${body});`;

test('tools whose lists of arguments one function starts are all told, with the places of their lists', async () => {
  const [only, ...others] = await found(`import { execFileSync } from 'node:child_process';
const hg = (words) => execFileSync('hg', words).toString();
${tool('log', 'revision', "hg(['log', '-r', '1', revision])")}
${tool('cat', 'file', "hg(['cat', file])")}
${tool('pull', 'source', "{ const words = ['pull']; words.push(source); return hg(words); }")}
${tool('tip', 'depth', "hg(['tip'])")}
`);
  assert.deepEqual(others, []);
  assert.equal(only?.rule, 'argument-injection');
  assert.deepEqual(lines(only), [2, 3, 4, 5]);
  assert.equal(only.subject, 'log');
  assert.deepEqual(names(only), ['tool:cat', 'tool:pull']);
  assert.match(only.description, /The tools "cat", "pull" get there as well\./);
});

test('one tool that answers for itself names nobody else', async () => {
  const [only] = await found(`import { execFileSync } from 'node:child_process';
${tool('log', 'revision', "execFileSync('hg', ['log', revision])")}
`);
  assert.ok(only);
  assert.deepEqual(lines(only), [2]);
  assert.doesNotMatch(only.description, /as well/);
});

test('texts that one function runs stay a finding for each place, and name all tools that come by', async () => {
  const observed = await found(`import { execSync } from 'node:child_process';
const run = (line) => execSync(line);
const hash = (name) => run(\`sha1sum \${name}\`);
${tool('first', 'a', 'hash(a)')}
${tool('second', 'b', 'hash(b)')}
${tool('third', 'c', 'run(`wc ${c}`)')}
`);
  const byLine = observed
    .map((each) => `${String(lines(each))} ${each.subject} ${String(names(each))}`)
    .toSorted();
  assert.deepEqual(byLine, ['2 first tool:second,tool:third', '3 first tool:second', '6 third ']);
});

test('routes that come by are told too', async () => {
  const [only] = await found(`import { exec } from 'node:child_process';
const ping = (host) => exec('ping -c 1 ' + host);
app.get('/ping', (req, res) => res.json(ping(req.query.host)));
app.post('/check', (req, res) => res.json(ping(req.body.host)));
`);
  assert.match(only?.description ?? '', /The route "post \/check" gets there as well\./);
});

test('the option that is named is one of the program that is started', async () => {
  const start = async (words: string): Promise<string> => {
    const [only] = await found(`import { execFile } from 'node:child_process';
${tool('run', 'value', `execFile(${words})`)}`);
    return only?.description ?? '';
  };
  assert.match(await start("'git', ['clone', value]"), /a dash, such as --upload-pack=…, is taken/);
  assert.match(await start("'/usr/bin/git', ['diff', value]"), /a dash, such as --output=…, is taken/);
  assert.match(await start("'xcrun', ['simctl', 'launch', value]"), /begins with a dash is taken/);
});

describe('an exported function that no way was seen to', () => {
  const readFile = 'export const page = (name) => readFileSync("/srv/pages/" + name, "utf8");';
  const severities = async (...files: [string, string][]): Promise<string[]> => {
    const { observations } = await analyseProject(files.map(([path, text]) => ({ path, text })));
    return observations.map(({ rule, severity }) => `${severity} ${rule}`);
  };
  const pages: [string, string] = ['pages.js', `import { readFileSync } from 'node:fs';\n${readFile}\n`];

  it('is of medium severity in a server, as a way from one of its tools may have been lost', async () => {
    const server = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 'pages', version: '1.0.0' });
server.tool('now', {}, async () => ({ content: [{ type: 'text', text: String(Date.now()) }] }));
`;
    assert.deepEqual(await severities(['package.json', '{"name":"pages"}'], ['index.js', server], pages), [
      'medium path-traversal',
    ]);
    assert.deepEqual(await severities(pages), ['medium path-traversal']);
    const ownProtocol = `process.stdin.on('data', (line) => answer(JSON.parse(line), ['tools/list', 'tools/call']));`;
    assert.deepEqual(
      await severities(['package.json', '{"name":"pages"}'], ['index.js', ownProtocol], pages),
      ['medium path-traversal'],
    );
  });

  it('is left to its users in a library of something else', async () => {
    assert.deepEqual(await severities(['package.json', '{"name":"pages"}'], pages), ['low path-traversal']);
  });

  it('is found in whatever way it is exported', async () => {
    const read = `readFileSync('/srv/pages/' + name)`;
    const ways = [
      `const page = (name) => ${read}; export { page };`,
      `export default (name) => ${read};`,
      `export const pages = { page: async (name) => ${read} };`,
      `export class Pages { page = async (name) => ${read}; }`,
      `class Pages { page(name) { return ${read}; } }\nexport const pages = new Pages();`,
      `export function openPages() { return { page: (name) => ${read} }; }`,
      `exports.page = page; async function page(name) { return ${read}; }`,
      `function page(name) { return ${read}; } module.exports = { page };`,
      `class Pages { page(name) { return ${read}; } } exports.Pages = Pages;`,
    ];
    for (const way of ways)
      assert.deepEqual(
        await severities(['pages.js', `import { readFileSync } from 'node:fs';\n${way}\n`]),
        ['medium path-traversal'],
        way,
      );
  });

  it('is given its settings by its program', async () => {
    const text = `import { readFileSync } from 'node:fs';
export const page = (config, name) => readFileSync(config.folder + '/index.html');`;
    assert.deepEqual(await severities(['pages.js', text]), []);
  });

  it('is unlikely to be meant where tools lead to most of the program', async () => {
    const server = `import { readFileSync } from 'node:fs';
import { one, two, three } from './parts.js';
server.tool('all', { text: z.string() }, async ({ text }) => [one(text), two(text), three(text)]);`;
    const parts = ['one', 'two', 'three'].map((name) => `export const ${name} = (text) => text.trim();`);
    const left = `import { readFileSync } from 'node:fs';\n${readFile}`;
    assert.deepEqual(
      await severities(['index.js', server], ['parts.js', parts.join('\n')], ['left.js', left]),
      ['low path-traversal'],
    );
  });

  it('is left to whoever sits before a command line', async () => {
    assert.deepEqual(await severities(['src/cli/pages.js', pages[1]]), ['low path-traversal']);
  });
});
