import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommands } from './commands.ts';
import { leavesOf } from './leaves.ts';
import { readShell } from './shell.ts';

const sensesOf = (tool: string, params: Record<string, unknown>) => [
  ...readCommands(leavesOf(params), tool.split('_')).senses,
];

test('a tool that is a program is given the rest of its command line', () => {
  assert.deepEqual(sensesOf('kubectl', { args: 'logs -n prod checkout --tail=20' }), ['read']);
  assert.deepEqual(sensesOf('kubectl', { args: 'rollout status deployment/checkout' }), ['read']);
  assert.deepEqual(sensesOf('kubectl', { args: 'rollout restart deployment/checkout' }), ['deploy']);
  assert.deepEqual(sensesOf('kubectl', { args: 'delete pod checkout' }), ['delete']);
  assert.deepEqual(sensesOf('aws', { args: 'ec2 describe-instances' }), ['read']);
  assert.deepEqual(sensesOf('aws', { args: 'ec2 run-instances' }), []);
  assert.ok(sensesOf('git', { args: 'commit -am "Fix"' }).includes('commit'));
});

test('how things stand is asked without harm, with raised rights too; what changes or is kept secret is not', () => {
  const isRaised = (line: string) => readShell(line).facts.has('privileged_command');
  for (const line of [
    'sudo ufw status numbered',
    'sudo systemctl status nginx',
    'sudo cat /etc/nginx/a.conf',
  ])
    assert.ok(!isRaised(line), line);
  for (const line of [
    'sudo systemctl reload nginx',
    'sudo cat /etc/shadow',
    'sudo cat /srv/app/.env',
    'sudo find / -delete',
    'sudo tee /etc/hosts',
  ])
    assert.ok(isRaised(line), line);
});

test('one port that is opened or closed leaves the firewall on', () => {
  const isOff = (line: string) => readShell(line).facts.has('disables_protection');
  for (const line of ['ufw allow 80/tcp', 'ufw delete allow 80/tcp', 'ufw deny 23'])
    assert.ok(!isOff(line), line);
  for (const line of ['ufw disable', 'iptables -F', 'setenforce 0']) assert.ok(isOff(line), line);
});
