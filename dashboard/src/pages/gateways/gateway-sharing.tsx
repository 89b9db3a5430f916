import { agentGateway, gatewayKeys, type Gateway, type McpServer } from '../../api/agent-gateway.ts';
import { Sharing, type Shared } from '../../parts/sharing.tsx';

export const gatewayShared = (gateway: Gateway): Shared => ({
  ownerId: gateway.created_by,
  ownerName: gateway.created_by_name,
  visibility: gateway.visibility,
});

export const serverShared = (server: McpServer): Shared => ({
  ownerId: server.registered_by,
  ownerName: server.registered_by_name,
  visibility: server.visibility,
});

export const GatewaySharing = ({ gateway }: { gateway: Gateway }) => (
  <Sharing
    kind="gateway"
    shared={gatewayShared(gateway)}
    changes={gatewayKeys.gateways}
    save={(visibility) =>
      agentGateway.updateGateway({ params: { gateway_id: gateway.id }, body: { visibility } })
    }
  />
);

export const ServerSharing = ({ server }: { server: McpServer }) => (
  <Sharing
    kind="server"
    shared={serverShared(server)}
    changes={gatewayKeys.servers}
    save={(visibility) =>
      agentGateway.updateServer({ params: { server_id: server.id }, body: { visibility } })
    }
  />
);
