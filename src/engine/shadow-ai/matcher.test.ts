import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import { createMatcher } from './matcher.ts';

const catalogue = readCatalogue();
const matcher = createMatcher(catalogue);

test('each rule matches its examples, and none of those that are not it', () => {
  const missed: string[] = [];
  for (const { id, examples } of catalogue.rules) {
    for (const { image, command_line } of examples.match) {
      const found = matcher.matchProcess(image, command_line);
      if (found === undefined || found.weak || (found.rule.id !== id && !(id === 'mcp-server-launch')))
        missed.push(`${id}: ${image} ${command_line} → ${found?.rule.id} ${found?.weak}`);
    }
    for (const { image, command_line } of examples.no_match) {
      const found = matcher.matchProcess(image, command_line);
      if (found !== undefined && !found.weak)
        missed.push(`not ${id}: ${image} ${command_line} → ${found.rule.id}`);
    }
  }
  assert.deepEqual(missed, []);
});

/** Mentions of tools that run nothing of them, written before the matcher was tried on them. */
const mentions: readonly (readonly [image: string, commandLine: string])[] = [
  ['/usr/bin/sudo', 'sudo apt install nodejs'],
  ['/usr/bin/sudo', 'sudo vim /etc/codex.conf'],
  ['/usr/bin/docker', 'docker ps --filter name=ollama'],
  ['/usr/bin/docker', 'docker logs open-webui'],
  ['/usr/bin/systemctl', 'systemctl status ollama'],
  ['/usr/bin/npm', 'npm view @openai/codex version'],
  ['/usr/bin/npm', 'npm uninstall -g @anthropic-ai/claude-code'],
  ['/usr/bin/pip3', 'pip3 show aider-chat'],
  ['/usr/bin/pip3', 'pip3 uninstall -y langchain'],
  ['/usr/bin/node', 'node /srv/app/server.js --log claude'],
  ['/usr/bin/python3', 'python3 /srv/reports/cursor.py'],
  ['/usr/bin/python3', 'python3 -c "import openai"'],
  ['/usr/bin/find', 'find / -name claude'],
  ['/usr/bin/ls', 'ls /home/ana/.claude'],
  ['/usr/bin/less', 'less /home/ana/.codex/config.toml'],
  ['C:\\Windows\\System32\\cmd.exe', 'cmd.exe /c where claude'],
  ['C:\\Windows\\System32\\tasklist.exe', 'tasklist /fi "imagename eq Cursor.exe"'],
  ['C:\\Windows\\System32\\taskkill.exe', 'taskkill /im ollama.exe /f'],
  ['/usr/bin/code', 'code /src/gemini-cli'],
  ['/usr/bin/git', 'git clone https://github.com/openai/codex'],
  ['/usr/bin/curl', 'curl -I https://api.openai.com/v1/models'],
  ['/usr/bin/brew', 'brew info ollama'],
  ['/usr/sbin/tabby', 'tabby --help'],
  ['/usr/bin/jan', 'jan'],
  ['/usr/bin/psql', 'psql -d langfuse'],
  ['/usr/bin/kubectl', 'kubectl logs deploy/litellm'],
  ['/usr/bin/ansible', 'ansible all -m shell -a "claude --version"'],
  ['/usr/bin/fabric', 'fabric -H web1 deploy'],
  ['/usr/bin/goose', 'goose -dir migrations up'],
  ['/usr/bin/q', 'q "select 1 from t.csv"'],
  ['/opt/homebrew/bin/node', 'node /src/my-mcp-server-client/index.js'],
  ['/usr/bin/ssh', 'ssh build claude -p hi'],
  ['/usr/bin/rsync', 'rsync -a .cursor/ backup/'],
  ['/usr/bin/rpm', 'rpm -e codex-cli'],
  ['/usr/bin/man', 'man aider'],
  ['/usr/bin/which', 'which gemini'],
];

test('what only mentions a tool is none', () => {
  const found = mentions.flatMap(([image, commandLine]) => {
    const match = matcher.matchProcess(image, commandLine);
    return match === undefined || match.weak ? [] : [`${commandLine}: ${match.rule.id}`];
  });
  assert.deepEqual(found, []);
});

test('a tool is known behind programs that start others, and where it is installed', () => {
  const wrapped: readonly (readonly [image: string, commandLine: string, rule: string])[] = [
    ['/usr/bin/sudo', 'sudo npm install -g @openai/codex', 'codex-cli'],
    ['/usr/bin/sudo', 'sudo -E npm i -g @anthropic-ai/claude-code', 'claude-code'],
    ['/usr/bin/env', 'env ANTHROPIC_API_KEY=x npx -y @anthropic-ai/claude-code', 'claude-code'],
    ['/usr/bin/sudo', 'sudo -u build pip3 install aider-chat', 'aider'],
    ['/usr/bin/doas', 'doas npm install -g opencode-ai', 'opencode'],
    ['/usr/bin/nohup', 'nohup uvx open-webui serve', 'open-webui'],
    ['/usr/bin/sudo', 'sudo docker run -d ollama/ollama', 'ollama'],
    ['/usr/bin/pip3', 'pip3 install open-interpreter', 'open-interpreter'],
    ['/usr/bin/python3', 'python3 -m pip install aider-chat', 'aider'],
    ['/usr/bin/time', 'time npx @google/gemini-cli', 'gemini-cli'],
    ['/usr/bin/sudo', 'sudo FOO=1 npm install --global @google/gemini-cli', 'gemini-cli'],
    ['/usr/bin/timeout', 'timeout 600 npx -y @openai/codex exec "x"', 'codex-cli'],
  ];
  for (const [image, commandLine, rule] of wrapped)
    assert.equal(matcher.matchProcess(image, commandLine)?.rule.id, rule, commandLine);
});
