import assert from 'node:assert/strict';
import { it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const places = async (rule: string, files: Readonly<Record<string, string>>): Promise<string[]> => {
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { observations } = await analyseProject(given);
  return observations
    .filter((each) => each.rule === rule)
    .map(({ location }) => `${location?.path}:${location?.startLine}`);
};

const listing = `server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: shownTools() }));`;

it('a list of another file that leaves tools out is asked for where they are called', async () => {
  const shown = `export const shownTools = () => everything.filter((tool) => tool.level !== 'admin' || session.isAdmin);`;
  const open = `${listing}
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => everything.find((tool) => tool.name === params.name).answer(params));`;
  const checked = `${listing}
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => shownTools().find((tool) => tool.name === params.name).answer(params));`;
  assert.deepEqual(await places('missing-call-filter', { 'a.ts': open, 'b.ts': shown }), ['a.ts:2']);
  assert.deepEqual(await places('missing-call-filter', { 'a.ts': checked, 'b.ts': shown }), []);
});

it('an amount is followed into a function of the same name in another file', async () => {
  const tools = `from . import work
@mcp.tool()
def warm_up(megabytes: int) -> int:
    return work.warm_up(megabytes)
`;
  const work = (amount: string) => `def warm_up(megabytes):
    return len(bytearray(${amount} * 1024))
`;
  const found = (amount: string) =>
    places('unbounded-amount', { 'tools.py': tools, 'work.py': work(amount) });
  assert.deepEqual(await found('megabytes'), ['work.py:2']);
  assert.deepEqual(await found('min(megabytes, 8)'), []);
});

it('an address of a database in a table of another file is shown by an answer, and hidden by a mask', async () => {
  const stores = `const stores = { main: process.env.MAIN_STORE_URL || 'postgres://reader@db.acme-corp.com/app' };
module.exports = { stores };`;
  const answer = (shown: string) => `const held = require('./stores');
server.tool('where', {}, async ({ store }) => ({ content: [{ type: 'text', text: JSON.stringify({ store, at: ${shown} }) }] }));`;
  const found = (shown: string) =>
    places('secret-in-response', { 'index.js': answer(shown), 'stores.js': stores });
  assert.deepEqual(await found('held.stores[store]'), ['index.js:2']);
  assert.deepEqual(await found('masked(held.stores[store])'), []);
});

it('what one transport is told to check says nothing of another', async () => {
  const both = `const closed = new StreamableHTTPServerTransport({ enableDnsRebindingProtection: true, allowedOrigins: known });
const open = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });`;
  assert.deepEqual(await places('dns-rebinding', { 'a.ts': both }), ['a.ts:2']);
});

it('a password beside its user and a key that signs in are secrets, words in their place are none', async () => {
  const found = (password: string, key: string) =>
    places('hard-coded-secret', {
      'a.ts': `const held = driver(url, auth.basic('reader', process.env.GRAPH_PASSWORD || '${password}'));
if (req.headers['x-api-key'] !== '${key}') refuse();`,
    });
  assert.deepEqual(await found('Kx7!pRw2-zQ', 'hk-82f0c6d19be4'), ['a.ts:1', 'a.ts:2']);
  assert.deepEqual(await found('password', 'your-api-key'), []);
});

it('a key that is handed to what deals with an error is not shown by it', async () => {
  const code = (shown: string) => `const key = process.env.MAPS_API_KEY;
const explain = (error, hidden) => String(error).replaceAll(hidden, '');
server.tool('find', {}, async () => {
  const error = new Error(${shown});
  tidyError(error, key);
  return textResult(error, key);
});
const textResult = (error, hidden) => ({ content: [{ type: 'text', text: explain(error, hidden) }] });`;
  assert.deepEqual(await places('secret-in-response', { 'a.ts': code("'no answer'") }), []);
  assert.deepEqual(await places('secret-in-response', { 'a.ts': code('`no answer with ${key}`') }), [
    'a.ts:4',
  ]);
});
