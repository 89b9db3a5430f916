import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const read = async (text: string) => {
  const { observations } = await analyseProject([{ path: 'server.ts', text }]);
  return observations.map(({ rule, severity, description, tags, location }) => ({
    rule,
    severity,
    line: location?.startLine,
    related: tags.filter((tag) => tag.startsWith('related:')).map((tag) => tag.slice('related:'.length)),
    description,
  }));
};

const imports = "import { spawn } from 'node:child_process';";

test('one program call is one finding, the most specific of the worst, with the others named', async () => {
  const found = await read(`${imports}
function start(program: string, args: string[]) { return spawn(program, args); }
server.tool('work', { program: z.string(), args: z.array(z.string()), line: z.string() }, async ({ program, args, line }) => {
  start(program, []);
  start('git', ['log', ...args]);
  start('bash', ['-c', line]);
});
`);
  assert.equal(found.length, 1);
  assert.deepEqual({ rule: found[0]?.rule, line: found[0]?.line }, { rule: 'chosen-program', line: 2 });
  assert.deepEqual(found[0]?.related.toSorted(), ['argument-injection', 'command-injection']);
  assert.match(
    found[0]?.description ?? '',
    /related weaknesses: .*\(command-injection\).*\(argument-injection\)/,
  );
});

test('the worst of them comes first, and calls that stand apart stay apart', async () => {
  const found = await read(`${imports}
server.tool('git', { args: z.array(z.string()) }, async ({ args }) => { spawn('git', args, { shell: true }); });
server.tool('log', { args: z.array(z.string()) }, async ({ args }) => { spawn('git', ['log', ...args]); });
`);
  assert.deepEqual(
    found.map(({ rule, line, related }) => [rule, line, related]),
    [
      ['command-injection', 2, ['argument-injection']],
      ['argument-injection', 3, []],
    ],
  );
});
