/** All pages of the dashboard, for checks of each. */
import type { Page } from 'playwright-core';
import type { Filled } from './fill-deployment.ts';

/** Each page with its address; tabs count as pages too. */
export const pagesOf = (filled: Filled): [name: RegExp, path: string][] => [
  [/^Home$/, '/'],
  [/^Activity$/, '/activity'],
  [/flagged a text/, `/activity/texts/${filled.queryId}`],
  [/^The call of .* was/, `/activity/actions/${filled.actionId}`],
  [/^The call of .* was/, `/activity/calls/${filled.callId}`],
  [/^Tests$/, '/tests'],
  [/^Text policies$/, '/policies'],
  [/^Policies from a document$/, '/policies/from-document'],
  ...['policies', 'test', 'settings', 'lab', 'history'].map((tab): [RegExp, string] => [
    /^Support rules$/,
    `/policies/${filled.groupUuid}?tab=${tab}`,
  ]),
  [/^Guards$/, '/guards'],
  ...['settings', 'adaptations', 'allow-list'].map((tab): [RegExp, string] => [
    /^Support chat/,
    `/guards/${filled.guardUuid}?tab=${tab}`,
  ]),
  [/^Queries$/, '/queries'],
  [/^Governance$/, '/governance'],
  ...['rules', 'history', 'channels'].map((tab): [RegExp, string] => [/^Alerts$/, `/alerts?tab=${tab}`]),
  [/^Actions$/, '/actions'],
  [/^Policy sets$/, '/action-sets'],
  [/^Default/, '/action-sets/agp_default'],
  [/^Rules$/, '/action-policies'],
  [/^Mail rules$/, `/action-policies/${filled.actionPolicyId}`],
  [/^Playground$/, '/playground'],
  [/^Gateways$/, '/gateways'],
  ...['servers', 'connect', 'calls', 'oversight', 'access', 'clients', 'settings'].map(
    (tab): [RegExp, string] => [/^Agents/, `/gateways/${filled.gatewayId}?tab=${tab}`],
  ),
  [/^MCP servers$/, '/mcp-servers'],
  [/^Everything$/, `/mcp-servers/${filled.serverId}`],
  [/^AI tools$/, '/ai-tools'],
  [/^Detections$/, '/ai-detections'],
  [/^(?:claude-code|Claude Code) on/, `/ai-detections/${filled.detectionId}`],
  [/^AI connections$/, '/ai-connections'],
  [/^Catalogue$/, '/ai-rules'],
  [/^Sources$/, '/ai-sources'],
  [/^Sources$/, '/ai-sources?tab=notices'],
  [/^Videos$/, '/videos'],
  [/^Videos$/, '/videos?tab=live'],
  [/^Videos$/, '/videos?tab=detectors'],
  [/^API keys$/, '/api-keys'],
  [/^Users$/, '/users'],
  [/^Tenants$/, '/tenants'],
  [/^Audit trail$/, '/audit'],
  ...['language-model', 'cache', 'retention', 'all'].map((tab): [RegExp, string] => [
    /^Deployment$/,
    `/deployment?tab=${tab}`,
  ]),
  [/^Evaluations$/, '/red-team'],
  [/^New evaluation$/, '/red-team/new'],
  [/^Compare runs$/, '/red-team/compare'],
  [/^Agents under test$/, '/red-team-agents'],
  [/^Own tasks$/, '/red-team-tasks'],
  [/^About$/, '/about'],
];

/** Opens a page and waits until it has loaded. */
export async function openPage(page: Page, name: RegExp, path: string): Promise<void> {
  await page.goto(path);
  // A dialog opened by the address hides the rest of the page from role queries.
  await page.locator('h1').filter({ hasText: name }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}
