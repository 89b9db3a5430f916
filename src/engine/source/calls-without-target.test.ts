/** Calls through interfaces, tables and containers, of which the source does not say what function they reach. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const found = async (...texts: string[]): Promise<string[]> => {
  const { observations } = await analyseProject(
    texts.map((text, at) => ({ path: `${String.fromCharCode(97 + at)}.ts`, text })),
  );
  return observations
    .map(({ rule, severity, location }) => `${rule} ${severity} ${location?.path}:${location?.startLine}`)
    .toSorted();
};

const tool = (call: string): string => `export function offer(server, services) {
  server.tool('t', { line: z.string() }, async ({ line }) => { ${call} });
}
`;
const runner = (parameters = 'line: string'): string => `import { execSync } from 'node:child_process';
class Runner implements Runs {
  start(${parameters}) { return execSync('ls ' + line); }
}
`;
const inRunner = ['command-injection medium b.ts:3'];

describe('a call without a known target', () => {
  it('may mean the method of its name, and says no more than medium', async () => {
    assert.deepEqual(await found(tool("services.get('runs').start(line);"), runner()), inRunner);
  });

  it('means no method of another name, and none that takes fewer arguments', async () => {
    assert.deepEqual(await found(tool("services.get('runs').stop(line);"), runner()), []);
    assert.deepEqual(await found(tool("services.get('runs').start(line, 1, 2);"), runner()), []);
  });

  it('is of no interest without input', async () => {
    assert.deepEqual(await found(tool("services.get('runs').start('now');"), runner()), []);
  });

  it('means no method that something leads to, which is followed from there', async () => {
    const own = `${runner()}const own = new Runner();
server.tool('own', { line: z.string() }, async ({ line }) => own.start(line));
`;
    assert.deepEqual(await found(tool("services.get('runs').start(line);"), own), [
      'command-injection critical b.ts:3',
    ]);
  });

  it('of a function that is held may mean one that is given away, unless there are too many', async () => {
    const table = (count: number): string => `import { execSync } from 'node:child_process';
function first(line) { return execSync('ls ' + line); }
${Array.from({ length: count }, (_, at) => `function more${at}(line) { return line; }`).join('\n')}
register([first, ${Array.from({ length: count }, (_, at) => `more${at}`).join(', ')}]);
`;
    const call = tool('for (const each of services.all()) each.handler(line);');
    assert.deepEqual(await found(call, table(3)), ['command-injection medium b.ts:2']);
    assert.deepEqual(await found(call, table(40)), []);
    assert.deepEqual(await found(call, table(3).replace(/register.*/, '')), []);
  });
});
