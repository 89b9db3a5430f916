import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBoundaries, readSources } from './boundaries.ts';

const check = (file: string, source: string) => checkBoundaries(new Map([[file, source]]));

test('the repository respects its import rules', () => {
  assert.deepEqual(checkBoundaries(readSources()), []);
});

test('an import that is not allowed is reported', () => {
  for (const [file, source, wrong] of [
    ['src/base/http/server.ts', "import { login } from '#identity/login.ts';", 'base may not import'],
    ['src/engine/text/engine.ts', "import { query } from '#base/db/database.ts';", 'engine may not import'],
    ['src/engine/text/engine.ts', "import { Pool } from 'pg';", 'pg does not come in'],
    [
      'src/services/policy-guard/guards/guards.ts',
      "import { sets } from '#services/action-guard/sets/store.ts';",
      'services/policy-guard/guards may not import',
    ],
    [
      'src/services/policy-guard/library/groups/groups.ts',
      "import type { Guard } from '../../guards/guard.ts';",
      'services/policy-guard/library may not import src/services/policy-guard/guards/guard.ts',
    ],
    [
      'src/services/agent-gateway/registry/servers/servers.ts',
      "import type { LiveGateways } from '#services/agent-gateway/endpoint/live-gateways.ts';",
      'services/agent-gateway/registry may not import',
    ],
    [
      'src/services/policy-guard/contract.ts',
      "import { a } from './guards/store.ts';",
      'contract may not import',
    ],
    ['src/cli/commands/users.ts', "import { a } from '#identity/users/store.ts';", 'cli may not import'],
    ['src/elsewhere/file.ts', "import { a } from '#base/ids.ts';", 'lies in no room'],
  ] as const)
    assert.match(check(file, source).join('\n'), new RegExp(wrong), `${file}: ${source}`);
});

test('another service’s contract, and a service’s own files, may be imported', () => {
  assert.deepEqual(
    check(
      'src/services/agent-gateway/endpoint/calls.ts',
      "import { ops } from '#services/action-guard/contract.ts';\nimport { a } from '../registry/servers/servers.ts';",
    ),
    [],
  );
});

test('an import cycle is found and printed with its path', () => {
  const sources = new Map([
    ['src/base/a.ts', "import { b } from './b.ts';"],
    ['src/base/b.ts', "import { a } from './a.ts';"],
  ]);
  assert.match(
    checkBoundaries(sources).join('\n'),
    /cycle: src\/base\/a\.ts → src\/base\/b\.ts → src\/base\/a\.ts/,
  );
});

test('folders of a service that import each other are a cycle, even if no two files are', () => {
  const folder = 'src/services/policy-guard/judging';
  const sources = new Map([
    [`${folder}/judges/a.ts`, "import type { B } from '../verdicts/b.ts';"],
    [`${folder}/judges/c.ts`, ''],
    [`${folder}/verdicts/b.ts`, ''],
    [`${folder}/verdicts/d.ts`, "import { c } from '../judges/c.ts';"],
    // A file directly in the folder counts as a node of its own; tests are ignored.
    [`${folder}/judging.ts`, "import { a } from './judges/a.ts';\nimport { b } from './verdicts/b.ts';"],
    [`${folder}/judges/a.test.ts`, "import { j } from '../judging.ts';"],
  ]);
  assert.deepEqual(checkBoundaries(sources), [
    `cycle of folders: ${folder}/judges → ${folder}/verdicts → ${folder}/judges`,
  ]);
  sources.delete(`${folder}/verdicts/d.ts`);
  assert.deepEqual(checkBoundaries(sources), []);
});

test('a test may import its own service only through the allowed entry points, from any folder', () => {
  const test =
    "import { openTestService } from '../../fixtures/service.ts';\nimport { a } from '../../apis/a.ts';";
  assert.deepEqual(check('src/services/policy-guard/library/groups/groups.test.ts', test), []);
});
