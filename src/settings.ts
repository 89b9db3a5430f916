/** What can be configured and served: light to load, so that the command line can tell it without starting anything. */
import { platformSections } from '#base/config/platform.ts';
import { dashboardSections } from './front-door/config.ts';
import { actionGuardSections } from '#services/action-guard/config.ts';
import { agentGatewaySections } from '#services/agent-gateway/config.ts';
import { mcpScanSections } from '#services/mcp-scan/config.ts';
import { modelScanSections } from '#services/model-scan/config.ts';
import { policyGuardSections } from '#services/policy-guard/config.ts';
import { redTeamSections } from '#services/red-team/config.ts';
import { shadowAiSections } from '#services/shadow-ai/config.ts';
import { videoModerationSections } from '#services/video-moderation/config.ts';

/** Every key of the configuration. */
export const sections = {
  ...platformSections,
  ...policyGuardSections,
  ...actionGuardSections,
  ...agentGatewaySections,
  ...shadowAiSections,
  ...mcpScanSections,
  ...videoModerationSections,
  ...modelScanSections,
  ...redTeamSections,
  ...dashboardSections,
};

export const serviceNames = [
  'policy-guard',
  'action-guard',
  'agent-gateway',
  'shadow-ai',
  'mcp-scan',
  'video-moderation',
  'model-scan',
  'red-team',
  'dashboard',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The environment variable of a service's port. */
export const portVariable = (service: ServiceName): string =>
  `BULWARK_PORT_${service.replaceAll('-', '_').toUpperCase()}`;
