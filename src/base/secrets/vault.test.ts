import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Secret } from '../config/secret.ts';
import { openVault } from './vault.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-vault-'));
after(() => rm(dataDir, { recursive: true }));

test('a secret decrypts only with its own key and context', async () => {
  const vault = await openVault({ secretKey: undefined, dataDir });
  const sealed = vault.seal('päss\u0000word', 'mcp_server:1');
  assert.ok(!sealed.includes('word'));
  assert.notDeepEqual(vault.seal('päss\u0000word', 'mcp_server:1'), sealed, 'never the same twice');
  const again = await openVault({ secretKey: undefined, dataDir });
  assert.equal(again.open(sealed, 'mcp_server:1'), 'päss\u0000word');
  assert.throws(() => again.open(sealed, 'mcp_server:2'));
  const other = await openVault({ secretKey: new Secret('another key of at least 32 characters'), dataDir });
  assert.throws(() => other.open(sealed, 'mcp_server:1'));
  const changed = Buffer.from(sealed);
  changed[changed.length - 1]! ^= 1;
  assert.throws(() => again.open(changed, 'mcp_server:1'));
});
