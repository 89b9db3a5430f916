/** Files of configurations: where servers stand, in TOML too, and their variables. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configFindings } from './config-findings.ts';
import { configuredServers, parseConfigurationFile } from './configuration-files.ts';
import { readServerConfig } from './configurations.ts';
import { expanded, leftVariables } from './variables.ts';

const serversOf = (path: string, text: string) =>
  configuredServers(path, text, parseConfigurationFile(path, text));

const codex = `model = "o4"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-server"]

[mcp_servers.docs.env]
DOCS_KEY = "\${DOCS_KEY:-none}"

[mcp_servers."far away"]
url = "https://mcp.example.com/mcp"
bearer_token_env_var = "FAR_TOKEN"
http_headers = { X-Region = "eu" }
env_http_headers = { X-Team = "TEAM" }
`;

describe('files of configurations', () => {
  it('are read in TOML, as Codex keeps them', () => {
    const servers = serversOf('config.toml', codex) ?? [];
    assert.deepEqual(
      servers.map(({ name, line }) => [name, line]),
      [
        ['docs', 3],
        ['far away', 10],
      ],
    );
    const [docs, far] = servers.map(({ given }) => readServerConfig(given));
    assert.ok(typeof docs === 'object' && typeof far === 'object');
    assert.deepEqual(
      [docs.command, docs.args, docs.env],
      ['npx', ['-y', 'docs-server'], { DOCS_KEY: '${DOCS_KEY:-none}' }],
    );
    assert.deepEqual(far.headers, {
      'X-Region': 'eu',
      'X-Team': '${TEAM}',
      Authorization: 'Bearer ${FAR_TOKEN}',
    });
    assert.equal(serversOf('pyproject.toml', '[project]\nname = "x"\n'), undefined);
    assert.equal(parseConfigurationFile('config.toml', '[mcp_servers.x\n'), undefined);
  });

  it('say the line of the server, not of the first place where its name stands', () => {
    const text = `{
  // github is below
  "theme": "github",
  "mcpServers": {
    "files": { "command": "node", "args": ["github"] },
    "github": { "url": "https://mcp.example.com/mcp" },
  },
  "projects": { "/srv/shop": { "mcpServers": {
    "github": { "command": "npx" } } } }
}`;
    assert.deepEqual(
      serversOf('mcp.json', text)?.map(({ name, line }) => [name, line]),
      [
        ['files', 5],
        ['github', 6],
        ['github (/srv/shop)', 9],
      ],
    );
  });
});

describe('variables of a definition', () => {
  const given = {
    url: '${HOST:-https://mcp.example.com}/mcp',
    headers: { Authorization: 'Bearer ${TOKEN}', 'X-Ask': '${input:key}', 'X-Env': '${env:TEAM}' },
    args: ['$HOME', 'costs $5'],
  };

  it('stay unless they have a default, and are told', () => {
    const value = expanded(given, undefined) as typeof given;
    assert.equal(value.url, 'https://mcp.example.com/mcp');
    assert.deepEqual(leftVariables(value), ['${TOKEN}', '${input:key}', '${env:TEAM}']);
  });

  it('are taken from the environment that is given, once', () => {
    const env = { TOKEN: 'secret ${OTHER}', OTHER: 'x', TEAM: 'red', HOST: '', key: 'k' };
    const value = expanded(given, env) as typeof given;
    assert.deepEqual(value.headers, {
      Authorization: 'Bearer secret ${OTHER}',
      'X-Ask': '${input:key}',
      'X-Env': 'red',
    });
    assert.equal(value.url, 'https://mcp.example.com/mcp');
    assert.deepEqual(value.args, ['$HOME', 'costs $5']);
  });

  it('are no secrets; a default that is one is', () => {
    const rulesOf = (env: Record<string, string>) => {
      const config = readServerConfig({ command: 'node', args: ['a.js'], env });
      assert.ok(typeof config === 'object');
      return configFindings('s', config).map(({ rule }) => rule);
    };
    assert.deepEqual(rulesOf({ API_KEY: '${API_KEY_2}', AUTH: 'Bearer ${OAUTH2_TOKEN_1}' }), []);
    assert.deepEqual(rulesOf({ API_KEY: '${API_KEY:-sk-4f9d2c81a7b64e0d9a}' }), ['config-secret']);
  });

  it('in an address are named where that is none without them', () => {
    const fault = readServerConfig({ url: 'https://${HOST}/mcp' });
    assert.ok(typeof fault === 'string');
    assert.match(fault, /'url' with \$\{HOST\}/);
  });
});
