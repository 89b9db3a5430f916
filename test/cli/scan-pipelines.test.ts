/** The GitHub Action and the pre-commit hook: their files are read, and what they say is run as their runners would. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { readSarif } from '#findings/sarif/read-sarif.ts';

const root = join(import.meta.dirname, '../..');
const nodeFolder = dirname(process.execPath);
let place: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'bulwark-pipelines-'));
});
after(() => rm(place, { recursive: true, force: true }));

const vulnerable = `server.tool('log', 'Shows a log.', { branch: z.string() }, async ({ branch }) => {
  require('node:child_process').exec(\`git log \${branch}\`);
});
`;
const fixed = vulnerable.replace(
  'exec(`git log ${branch}`)',
  "execFile('git', ['log', '--end-of-options', branch])",
);

async function run(command: string, args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: place, PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`, ...env },
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, err };
}

interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: {
    using: string;
    steps: { name: string; shell: string; env?: Record<string, string>; run: string }[];
  };
}

/** A composite action as a runner executes it: expressions are replaced in `env` alone, a step that fails ends it. */
async function runAction(workspace: string, given: Record<string, string>) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as Action;
  assert.equal(action.runs.using, 'composite');
  for (const name of Object.keys(given)) assert.ok(name in action.inputs, `${name} is an input`);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: preset = '' }]) => [name, given[name] ?? preset]),
  );
  const filled = (value: string) =>
    value.replaceAll(/\$\{\{ *inputs\.([\w-]+) *\}\}/g, (_, name: string) => {
      const input = inputs[name];
      assert.ok(input !== undefined, `${name} is an input`);
      return input;
    });
  let code: number | null = 0;
  let out = '';
  for (const step of action.runs.steps) {
    assert.equal(step.shell, 'bash');
    assert.ok(!step.run.includes('${{'), 'inputs reach the script as variables, and are no part of it');
    const env = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]),
    );
    const ran = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], workspace, {
      ...env,
      GITHUB_ACTION_PATH: root,
      GITHUB_WORKSPACE: workspace,
    });
    out += ran.out + ran.err;
    code = ran.code;
    if (code !== 0) break;
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]),
  );
  return { code, out, outputs };
}

test('the action fails a run with a severe finding, and leaves SARIF for the next step', async () => {
  const workspace = join(place, 'workspace');
  await mkdir(join(workspace, 'src'), { recursive: true });
  await writeFile(join(workspace, 'src/index.js'), vulnerable);
  const failed = await runAction(workspace, {});
  assert.equal(failed.code, 10, failed.out);
  const [sarif] = readSarif(await readFile(join(workspace, failed.outputs['sarif'] ?? ''), 'utf8'));
  assert.equal(sarif?.findings[0]?.rule, 'command-injection');
  assert.equal((await runAction(workspace, { 'fail-on': 'never' })).code, 0);
  const known = await runAction(workspace, { baseline: 'bulwark.sarif', sarif: 'new.sarif' });
  assert.equal(known.code, 0, known.out);
  const hostile = await runAction(workspace, { path: '.; touch pwned #', sarif: '$(touch pwned)' });
  assert.notEqual(hostile.code, 0);
  assert.ok(!existsSync(join(workspace, 'pwned')));
});

interface Hook {
  id: string;
  entry: string;
  pass_filenames: boolean;
}

test('the pre-commit hook refuses a commit with a severe finding, in a real repository', async () => {
  const [hook] = parse(await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[];
  assert.ok(hook);
  assert.equal(hook.pass_filenames, false);
  const repository = join(place, 'repository');
  const programs = join(place, 'programs');
  await mkdir(repository);
  await mkdir(programs);
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  const [program = '', ...rest] = hook.entry.split(' ');
  await symlink(join(root, bin[program] ?? ''), join(programs, program));
  const env = {
    PATH: `${programs}:${nodeFolder}:/usr/local/bin:/usr/bin:/bin`,
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const git = (...args: string[]) => run('git', args, repository, env);
  await git('init', '--quiet');
  await writeFile(
    join(repository, '.git/hooks/pre-commit'),
    `#!/bin/sh\nexec ${[program, ...rest].join(' ')}\n`,
    { mode: 0o755 },
  );
  await writeFile(join(repository, 'server.js'), vulnerable);
  await git('add', '.');
  const refused = await git('commit', '-m', 'A tool');
  assert.notEqual(refused.code, 0);
  assert.match(refused.out + refused.err, /Input reaches a shell/);
  assert.notEqual((await git('rev-parse', 'HEAD')).code, 0, 'nothing was committed');
  await writeFile(join(repository, 'server.js'), fixed);
  await git('add', '.');
  const made = await git('commit', '-m', 'A tool');
  assert.equal(made.code, 0, made.out + made.err);
});
