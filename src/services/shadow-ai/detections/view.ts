import { toIsoTime } from '#base/clock.ts';
import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import type { Detection, TimelineEvent } from './store.ts';

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

// oxlint-disable-next-line eslint/complexity -- a field each, every one of which may be missing
function viewEvent({ deviceName }: Detection, event: TimelineEvent) {
  const { at, dimension, userName, facts, parentFacts, filePath } = event;
  const common = {
    timestamp: toIsoTime(at.getTime()),
    dimension: names[dimension],
    detail: detailOf(event),
    device_name: deviceName,
    account_name: userName ?? facts['user']?.[1] ?? null,
    initiating_process: facts['parentCommandLine']?.[1] ?? parentFacts?.['commandLine']?.[1] ?? null,
  };
  if (dimension === 'file') return { ...common, file_name: filePath === null ? null : fileNameOf(filePath) };
  if (dimension === 'process')
    return { ...common, process_command_line: event.commandLine ?? facts['commandLine']?.[1] ?? null };
  return common;
}

// oxlint-disable-next-line eslint/complexity -- a sentence for each dimension, with parts that may be missing
function detailOf({ dimension, appName, host, ip, port, inbound, filePath, action }: TimelineEvent): string {
  if (dimension === 'process') return `Started ${appName ?? 'a process'}`;
  if (dimension === 'file') return `${action ?? 'Changed'} ${filePath ?? ''}`.trim();
  if (dimension === 'dns') return `Looked up ${host ?? ''}`;
  const place = `${host ?? ip ?? 'unknown'}${port === null ? '' : `:${port}`}`;
  return inbound === true
    ? `Accepted a connection from ${ip ?? 'unknown'}${port === null ? '' : ` on port ${port}`}`
    : `Connected to ${place}`;
}
