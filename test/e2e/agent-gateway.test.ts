import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { beginFlow, redeem, register } from '#services/agent-gateway/fixtures/oauth-client.ts';
import { Person } from '#services/agent-gateway/fixtures/person.ts';
import { credentials, goTo, openSession, seriousFindings } from './browser.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const everything = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** The user of a client signs in and consents; the consent is listed at the gateway, and ended there. */
async function signedInClient(page: Page, mcpUrl: string): Promise<void> {
  const { body } = await register(mcpUrl, { client_name: 'Desk assistant' });
  const flow = beginFlow(mcpUrl, body.client_id);
  const back = await new Person(credentials).allow(flow.url, new URL(mcpUrl).origin);
  const answer = await redeem(mcpUrl, body.client_id, flow, back.searchParams.get('code') ?? '');
  assert.equal(answer.status, 200);

  await page.getByRole('tab', { name: 'OAuth clients' }).click();
  await page.getByRole('table', { name: 'OAuth clients' }).getByText('Desk assistant').waitFor();
  const consent = page.getByRole('table', { name: 'OAuth consents' }).getByRole('row', { name: /admin/ });
  await consent.waitFor();
  await page.reload();
  await consent.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('button', { name: 'End consent' }).click();
  await page.getByText(/^No consents/).waitFor();
  await page.getByRole('button', { name: 'Remove Desk assistant' }).click();
  await page.getByRole('button', { name: 'Remove client' }).click();
  await page.getByText('No client has registered yet').waitFor();
}

test('a server is registered and tested, added to a gateway, called by an agent, and listed in the audit log', async () => {
  const page = await session.signedIn();
  await goTo(page, 'MCP servers');
  await page.getByRole('button', { name: 'Register a server' }).first().click();
  await page.getByLabel('Name').fill('Everything');
  await page.getByLabel('URL or command').fill(`"${process.execPath}" '${everything}' "std`);
  await page.getByText(/The quotation mark at “"std” has no end/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Register', exact: true }).isDisabled(), true);
  await page.getByLabel('URL or command').fill(`"${process.execPath}" '${everything}' "stdio"`);
  const parts = page.getByRole('list', { name: 'Arguments' }).getByRole('listitem');
  assert.deepEqual(await parts.allTextContents(), [everything, 'stdio']);
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name of variable 1').fill('GREETING');
  await page.getByLabel('Value of GREETING').fill('good day');
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
  // A new server is asked at once, and its first tool is open.
  await page.getByRole('textbox', { name: 'Arguments of echo' }).fill('{"message": "from the page"}');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'echo' })
    .getByRole('button', { name: 'Try it' })
    .first()
    .click();
  await page.getByText('answered').waitFor();
  assert.deepEqual(await seriousFindings(page), []);

  await goTo(page, 'Gateways');
  await page.getByRole('button', { name: 'New gateway' }).first().click();
  await page.getByLabel('Name').fill('Agents');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: /Agents/ }).waitFor();
  await page.getByRole('button', { name: 'Attach a server' }).first().click();
  await page.getByLabel('Server', { exact: true }).selectOption('Everything (of admin)');
  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await page.getByRole('link', { name: 'Everything' }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('running', { exact: true }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('tab', { name: 'Connect a client' }).click();
  const url = (await page.getByText(/^http.*\/mcp$/).textContent()) ?? '';

  const keys = await session.signedIn();
  await keys.goto('/api-keys');
  await keys.getByRole('button', { name: 'New key' }).first().click();
  await keys.getByLabel('Name').fill('an agent');
  await keys.getByRole('button', { name: 'Create' }).click();
  const key =
    (await keys
      .getByRole('dialog')
      .getByText(/^blwk_/)
      .textContent()) ?? '';
  const agent = new Client({ name: 'an agent', version: '1' });
  await agent.connect(
    // The SDK's own types are not compatible with each other under exactOptionalPropertyTypes.
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { 'X-API-Key': key } },
    }) as never,
  );
  const tools = (await agent.listTools()).tools.map(({ name }) => name);
  const echo = tools.find((name) => name.endsWith('echo')) ?? '';
  await agent.callTool({ name: echo, arguments: { message: 'hello' } });
  await agent.close();

  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('row', { name: new RegExp(echo) }).waitFor();
  await page.getByRole('tab', { name: 'Access' }).click();
  const matrix = page.getByRole('region', { name: 'Who can call what' });
  const echoRow = matrix.getByRole('row', { name: new RegExp(`^${echo}`) });
  await echoRow.getByText('may', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Who of rule 1').fill('member');
  await page.getByLabel('Tools of rule 1').fill('*echo*');
  // The preview before saving: members are denied, the administrator is allowed.
  await echoRow.getByText('may not', { exact: true }).first().waitFor();
  await echoRow.getByText('may', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  assert.equal(await page.getByLabel('Tools of rule 1').inputValue(), '*echo*');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await signedInClient(page, url);

  for (const part of ['To decide', 'Settings']) {
    await page.getByRole('tab', { name: part }).click();
    assert.deepEqual(await seriousFindings(page), [], part);
  }
  await page.getByLabel('Mode', { exact: true }).selectOption('observe');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete gateway' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gateways' }).waitFor();
  await page.getByText('No gateway yet').waitFor();
});
