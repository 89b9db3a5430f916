/** Registered MCP servers: their last words when they fail, changing them, and the review of what they say of themselves. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSession, seriousFindings } from './browser.ts';
import { openCalls } from './fill-deployment.ts';
import { connectAgent } from './ten-jobs-set.ts';

const session = await openSession({ BULWARK_AGENT_GATEWAY_APPROVAL_TIMEOUT_MS: '3000' });
after(() => session[Symbol.asyncDispose]());
const call = await openCalls(session.url);

const program = (name: string) => join(import.meta.dirname, '../fixtures/mcp-servers', name);
const hostile = program('hostile.ts');

test('a server that fails says its last words, is edited, and tried again', async () => {
  const page = await session.signedIn();
  await page.goto('/mcp-servers');
  await page.getByRole('button', { name: 'Register a server' }).first().click();
  const form = page.getByRole('dialog', { name: 'Register an MCP server' });
  await form.getByLabel('Name', { exact: true }).fill('Talking');
  const line = `"${process.execPath}" -e "console.error('the licence file is missing'); process.exit(3)"`;
  await form.getByLabel('URL or command').fill(line);
  await form.getByRole('button', { name: 'Add a variable' }).click();
  await form.getByLabel('Name of variable 1').fill('TOKEN');
  await form.getByLabel('Value of TOKEN').fill('a secret of the server');
  await form.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Talking' }).waitFor();
  const alert = page.getByRole('alert');
  await alert.getByText(/Its last words: the licence file is missing/).waitFor();
  assert.deepEqual(await seriousFindings(page), []);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Talking' });
  assert.match(await edit.getByLabel('URL or command').inputValue(), /the licence file is missing/);
  assert.equal(await edit.getByLabel('Value of TOKEN').inputValue(), '********');
  await edit.getByLabel('URL or command').fill(`"${process.execPath}" "${hostile}" environment`);
  await edit.getByLabel('Name', { exact: true }).fill('Mended');
  await edit.getByRole('button', { name: 'Add a variable' }).click();
  await edit.getByLabel('Name of variable 2').fill('PLACE');
  await edit.getByLabel('Value of PLACE').fill('here');
  assert.deepEqual(await seriousFindings(page), []);
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mended' }).waitFor();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 2, name: /^\d+ tools?$/ }).waitFor();
  await alert.waitFor({ state: 'detached' });
  // The value that was never shown is still there, beside the new one.
  const tool = page.locator('main details').first();
  if (!(await tool.evaluate((element: { open: boolean }) => element.open)))
    await tool.locator('summary').first().click();
  await page.getByRole('button', { name: 'Try it' }).first().click();
  await page.getByText('answered', { exact: true }).waitFor();
  const said = (await page.locator('main').textContent()) ?? '';
  assert.match(said, /a secret of the server/);
  assert.match(said, /PLACE[^a-z]+here/);
});

test('a description that speaks to the model is reviewed with its words, and approved', async () => {
  const { id: serverId } = await call('agent-gateway', 'POST', '/api/mcp-servers', {
    name: 'Poisoned server',
    transport: 'stdio',
    command: process.execPath,
    args: [hostile, 'poisoned'],
  });
  await call('agent-gateway', 'POST', `/api/mcp-servers/${serverId}/discover/tools`);
  const { id: gatewayId } = await call('agent-gateway', 'POST', '/api/gateways', {
    name: 'Reviewed',
    description_guard: 'quarantine',
  });
  await call('agent-gateway', 'POST', `/api/gateways/${gatewayId}/mcp-servers/${serverId}`, {});

  const page = await session.signedIn();
  await page.goto('/mcp-servers');
  await page
    .getByRole('row', { name: /^Poisoned server/ })
    .getByText('1 to decide')
    .waitFor();
  await page.goto(`/mcp-servers/${serverId}`);
  await page.getByRole('link', { name: '1 to decide' }).waitFor();
  await page.goto('/');
  await page.getByRole('link', { name: /1 description speaks to the model at Reviewed/ }).click();
  await page.getByRole('tab', { name: /To decide 1/ }).waitFor();
  const waiting = page.getByRole('list', { name: 'Waiting for review' }).getByRole('listitem').first();
  await waiting.locator('q').first().waitFor();
  await waiting.getByText(/Poisoned server, found/).waitFor();
  await waiting.getByText('The whole description').click();
  await waiting.locator('mark').first().waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await waiting.getByRole('button', { name: /^Approve the description/ }).click();
  await page.getByText('No description waits for a review.').waitFor();
  await page.getByText('Approved (1)').click();
  await page.getByText(/approved by admin/).waitFor();
  await page.getByRole('tab', { name: 'To decide', exact: true }).waitFor();
});

test('approvals that nobody decided in time stand apart from those that were', async () => {
  const { policy_id: policyId } = await call('action-guard', 'POST', '/api/v1/policies/policy', {
    name: 'Four eyes',
    rules: { only: { description: 'Sending a message requires approval.', severity: 'High' } },
  });
  const { policy_id: setId } = await call('action-guard', 'POST', '/api/v1/policies/sets', {
    name: 'Four eyes',
    policy_ids: [policyId],
  });
  const { id: serverId } = await call('agent-gateway', 'POST', '/api/mcp-servers', {
    name: 'Messages',
    transport: 'stdio',
    command: process.execPath,
    args: [program('complete.ts')],
  });
  const { id: gatewayId } = await call('agent-gateway', 'POST', '/api/gateways', {
    name: 'Slow to decide',
    action_guard_policy_id: setId,
  });
  await call('agent-gateway', 'POST', `/api/gateways/${gatewayId}/mcp-servers/${serverId}`, {
    tool_prefix: '',
  });
  const { mcp_url: mcpUrl } = await call('agent-gateway', 'POST', `/api/gateways/${gatewayId}/start`);
  const { key } = await call('policy-guard', 'POST', '/api/api-keys', { name: 'an agent' });
  const agent = await connectAgent(String(mcpUrl), String(key));
  const echo = (message: string) => agent.callTool({ name: 'echo', arguments: { message } });
  await echo('nobody answers this');
  const denied = echo('somebody denies this');
  const path = `/api/gateways/${gatewayId}/approvals`;
  for (let isDenied = false; !isDenied;) {
    const { approvals } = await call('agent-gateway', 'GET', `${path}?status=pending`);
    for (const { id } of approvals) {
      await call('agent-gateway', 'POST', `${path}/${id}`, { decision: 'deny' });
      isDenied = true;
    }
  }
  await denied;
  await agent.close();

  const page = await session.signedIn();
  await page.goto(`/gateways/${gatewayId}?tab=oversight`);
  await page.getByText('No call is waiting for approval.').waitFor();
  const decided = page.getByRole('list', { name: 'Decided' }).getByRole('listitem');
  await decided.getByText('somebody denies this').waitFor();
  assert.equal(await decided.getByText('nobody answers this').count(), 0);
  await page.getByText('Expired, nobody decided in time (1)').click();
  await page
    .getByRole('list', { name: 'Expired, nobody decided in time' })
    .getByText('nobody answers this')
    .waitFor();
});
