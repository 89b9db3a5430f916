import { Activity, Boxes, FlaskConical, House, Library, Settings, type LucideIcon } from 'lucide-react';

export interface Place {
  readonly to:
    | '/'
    | '/activity'
    | '/policies'
    | '/guards'
    | '/queries'
    | '/governance'
    | '/alerts'
    | '/actions'
    | '/action-sets'
    | '/action-policies'
    | '/playground'
    | '/gateways'
    | '/mcp-servers'
    | '/ai-tools'
    | '/ai-detections'
    | '/ai-connections'
    | '/ai-rules'
    | '/ai-sources'
    | '/tests'
    | '/mcp-scans'
    | '/mcp-leaderboard'
    | '/videos'
    | '/model-scans'
    | '/model-trends'
    | '/model-data-sets'
    | '/red-team'
    | '/red-team-agents'
    | '/red-team-tasks'
    | '/api-keys'
    | '/users'
    | '/tenants'
    | '/audit'
    | '/deployment'
    | '/about';
  readonly name: string;
  /** The service that must be running; undefined if none is needed. */
  readonly service?: string;
  /** Shown only to administrators. */
  readonly adminOnly?: true;
}

export interface Area {
  readonly name: string;
  readonly icon: LucideIcon;
  /** The first one is the page that the area's own link opens. */
  readonly places: readonly Place[];
}

/**
 * All pages, arranged by what people come to do, as the navigation and the command palette show them. A service adds
 * its pages to the areas that they belong to; it has no area of its own.
 */
export const areas: readonly Area[] = [
  { name: 'Home', icon: House, places: [{ to: '/', name: 'Home' }] },
  {
    name: 'Activity',
    icon: Activity,
    places: [
      { to: '/activity', name: 'All activity' },
      { to: '/queries', name: 'Queries', service: 'policy-guard' },
      { to: '/actions', name: 'Actions', service: 'action-guard' },
      { to: '/ai-detections', name: 'Detections', service: 'shadow-ai' },
      { to: '/ai-connections', name: 'AI connections', service: 'shadow-ai' },
      { to: '/governance', name: 'Governance', service: 'policy-guard' },
      { to: '/alerts', name: 'Alerts', adminOnly: true },
    ],
  },
  {
    name: 'Inventory',
    icon: Boxes,
    places: [
      { to: '/guards', name: 'Guards', service: 'policy-guard' },
      { to: '/gateways', name: 'Gateways', service: 'agent-gateway' },
      { to: '/mcp-servers', name: 'MCP servers', service: 'agent-gateway' },
      { to: '/red-team-agents', name: 'Agents under test', service: 'red-team' },
      { to: '/ai-tools', name: 'AI tools', service: 'shadow-ai' },
      { to: '/ai-sources', name: 'Sources', service: 'shadow-ai' },
    ],
  },
  {
    name: 'Policies',
    icon: Library,
    places: [
      { to: '/policies', name: 'Text policies', service: 'policy-guard' },
      { to: '/action-policies', name: 'Rules', service: 'action-guard' },
      { to: '/action-sets', name: 'Policy sets', service: 'action-guard' },
      { to: '/ai-rules', name: 'Catalogue', service: 'shadow-ai' },
    ],
  },
  {
    name: 'Tests',
    icon: FlaskConical,
    places: [
      { to: '/tests', name: 'All runs' },
      { to: '/playground', name: 'Playground', service: 'action-guard' },
      { to: '/mcp-scans', name: 'Scans', service: 'mcp-scan' },
      { to: '/mcp-leaderboard', name: 'Leaderboard', service: 'mcp-scan' },
      { to: '/videos', name: 'Videos', service: 'video-moderation' },
      { to: '/model-scans', name: 'Model scans', service: 'model-scan' },
      { to: '/model-trends', name: 'Model trends', service: 'model-scan' },
      { to: '/model-data-sets', name: 'Data sets', service: 'model-scan' },
      { to: '/red-team', name: 'Evaluations', service: 'red-team' },
      { to: '/red-team-tasks', name: 'Own tasks', service: 'red-team' },
    ],
  },
  {
    name: 'Settings',
    icon: Settings,
    places: [
      { to: '/api-keys', name: 'API keys' },
      { to: '/users', name: 'Users', adminOnly: true },
      { to: '/tenants', name: 'Tenants', adminOnly: true },
      { to: '/audit', name: 'Audit trail', adminOnly: true },
      { to: '/deployment', name: 'Deployment', adminOnly: true },
      { to: '/about', name: 'About' },
    ],
  },
];

const isBelow = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);

/** The place that a page belongs to, by its address. */
export const placeOf = (path: string): Place | undefined =>
  areas.flatMap(({ places }) => places).find(({ to }) => isBelow(path, to));
