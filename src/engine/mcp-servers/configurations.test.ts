import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfiguration, readServerConfig, serversIn } from './configurations.ts';

const read = (text: string) =>
  Object.fromEntries(
    Object.entries(serversIn(parseConfiguration(text)) ?? {}).map(([name, server]) => {
      const config = readServerConfig(server);
      return [
        name,
        typeof config === 'string' ? config : (config.url ?? [config.command, ...config.args].join(' ')),
      ];
    }),
  );

test('configurations of clients are read as these keep them', () => {
  assert.deepEqual(
    read(`{
      "mcpServers": { "own": { "command": "npx", "args": ["-y", "a"] } },
      "projects": { "/srv/shop": { "mcpServers": { "desk": { "command": "bash", "args": ["-c", "x"] } } }, "/srv/b": {} }
    }`),
    { own: 'npx -y a', 'desk (/srv/shop)': 'bash -c x' },
    'Claude Code',
  );
  assert.deepEqual(
    read('{ "mcpServers": { "far": { "serverUrl": "https://mcp.example.com/sse" } } }'),
    { far: 'https://mcp.example.com/sse' },
    'Windsurf',
  );
  assert.deepEqual(
    read('{ "mcpServers": { "far": { "httpUrl": "https://mcp.example.com/mcp" } } }'),
    { far: 'https://mcp.example.com/mcp' },
    'Gemini CLI',
  );
  assert.deepEqual(
    read(`{ // settings
      "context_servers": { "desk": { "command": { "path": "node", "args": ["desk.js"], "env": {} } }, "far": { "url": "https://mcp.example.com/mcp" }, }, }`),
    { desk: 'node desk.js', far: 'https://mcp.example.com/mcp' },
    'Zed',
  );
  assert.deepEqual(
    read(
      `{ /* of the folder */ "servers": { "desk": { "type": "stdio", "command": "node", "args": ["desk.js",], }, }, }`,
    ),
    { desk: 'node desk.js' },
    'VS Code',
  );
});

test('what is no configuration, or no server, is said', () => {
  assert.equal(parseConfiguration('{ "mcpServers": '), undefined);
  assert.equal(serversIn({ servers: { a: { host: 'x' } } }), undefined);
  assert.equal(readServerConfig({ command: { args: [] } }), "needs 'url' or 'command'");
});
