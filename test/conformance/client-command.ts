/**
 * The program that the conformance suite starts as the client under test: it passes the server's address to the test
 * that runs the gateway, and exits with the status that the test returns. `node client-command.ts <server url>`, with
 * `BULWARK_CONFORMANCE_DRIVER` in the environment.
 */
import { readEnv } from '#base/config/read-env.ts';

const env = readEnv();
const response = await fetch(env['BULWARK_CONFORMANCE_DRIVER'] ?? '', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    url: process.argv.at(-1),
    scenario: env['MCP_CONFORMANCE_SCENARIO'],
    context: JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as unknown,
  }),
});
process.stdout.write(await response.text());
process.exit(response.ok ? 0 : 1);
