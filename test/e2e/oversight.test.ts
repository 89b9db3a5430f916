/** Approvals and changed tools of a gateway, and servers that connect and disconnect. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { openSession, seriousFindings } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());
const call = await openCalls(session.url);

const program = (name: string) => join(import.meta.dirname, '../fixtures/mcp-servers', name);

/** A running gateway with one test server behind it. */
async function openGateway(name: string, args: readonly string[], settings: object) {
  const { id: serverId } = await call('agent-gateway', 'POST', '/api/mcp-servers', {
    name: `${name} server`,
    transport: 'stdio',
    command: process.execPath,
    args,
  });
  const { id } = await call('agent-gateway', 'POST', '/api/gateways', { name, ...settings });
  await call('agent-gateway', 'POST', `/api/gateways/${id}/mcp-servers/${serverId}`, { tool_prefix: '' });
  const { mcp_url: mcpUrl } = await call('agent-gateway', 'POST', `/api/gateways/${id}/start`);
  return { id: String(id), serverId: String(serverId), mcpUrl: String(mcpUrl) };
}

async function connectAgent(mcpUrl: string): Promise<Client> {
  const { key } = await call('policy-guard', 'POST', '/api/api-keys', { name: 'an agent' });
  const agent = new Client({ name: 'an agent', version: '1' });
  // The SDK's own types are not compatible with each other under exactOptionalPropertyTypes.
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(mcpUrl), {
      requestInit: { headers: { 'X-API-Key': String(key) } },
    }) as never,
  );
  return agent;
}

// oxlint-disable-next-line typescript/no-explicit-any -- results of every kind.
const said = (result: any): string => result.content?.[0]?.text ?? '';

const openOversight = async (page: Page, gatewayId: string) => {
  await page.goto(`/gateways/${gatewayId}`);
  await page.getByRole('tab', { name: 'To decide' }).click();
};

test('a call waits for approval: approved in the dashboard it continues, denied it fails', async () => {
  const { policy_id: policyId } = await call('action-guard', 'POST', '/api/v1/policies/policy', {
    name: 'Four eyes',
    rules: { only: { description: 'Sending a message requires approval.', severity: 'High' } },
  });
  const { policy_id: setId } = await call('action-guard', 'POST', '/api/v1/policies/sets', {
    name: 'Four eyes',
    policy_ids: [policyId],
  });
  const { id, mcpUrl } = await openGateway('Careful', [program('complete.ts')], {
    action_guard_policy_id: setId,
  });
  const agent = await connectAgent(mcpUrl);
  const echo = (message: string) => agent.callTool({ name: 'echo', arguments: { message } });
  const page = await session.signedIn();
  await openOversight(page, id);
  await page.getByText('No call is waiting for approval.').waitFor();

  const approved = echo('the first message');
  await page.getByText('the first message').waitFor();
  await page.reload();
  await page.getByText('the first message').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  assert.equal(said(await approved), 'the first message');
  await page.getByText('approved', { exact: true }).waitFor();

  const denied = echo('the second message');
  await page.getByRole('button', { name: 'Deny' }).click();
  assert.match(said(await denied), /Not approved/);
  await page.getByText('denied', { exact: true }).waitFor();
  await agent.close();

  // The log says of the call that it was held, who may decide, and what was decided.
  await page.goto(`/gateways/${id}?tab=calls&outcome=held`);
  await page.getByText('held', { exact: true }).waitFor();
  await page.getByText('approved', { exact: true }).waitFor();
  assert.equal(await page.getByText('blocked', { exact: true }).count(), 0);
  await page
    .getByRole('row')
    .filter({ has: page.getByText('held', { exact: true }) })
    .click();
  await page
    .getByRole('heading', {
      level: 1,
      name: /^The call of echo was held for approval and was denied by admin$/,
    })
    .waitFor();
  await page.getByRole('heading', { name: 'Held for approval', exact: true }).waitFor();
  await page.getByText('The owner of the gateway and administrators may decide').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
});

test('a changed tool is withheld, its difference is shown, and approving it makes it available again', async () => {
  const { id, serverId, mcpUrl } = await openGateway('Pinned', [program('hostile.ts'), 'changing'], {
    pin_tools: 'block',
  });
  const agent = await connectAgent(mcpUrl);
  const act = async () => said(await agent.callTool({ name: 'act', arguments: {} }));
  for (let tries = 0; !(await act()).includes('has changed'); tries++)
    assert.ok(tries < 200, 'the tool is never withheld');
  const page = await session.signedIn();
  await openOversight(page, id);
  // What its description says now waits for a review as well.
  const difference = page.getByRole('list', { name: 'Description of act' });
  await difference.getByText('− Does something').waitFor();
  await difference.getByText('+ Now also sends everything to its author').waitFor();
  await page.reload();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Accept the change' }).click();
  await page.getByText('No tool has changed since it was first seen.').waitFor();
  for (let tries = 0; !/^call \d/.test(await act()); tries++)
    assert.ok(tries < 200, 'the approved tool stays withheld');
  await agent.close();

  // The server is detached from the gateway, then deleted.
  await call('agent-gateway', 'DELETE', `/api/gateways/${id}`);
  await page.goto(`/mcp-servers/${serverId}`);
  await page.getByRole('heading', { level: 1, name: 'Pinned server' }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete server' }).click();
  await page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
  await page.reload();
  await page.getByText('Careful server').waitFor();
  assert.equal(await page.getByText('Pinned server').count(), 0);
});
