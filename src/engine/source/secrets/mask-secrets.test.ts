import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';
import { withFingerprints } from '#findings/fingerprint.ts';

// Put together here, so that nothing takes this file's own for secrets.
const key = ['AKIA', 'Q3EGRZ7T5KLM2NPV'].join('');
const token = ['ghp', '_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');

const sources: Readonly<Record<string, string>> = {
  'server.ts': `import { readFileSync } from 'node:fs';
server.tool('read', 'Reads', { path: z.string() }, async ({ path }) => {
  return readFileSync(\`/srv/\${path}\`, 'utf8');
});
app.listen(3000, '0.0.0.0');
const first = '${key}';
const second = call('${token}', run);
`,
  'server.py': `import os
@mcp.tool()
def ping(host: str) -> str:
    """Ping a host."""
    os.system("curl -H 'Authorization: ${token}' " + host)
    return "${key}"
`,
  'main.go': `package main

import (
	"os/exec"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	s.AddTool(mcp.NewTool("ping", mcp.WithDescription("Ping")), handlePing)
}
func handlePing(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	host, _ := req.RequireString("host")
	exec.Command("sh", "-c", "${key} ping "+host).Run()
	token := "${token}"
	return nil, nil
}
`,
};

for (const [path, text] of Object.entries(sources))
  test(`no finding of ${path} repeats a secret of its file`, async () => {
    const { observations } = await analyseProject([{ path, text }]);
    const rules = observations.map(({ rule }) => rule);
    assert.ok(rules.includes('hard-coded-secret'), rules.join());
    assert.ok(
      rules.some((rule) => rule !== 'hard-coded-secret'),
      rules.join(),
    );
    const all = JSON.stringify(observations);
    for (const secret of [key, token]) assert.ok(!all.includes(secret.slice(0, 12)), `${secret} in ${all}`);
    assert.ok(observations.every(({ location }) => !/^\s*$/.test(location?.snippet ?? '')));
  });

test('the body of a private key is shown nowhere', async () => {
  const body = Array.from({ length: 3 }, (_, at) => `MIIEpAIBAAKCAQEA${'x7Kq'.repeat(11)}${at}abc`);
  const text = `app.listen(3000, '0.0.0.0');\nconst pem = \`-----BEGIN RSA PRIVATE KEY-----\n${body.join('\n')}\n-----END RSA PRIVATE KEY-----\`;\n`;
  const { observations } = await analyseProject([{ path: 'a.ts', text }]);
  assert.ok(observations.length > 0);
  assert.ok(!JSON.stringify(observations).includes('MIIEpAIBAAKCAQEA'));
});

test('a secret that a long line is cut within is not shown in part', async () => {
  const text = `app.listen(3000, '0.0.0.0'); /* ${'x'.repeat(258)} */ const a = '${token}';\n`;
  const { observations } = await analyseProject([{ path: 'a.ts', text }]);
  assert.ok(observations.length > 0);
  assert.ok(!JSON.stringify(observations).includes(token.slice(0, 6)));
});

test('what is masked does not change fingerprints, and files without secrets stay as they are', async () => {
  const text = (value: string) =>
    `import { readFileSync } from 'node:fs';\nserver.tool('read', 'Reads', { path: z.string() }, async ({ path }) => readFileSync('/srv/' + path));\nconst a = '${value}';\n`;
  const run = async (value: string) => {
    const { observations } = await analyseProject([{ path: 'a.ts', text: text(value) }]);
    return observations.filter(({ rule }) => rule === 'path-traversal');
  };
  const [masked] = await run(key);
  const [open] = await run('nothing that anybody hides');
  assert.ok(masked !== undefined && open !== undefined);
  assert.equal(open.fingerprintKey, undefined);
  assert.match(open.location?.snippet ?? '', /nothing that anybody hides/);
  const [unmasked] = withFingerprints([
    { ...open, location: { ...open.location!, snippet: text(key).trimEnd() } },
  ]);
  const [finding] = withFingerprints([masked]);
  assert.equal(finding?.fingerprint, unmasked?.fingerprint);
  assert.ok(finding !== undefined && !('fingerprintKey' in finding));
});

test('a key of any kind is found where its value looks as if drawn by lot', async () => {
  const count = async (name: string, value: string) => {
    const text = `export const ${name} = '${value}';\n`;
    const { observations } = await analyseProject([{ path: 'a.ts', text }]);
    return observations.filter(({ rule }) => rule === 'hard-coded-secret').length;
  };
  for (const name of ['TOKEN_KEY', 'escrowKey', 'APP_KEY', 'API_KEY'])
    assert.equal(await count(name, `kx_live_${'7fQ2vLr9XwT4mNc8'}ZpHa61kD`), 1, name);
  assert.equal(await count('TOKEN_KEY', 'shelf-access-token-v2'), 0);
  assert.equal(await count('USER_KEY', 'shelf:user:profile:2024:11'), 0);
});
