import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Shell } from './frame/shell.tsx';
import { NotFound } from './frame/not-found.tsx';
import { RouteFailure } from './frame/route-failure.tsx';
import { readAddress } from './parts/use-address.ts';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: RouteFailure,
  validateSearch: readAddress,
});

type Lazy = ReturnType<typeof lazyRouteComponent>;

/** A page at its path. Its code is loaded when the page is opened or a link to it is hovered. */
const page = <const Path extends string>(path: Path, component: Lazy) =>
  createRoute({ getParentRoute: () => root, path, component });

const routes = root.addChildren([
  page(
    '/',
    lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
  ),
  page(
    '/activity',
    lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
  ),
  page(
    '/activity/texts/$queryId',
    lazyRouteComponent(() => import('./pages/activity/text-page.tsx'), 'TextPage'),
  ),
  page(
    '/activity/actions/$logId',
    lazyRouteComponent(() => import('./pages/activity/action-page.tsx'), 'ActionPage'),
  ),
  page(
    '/activity/calls/$callId',
    lazyRouteComponent(() => import('./pages/activity/call-page.tsx'), 'CallPage'),
  ),
  page(
    '/tests',
    lazyRouteComponent(() => import('./pages/tests/tests-page.tsx'), 'TestsPage'),
  ),
  page(
    '/policies',
    lazyRouteComponent(() => import('./pages/policies/groups-page.tsx'), 'GroupsPage'),
  ),
  page(
    '/policies/from-document',
    lazyRouteComponent(() => import('./pages/policies/from-document-page.tsx'), 'FromDocumentPage'),
  ),
  page(
    '/policies/$groupUuid',
    lazyRouteComponent(() => import('./pages/policies/group-page.tsx'), 'GroupPage'),
  ),
  page(
    '/guards',
    lazyRouteComponent(() => import('./pages/guards/guards-page.tsx'), 'GuardsPage'),
  ),
  page(
    '/guards/$guardUuid',
    lazyRouteComponent(() => import('./pages/guards/guard-page.tsx'), 'GuardPage'),
  ),
  page(
    '/queries',
    lazyRouteComponent(() => import('./pages/monitoring/queries-page.tsx'), 'QueriesPage'),
  ),
  page(
    '/governance',
    lazyRouteComponent(() => import('./pages/monitoring/governance-page.tsx'), 'GovernancePage'),
  ),
  page(
    '/alerts',
    lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  ),
  page(
    '/actions',
    lazyRouteComponent(() => import('./pages/actions/log-page.tsx'), 'ActionLogPage'),
  ),
  page(
    '/action-sets',
    lazyRouteComponent(() => import('./pages/actions/sets-page.tsx'), 'ActionSetsPage'),
  ),
  page(
    '/action-sets/$setId',
    lazyRouteComponent(() => import('./pages/actions/set-page.tsx'), 'ActionSetPage'),
  ),
  page(
    '/action-policies',
    lazyRouteComponent(() => import('./pages/actions/policies-page.tsx'), 'ActionPoliciesPage'),
  ),
  page(
    '/action-policies/$policyId',
    lazyRouteComponent(() => import('./pages/actions/policy-page.tsx'), 'ActionPolicyPage'),
  ),
  page(
    '/action-policies/$policyId/rules/$ruleKey',
    lazyRouteComponent(() => import('./pages/actions/rule/rule-page.tsx'), 'RulePage'),
  ),
  page(
    '/playground',
    lazyRouteComponent(() => import('./pages/actions/playground-page.tsx'), 'PlaygroundPage'),
  ),
  page(
    '/gateways',
    lazyRouteComponent(() => import('./pages/gateways/gateways-page.tsx'), 'GatewaysPage'),
  ),
  page(
    '/gateways/$gatewayId',
    lazyRouteComponent(() => import('./pages/gateways/gateway-page.tsx'), 'GatewayPage'),
  ),
  page(
    '/mcp-servers',
    lazyRouteComponent(() => import('./pages/gateways/servers-page.tsx'), 'ServersPage'),
  ),
  page(
    '/mcp-servers/$serverId',
    lazyRouteComponent(() => import('./pages/gateways/server-page.tsx'), 'ServerPage'),
  ),
  page(
    '/ai-tools',
    lazyRouteComponent(() => import('./pages/shadow-ai/tools-page.tsx'), 'ToolsPage'),
  ),
  page(
    '/ai-detections',
    lazyRouteComponent(() => import('./pages/shadow-ai/detections-page.tsx'), 'DetectionsPage'),
  ),
  page(
    '/ai-detections/$eventId',
    lazyRouteComponent(() => import('./pages/shadow-ai/detection-page.tsx'), 'DetectionPage'),
  ),
  page(
    '/ai-connections',
    lazyRouteComponent(() => import('./pages/shadow-ai/connections-page.tsx'), 'ConnectionsPage'),
  ),
  page(
    '/ai-rules',
    lazyRouteComponent(() => import('./pages/shadow-ai/rules-page.tsx'), 'RulesPage'),
  ),
  page(
    '/ai-sources',
    lazyRouteComponent(() => import('./pages/shadow-ai/sources-page.tsx'), 'SourcesPage'),
  ),
  page(
    '/mcp-scans',
    lazyRouteComponent(() => import('./pages/mcp-scan/scans-page.tsx'), 'ScansPage'),
  ),
  page(
    '/mcp-scans/new',
    lazyRouteComponent(() => import('./pages/mcp-scan/new-scan-page.tsx'), 'NewScanPage'),
  ),
  page(
    '/mcp-scans/compare',
    lazyRouteComponent(() => import('./pages/mcp-scan/compare-page.tsx'), 'ComparePage'),
  ),
  page(
    '/mcp-scans/$scanId',
    lazyRouteComponent(() => import('./pages/mcp-scan/scan-page.tsx'), 'ScanPage'),
  ),
  page(
    '/mcp-leaderboard',
    lazyRouteComponent(() => import('./pages/mcp-scan/leaderboard-page.tsx'), 'LeaderboardPage'),
  ),
  page(
    '/videos',
    lazyRouteComponent(() => import('./pages/video/videos-page.tsx'), 'VideosPage'),
  ),
  page(
    '/model-scans',
    lazyRouteComponent(() => import('./pages/model-scan/scans-page.tsx'), 'ModelScansPage'),
  ),
  page(
    '/model-scans/new',
    lazyRouteComponent(() => import('./pages/model-scan/new-scan-page.tsx'), 'NewScanPage'),
  ),
  page(
    '/model-scans/compare',
    lazyRouteComponent(() => import('./pages/model-scan/compare-page.tsx'), 'CompareScansPage'),
  ),
  page(
    '/model-scans/$scanId',
    lazyRouteComponent(() => import('./pages/model-scan/scan-page.tsx'), 'ModelScanPage'),
  ),
  page(
    '/model-trends',
    lazyRouteComponent(() => import('./pages/model-scan/trends-page.tsx'), 'ModelTrendsPage'),
  ),
  page(
    '/model-data-sets',
    lazyRouteComponent(() => import('./pages/model-scan/data-sets-page.tsx'), 'ModelDataSetsPage'),
  ),
  page(
    '/red-team-tasks',
    lazyRouteComponent(() => import('./pages/red-team/task-sets-page.tsx'), 'TaskSetsPage'),
  ),
  page(
    '/red-team',
    lazyRouteComponent(() => import('./pages/red-team/evaluations-page.tsx'), 'EvaluationsPage'),
  ),
  page(
    '/red-team/new',
    lazyRouteComponent(() => import('./pages/red-team/new-evaluation-page.tsx'), 'NewEvaluationPage'),
  ),
  page(
    '/red-team/compare',
    lazyRouteComponent(() => import('./pages/red-team/compare-page.tsx'), 'CompareRunsPage'),
  ),
  page(
    '/red-team/evaluations/$evaluationId',
    lazyRouteComponent(() => import('./pages/red-team/evaluation-page.tsx'), 'EvaluationPage'),
  ),
  page(
    '/red-team/runs/$runId',
    lazyRouteComponent(() => import('./pages/red-team/run-page.tsx'), 'RunPage'),
  ),
  page(
    '/red-team/results/$resultId',
    lazyRouteComponent(() => import('./pages/red-team/result-page.tsx'), 'ResultPage'),
  ),
  page(
    '/red-team-agents',
    lazyRouteComponent(() => import('./pages/red-team/agents-page.tsx'), 'AgentsPage'),
  ),
  page(
    '/api-keys',
    lazyRouteComponent(() => import('./pages/settings/api-keys-page.tsx'), 'ApiKeysPage'),
  ),
  page(
    '/users',
    lazyRouteComponent(() => import('./pages/settings/users-page.tsx'), 'UsersPage'),
  ),
  page(
    '/tenants',
    lazyRouteComponent(() => import('./pages/settings/tenants-page.tsx'), 'TenantsPage'),
  ),
  page(
    '/audit',
    lazyRouteComponent(() => import('./pages/settings/audit-page.tsx'), 'AuditPage'),
  ),
  page(
    '/deployment',
    lazyRouteComponent(() => import('./pages/settings/deployment-page.tsx'), 'DeploymentPage'),
  ),
  page(
    '/about',
    lazyRouteComponent(() => import('./pages/settings/about-page.tsx'), 'AboutPage'),
  ),
]);

export const makeRouter = () =>
  createRouter({ routeTree: routes, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
