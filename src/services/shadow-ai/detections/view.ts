import { toIsoTime } from '#base/clock.ts';
import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import type { Detection } from './store.ts';
import type { TimelineEvent } from './timeline.ts';

export const viewDetection = (detection: Detection) => ({
  id: detection.id,
  device_name: detection.deviceName,
  device_os: detection.deviceOs,
  agent_framework: detection.ruleId,
  prompt: detection.prompt,
  account_name: detection.accountName,
  started_at: toIsoTime(detection.startedAt.getTime()),
  ended_at: toIsoTime(detection.endedAt.getTime()),
  process_count: detection.processCount,
  network_count: detection.networkCount,
  file_count: detection.fileCount,
  total_events: detection.processCount + detection.networkCount + detection.fileCount,
  detection_mode: detection.mode as 'process',
  activity_tags: detection.tags,
  action_guard_allowed: null,
  action_guard_violations_count: 0,
  created_at: toIsoTime(detection.createdAt.getTime()),
});

export function viewTree(detection: Detection, events: readonly TimelineEvent[], truncated: boolean) {
  const { id, agent_framework, device_name, account_name, prompt, started_at, ended_at, ...rest } =
    viewDetection(detection);
  const { process_count, network_count, file_count } = rest;
  return {
    id,
    agent_framework,
    device_name,
    account_name,
    prompt,
    started_at,
    ended_at,
    process_count,
    network_count,
    file_count,
    events: events.map((event) => viewEvent(detection, event)),
    truncated,
  };
}

const names = { process: 'Process', network: 'Network', file: 'File', dns: 'DNS' } as const;

const factOf = (facts: TimelineEvent['parentFacts'], field: 'user' | 'commandLine' | 'parentCommandLine') =>
  facts?.[field]?.[1] ?? null;

function viewEvent({ deviceName }: Detection, event: TimelineEvent) {
  const { at, dimension, userName, facts, parentFacts, filePath, commandLine } = event;
  const common = {
    timestamp: toIsoTime(at.getTime()),
    dimension: names[dimension],
    detail: detailOf(event),
    device_name: deviceName,
    account_name: userName ?? factOf(facts, 'user'),
    initiating_process: factOf(facts, 'parentCommandLine') ?? factOf(parentFacts, 'commandLine'),
  };
  if (dimension === 'file') return { ...common, file_name: filePath === null ? null : fileNameOf(filePath) };
  if (dimension === 'process')
    return { ...common, process_command_line: commandLine ?? factOf(facts, 'commandLine') };
  return common;
}

function detailOf(event: TimelineEvent): string {
  const { dimension, appName, host, filePath, action } = event;
  if (dimension === 'process') return `Started ${appName ?? 'a process'}`;
  if (dimension === 'file') return `${action ?? 'Changed'} ${filePath ?? ''}`.trim();
  return dimension === 'dns' ? `Looked up ${host ?? ''}` : connectionOf(event);
}

function connectionOf({ host, ip, port, inbound }: TimelineEvent): string {
  const address = ip ?? 'unknown';
  if (inbound === true)
    return `Accepted a connection from ${address}${port === null ? '' : ` on port ${port}`}`;
  return `Connected to ${host ?? address}${port === null ? '' : `:${port}`}`;
}
