import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Shell } from './frame/shell.tsx';
import { NotFound } from './frame/not-found.tsx';
import { RouteFailure } from './frame/route-failure.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: RouteFailure });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const policies = createRoute({
  getParentRoute: () => root,
  path: '/policies',
  component: lazyRouteComponent(() => import('./pages/policies/groups-page.tsx'), 'GroupsPage'),
});
const policyGroup = createRoute({
  getParentRoute: () => root,
  path: '/policies/$groupUuid',
  component: lazyRouteComponent(() => import('./pages/policies/group-page.tsx'), 'GroupPage'),
});
const guards = createRoute({
  getParentRoute: () => root,
  path: '/guards',
  component: lazyRouteComponent(() => import('./pages/guards/guards-page.tsx'), 'GuardsPage'),
});
const guard = createRoute({
  getParentRoute: () => root,
  path: '/guards/$guardUuid',
  component: lazyRouteComponent(() => import('./pages/guards/guard-page.tsx'), 'GuardPage'),
});
const actionLog = createRoute({
  getParentRoute: () => root,
  path: '/actions',
  component: lazyRouteComponent(() => import('./pages/actions/log-page.tsx'), 'ActionLogPage'),
});
const actionSets = createRoute({
  getParentRoute: () => root,
  path: '/action-sets',
  component: lazyRouteComponent(() => import('./pages/actions/sets-page.tsx'), 'ActionSetsPage'),
});
const actionSet = createRoute({
  getParentRoute: () => root,
  path: '/action-sets/$setId',
  component: lazyRouteComponent(() => import('./pages/actions/set-page.tsx'), 'ActionSetPage'),
});
const actionPolicies = createRoute({
  getParentRoute: () => root,
  path: '/action-policies',
  component: lazyRouteComponent(() => import('./pages/actions/policies-page.tsx'), 'ActionPoliciesPage'),
});
const actionPolicy = createRoute({
  getParentRoute: () => root,
  path: '/action-policies/$policyId',
  component: lazyRouteComponent(() => import('./pages/actions/policy-page.tsx'), 'ActionPolicyPage'),
});
const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  component: lazyRouteComponent(() => import('./pages/actions/playground-page.tsx'), 'PlaygroundPage'),
});
const queries = createRoute({
  getParentRoute: () => root,
  path: '/queries',
  component: lazyRouteComponent(() => import('./pages/monitoring/queries-page.tsx'), 'QueriesPage'),
});
const governance = createRoute({
  getParentRoute: () => root,
  path: '/governance',
  component: lazyRouteComponent(() => import('./pages/monitoring/governance-page.tsx'), 'GovernancePage'),
});
const gateways = createRoute({
  getParentRoute: () => root,
  path: '/gateways',
  component: lazyRouteComponent(() => import('./pages/gateways/gateways-page.tsx'), 'GatewaysPage'),
});
const gateway = createRoute({
  getParentRoute: () => root,
  path: '/gateways/$gatewayId',
  component: lazyRouteComponent(() => import('./pages/gateways/gateway-page.tsx'), 'GatewayPage'),
});
const mcpServers = createRoute({
  getParentRoute: () => root,
  path: '/mcp-servers',
  component: lazyRouteComponent(() => import('./pages/gateways/servers-page.tsx'), 'ServersPage'),
});
const mcpServer = createRoute({
  getParentRoute: () => root,
  path: '/mcp-servers/$serverId',
  component: lazyRouteComponent(() => import('./pages/gateways/server-page.tsx'), 'ServerPage'),
});
const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./pages/settings/api-keys-page.tsx'), 'ApiKeysPage'),
});
const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  component: lazyRouteComponent(() => import('./pages/settings/users-page.tsx'), 'UsersPage'),
});
const about = createRoute({
  getParentRoute: () => root,
  path: '/about',
  component: lazyRouteComponent(() => import('./pages/settings/about-page.tsx'), 'AboutPage'),
});

const routes = root.addChildren([
  overview,
  policies,
  policyGroup,
  guards,
  guard,
  queries,
  governance,
  actionLog,
  actionSets,
  actionSet,
  actionPolicies,
  actionPolicy,
  playground,
  gateways,
  gateway,
  mcpServers,
  mcpServer,
  apiKeys,
  users,
  about,
]);

export const makeRouter = () =>
  createRouter({ routeTree: routes, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
