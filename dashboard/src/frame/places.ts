import {
  Activity,
  BookOpenCheck,
  Bot,
  Building2,
  Cable,
  ChartColumn,
  FileSearch,
  Database,
  FlaskConical,
  Gauge,
  Globe,
  KeyRound,
  Info,
  Library,
  Radar,
  Radio,
  ScanSearch,
  ScrollText,
  Server,
  ShieldCheck,
  ShieldQuestion,
  SlidersHorizontal,
  SquareStack,
  Swords,
  Trophy,
  TrendingUp,
  Users,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';

export interface Place {
  readonly to:
    | '/'
    | '/policies'
    | '/guards'
    | '/queries'
    | '/governance'
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
    | '/mcp-scans'
    | '/mcp-leaderboard'
    | '/model-scans'
    | '/model-trends'
    | '/model-data-sets'
    | '/red-team'
    | '/red-team-agents'
    | '/api-keys'
    | '/users'
    | '/tenants'
    | '/deployment'
    | '/about';
  readonly name: string;
  readonly icon: LucideIcon;
  /** Shown only to administrators. */
  readonly adminOnly?: true;
}

interface Area {
  readonly name: string | undefined;
  /** The service that must be running; undefined if none is needed. */
  readonly service: string | undefined;
  readonly places: readonly Place[];
}

/** All pages, as the navigation and the command palette show them. */
export const areas: readonly Area[] = [
  { name: undefined, service: undefined, places: [{ to: '/', name: 'Overview', icon: Gauge }] },
  {
    name: 'Policy guard',
    service: 'policy-guard',
    places: [
      { to: '/guards', name: 'Guards', icon: ShieldCheck },
      { to: '/policies', name: 'Policies', icon: Library },
      { to: '/queries', name: 'Queries', icon: Radio },
      { to: '/governance', name: 'Governance', icon: ChartColumn },
    ],
  },
  {
    name: 'Action guard',
    service: 'action-guard',
    places: [
      { to: '/actions', name: 'Actions', icon: Activity },
      { to: '/action-sets', name: 'Policy sets', icon: SquareStack },
      { to: '/action-policies', name: 'Rules', icon: ScrollText },
      { to: '/playground', name: 'Playground', icon: FlaskConical },
    ],
  },
  {
    name: 'Agent gateway',
    service: 'agent-gateway',
    places: [
      { to: '/gateways', name: 'Gateways', icon: Waypoints },
      { to: '/mcp-servers', name: 'MCP servers', icon: Server },
    ],
  },
  {
    name: 'Shadow AI',
    service: 'shadow-ai',
    places: [
      { to: '/ai-tools', name: 'AI tools', icon: ScanSearch },
      { to: '/ai-detections', name: 'Detections', icon: Radar },
      { to: '/ai-connections', name: 'AI connections', icon: Globe },
      { to: '/ai-rules', name: 'Catalogue', icon: BookOpenCheck },
      { to: '/ai-sources', name: 'Sources', icon: Cable },
    ],
  },
  {
    name: 'MCP scan',
    service: 'mcp-scan',
    places: [
      { to: '/mcp-scans', name: 'Scans', icon: FileSearch },
      { to: '/mcp-leaderboard', name: 'Leaderboard', icon: Trophy },
    ],
  },
  {
    name: 'Model scan',
    service: 'model-scan',
    places: [
      { to: '/model-scans', name: 'Model scans', icon: ShieldQuestion },
      { to: '/model-trends', name: 'Model trends', icon: TrendingUp },
      { to: '/model-data-sets', name: 'Data sets', icon: Database },
    ],
  },
  {
    name: 'Red team',
    service: 'red-team',
    places: [
      { to: '/red-team', name: 'Evaluations', icon: Swords },
      { to: '/red-team-agents', name: 'Agents', icon: Bot },
    ],
  },
  {
    name: 'Settings',
    service: undefined,
    places: [
      { to: '/api-keys', name: 'API keys', icon: KeyRound },
      { to: '/users', name: 'Users', icon: Users, adminOnly: true },
      { to: '/tenants', name: 'Tenants', icon: Building2, adminOnly: true },
      { to: '/deployment', name: 'Deployment', icon: SlidersHorizontal, adminOnly: true },
      { to: '/about', name: 'About', icon: Info },
    ],
  },
];
