/** Which files of the service's machine stdio servers see. */
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findSandbox } from '#base/processes/sandbox.ts';
import { listingServer } from '../fixtures/stdio-server.ts';
import { openTestService } from '../fixtures/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-readable-'));
after(() => rm(folder, { recursive: true, force: true }));
// For the user of a sandbox that root makes.
await chmod(folder, 0o755);
const put = async (path: string, content: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o755 });
  await writeFile(join(folder, path), content);
};
await put('shown/dist/index.mjs', `import 'helper';\n${listingServer('seen')}`);
await put('shown/node_modules/helper/package.json', '{ "name": "helper", "type": "module" }');
await put('shown/node_modules/helper/index.js', '');
await put('other/index.mjs', listingServer('other'));

const scansOf = async (env: Record<string, string>, paths: readonly string[]) => {
  await using service = await openTestService({ env });
  const { call, tokens, until } = service;
  const mcpServers = Object.fromEntries(
    paths.map((path) => [path, { command: 'node', args: [join(folder, path)] }]),
  );
  const { body } = await call('POST', '/process/mcp_config', { as: tokens.member, body: { mcpServers } });
  return await Promise.all(body.scans.map(({ scan_id: id }: { scan_id: number }) => until(id)));
};

describe('the sandbox of a stdio server of the service', () => {
  it('shows the folders that an operator has named, and says of others that it hides them', async (test) => {
    if ((await findSandbox()).kind === 'none') return test.skip('no sandbox can be made here');
    const [seen, other] = await scansOf({ BULWARK_MCP_SCAN_READABLE_FOLDERS: join(folder, 'shown') }, [
      'shown/dist/index.mjs',
      'other/index.mjs',
    ]);
    assert.equal(seen.status, 'completed', seen.error_message);
    assert.equal(seen.result_data.tools[0].name, 'seen');
    assert.equal(other.status, 'failed');
    assert.match(
      other.error_message,
      /sandbox hides .*other\/index\.mjs.*mcp_scan\.readable_folders.*bulwark scan/s,
    );
  });

  it('shows none by default, and no setting shows a home or the root', async (test) => {
    if ((await findSandbox()).kind === 'none') return test.skip('no sandbox can be made here');
    const [scan] = await scansOf({}, ['shown/dist/index.mjs']);
    assert.match(scan.error_message, /mcp_scan\.readable_folders/);
    for (const path of ['/', '/home/somebody', 'servers'])
      await assert.rejects(
        openTestService({ env: { BULWARK_MCP_SCAN_READABLE_FOLDERS: path } }),
        /readable_folders.*must be absolute paths of single folders/is,
      );
  });
});
