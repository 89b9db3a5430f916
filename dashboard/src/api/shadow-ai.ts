import { createClient } from '#base/contract/client.ts';
import { connectOperations } from '#services/shadow-ai/contract/connect.ts';
import { connectorOperations } from '#services/shadow-ai/contract/connectors.ts';
import { detectionOperations } from '#services/shadow-ai/contract/detections.ts';
import { noticeOperations } from '#services/shadow-ai/contract/notices.ts';
import { ruleOperations } from '#services/shadow-ai/contract/rules.ts';
import { saasOperations } from '#services/shadow-ai/contract/saas.ts';
import { toolOperations } from '#services/shadow-ai/contract/tools.ts';
import { authorisedFetch } from '../session/session.ts';

export const shadowAi = createClient(
  {
    ...connectOperations,
    ...connectorOperations,
    ...detectionOperations,
    ...ruleOperations,
    ...saasOperations,
    ...toolOperations,
    ...noticeOperations,
  },
  { baseUrl: '/services/shadow-ai', fetch: authorisedFetch },
);

/** The first part of every query key: a change of a tool or rule affects the data of all pages. */
export const shadowAiKey = ['shadow-ai'] as const;

export type NoticeSettings = Awaited<ReturnType<typeof shadowAi.getNoticeSettings>>;
export type FoundTool = Awaited<ReturnType<typeof shadowAi.listTools>>['tools'][number];
export type Detection = Awaited<ReturnType<typeof shadowAi.listDetections>>['events'][number];
export type DetectionTree = Awaited<ReturnType<typeof shadowAi.getDetectionTree>>;
export type AiConnection = Awaited<ReturnType<typeof shadowAi.listConnections>>['events'][number];
export type ShadowAiRule = Awaited<ReturnType<typeof shadowAi.listRules>>['rules'][number];
export type ConnectorStatus = Awaited<ReturnType<typeof shadowAi.getConnectorStatus>>;
export type ConnectorConfig = NonNullable<Awaited<ReturnType<typeof shadowAi.getConnectorConfig>>>;
export type SaasFinding = Awaited<ReturnType<typeof shadowAi.getSaasInventory>>['findings'][number];
