import { createClient } from '#base/contract/client.ts';
import { accessOperations } from '#services/agent-gateway/contract/access.ts';
import { attachmentOperations } from '#services/agent-gateway/contract/attachments.ts';
import { gatewayOperations } from '#services/agent-gateway/contract/gateways.ts';
import { grantOperations } from '#services/agent-gateway/contract/grants.ts';
import { oauthOperations } from '#services/agent-gateway/contract/oauth.ts';
import { oversightOperations } from '#services/agent-gateway/contract/oversight.ts';
import { serverOperations } from '#services/agent-gateway/contract/servers.ts';
import { authorisedFetch } from '../session/session.ts';
import { saveFile } from './save-file.ts';

export const agentGateway = createClient(
  {
    ...gatewayOperations,
    ...accessOperations,
    ...attachmentOperations,
    ...serverOperations,
    ...grantOperations,
    ...oversightOperations,
    ...oauthOperations,
  },
  { baseUrl: '/services/agent-gateway', fetch: authorisedFetch },
);

/** Saves all calls of the filter as a file. */
export const saveCalls = (form: 'csv' | 'jsonl', filter: Readonly<Record<string, string>>): Promise<void> =>
  saveFile(`/services/agent-gateway/api/calls/export/${form}`, filter, `calls.${form}`);

type Answered<Name extends keyof typeof agentGateway> = Awaited<ReturnType<(typeof agentGateway)[Name]>>;

export type Gateway = Answered<'getGateway'>;
export type AccessControl = Gateway['access_control'];
export type AccessRule = AccessControl['rules'][number];
export type McpServer = Answered<'listServers'>['items'][number];
export type ServerDetail = Answered<'getServer'>;
export type UserAuthorization = Answered<'listAuthorizations'>['items'][number];
export type CallDetail = Answered<'getCall'>;
export type GatewayCall = Answered<'listCalls'>['calls'][number];
export type OAuthClient = Answered<'listOAuthClients'>['clients'][number];
export type OAuthConsent = Answered<'listOAuthConsents'>['consents'][number];
export type OpenDecisions = Answered<'listDecisions'>['decisions'][number];
export type ToolPin = Answered<'listToolPins'>['pins'][number];
export type Approval = Answered<'listApprovals'>['approvals'][number];
export type DescriptionFinding = Answered<'listDescriptionFindings'>['findings'][number];
export type Tool = Answered<'listTools'>['tools'][number];

export const gatewayKeys = {
  gateways: ['gateways'],
  gatewayLists: ['gateways', 'list'],
  gatewayList: (owner: 'me' | 'all') => ['gateways', 'list', owner],
  gateway: (id: string) => ['gateways', id],
  status: (id: string) => ['gateways', id, 'status'],
  attached: (id: string) => ['gateways', id, 'servers'],
  calls: (id: string) => ['gateways', id, 'calls'],
  call: (id: string) => ['gateway-calls', id],
  approvals: (id: string) => ['gateways', id, 'approvals'],
  /** What waits for the user, over all gateways. */
  decisions: ['gateways', 'decisions'],
  descriptions: (id: string) => ['gateways', id, 'descriptions'],
  oauth: (id: string) => ['gateways', id, 'oauth'],
  pins: (id: string) => ['gateways', id, 'pins'],
  servers: ['mcp-servers'],
  serverLists: ['mcp-servers', 'list'],
  serverList: (owner: 'me' | 'all') => ['mcp-servers', 'list', owner],
  server: (id: string) => ['mcp-servers', id],
  authorizations: (id: string) => ['mcp-servers', id, 'authorizations'],
} as const;
