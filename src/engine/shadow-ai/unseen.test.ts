/**
 * Cases that were written before the catalogue was looked at. First look: `unseen`, 76 of 80 tools and none of 80 others.
 * `field-1` 36 of 40 and 2 of 40; after what that taught, `field-2` 35 of 40 and 3 of 40; after that, `field-3` 44 of 49
 * and none of 50; `field-4` 38 of 40 and 1 of 20; after that, `field-5` 11 of 12 and none of 12; by another hand, `field-6`
 * 38 of 40, none of 45, and all of 35 hosts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import { createMatcher } from './matcher.ts';

const matcher = createMatcher(readCatalogue());

const casesOf = (name: string): string[][] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' | '));

test('AI tools are recognised however they are started', () => {
  const cases = casesOf('unseen-tools');
  assert.equal(cases.length, 80);
  assert.deepEqual(
    cases.filter(([image = '', line = '']) => matcher.matchProcess(image, line) === undefined),
    [],
  );
});

test('programs that mention AI tools, or have their names, are none', () => {
  const cases = casesOf('unseen-others');
  assert.equal(cases.length, 80);
  // A weak name alone is no detection.
  assert.deepEqual(
    cases.filter(([image = '', line = '']) => matcher.matchProcess(image, line)?.weak === false),
    [],
  );
});

for (const part of ['1', '2', '3', '4', '5', '6'])
  test(`field cases ${part}: each tool by its own rule, and nothing that only looks like one`, () => {
    const ruleOf = (image = '', line = '') => {
      const found = matcher.matchProcess(image, line);
      return found?.weak === false ? found.rule.id : undefined;
    };
    assert.deepEqual(
      casesOf(`field-tools-${part}`).filter(([rule, image, line]) => ruleOf(image, line) !== rule),
      [],
    );
    assert.deepEqual(
      casesOf(`field-others-${part}`).filter(([image, line]) => ruleOf(image, line) !== undefined),
      [],
    );
  });

test('field cases 6: each host by its own provider, and none that only looks like one', () => {
  const wrong = casesOf('field-hosts-6').filter(([provider, host = '']) => {
    const id = matcher.findProvider(host)?.id.replace('ai-connect-', '') ?? 'none';
    return id !== provider;
  });
  assert.deepEqual(wrong, []);
});

/** What people do with names: read, search, look up, stop and remove. */
const mentions: readonly ((name: string, item: string) => readonly [image: string, line: string])[] = [
  (name) => ['/usr/bin/vim', `vim notes/${name}.md`],
  (name) => ['/bin/bash', `bash -c "cd /srv && grep -rn ${name} ."`],
  (name) => ['/bin/sh', `sh -c "echo ${name}; ls ${name}"`],
  (name) => ['C:\\Windows\\System32\\cmd.exe', `cmd.exe /c "cd C:\\work && del ${name}"`],
  (name) => ['/usr/bin/cat', `cat ${name}`],
  (name) => ['/usr/bin/ls', `ls -la /home/mara/.${name}`],
  (name) => ['/usr/bin/grep', `grep -rni "${name}" .`],
  (name) => ['/usr/bin/git', `git checkout -b feature/${name}`],
  (name) => ['/usr/bin/ssh', `ssh ${name}.internal uptime`],
  (name) => ['/usr/bin/man', `man ${name}`],
  (name) => ['/usr/bin/which', `which ${name}`],
  (name) => ['/usr/bin/pkill', `pkill -f "${name}"`],
  (name) => ['/usr/bin/systemctl', `systemctl status ${name}`],
  (name) => ['/usr/bin/docker', `docker logs ${name}`],
  (name) => ['/usr/bin/docker', `docker run --rm --name ${name} postgres:17`],
  (name) => ['/usr/bin/kubectl', `kubectl get pods -l app=${name}`],
  (name) => ['/usr/bin/python3', `python3 "reports/${name}_usage.py"`],
  (name) => ['/usr/bin/node', `node "scripts/${name}-report.js"`],
  (name) => ['/usr/bin/npm', `npm run ${name}`],
  (_, item) => ['/usr/bin/npm', `npm view ${item} version`],
  (_, item) => ['/usr/bin/npm', `npm uninstall -g ${item}`],
  (_, item) => ['/usr/bin/pip', `pip show ${item}`],
  (_, item) => ['/opt/homebrew/bin/brew', `brew uninstall ${item}`],
  (name) => ['C:\\Windows\\System32\\taskkill.exe', `taskkill /f /im ${name}`],
  (name) => ['C:\\Windows\\System32\\notepad.exe', `notepad.exe C:\\docs\\${name}.txt`],
  (name) => ['C:\\Windows\\System32\\where.exe', `where.exe ${name}`],
  (name) => ['C:\\Windows\\explorer.exe', `explorer.exe /select,"C:\\Downloads\\${name}"`],
];

test('ordinary programs that are given the names of all tools are none', () => {
  const names = readCatalogue().rules.flatMap(({ match: { names: own = [], packages = [] } }) => [
    ...own,
    ...packages,
  ]);
  assert.ok(names.length > 400);
  const wrong = names.flatMap((name) =>
    mentions
      .map((mention) => mention(name, name.replace(/^[a-z]+:/, '')))
      .filter(([image, line]) => matcher.matchProcess(image, line)?.weak === false),
  );
  assert.deepEqual(wrong, []);
});
