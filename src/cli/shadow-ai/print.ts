import type { Received } from '#base/contract/operation.ts';
import type { connectorOperations } from '#services/shadow-ai/contract/connectors.ts';
import type { detectionOperations } from '#services/shadow-ai/contract/detections.ts';
import type { ruleOperations } from '#services/shadow-ai/contract/rules.ts';
import { plain } from '#base/log/plain.ts';

type Detections = Received<(typeof detectionOperations)['listDetections']>;
type Stats = Received<(typeof detectionOperations)['getDetectionStats']>;
type Status = Received<(typeof connectorOperations)['getConnectorStatus']>;
type Rules = Received<(typeof ruleOperations)['listRules']>;

export interface Overview {
  readonly kind: string | null;
  readonly status: Status;
  readonly stats: Stats;
  readonly tools: readonly { name: string; detections: number; devices: number; people: number }[];
}

/** Columns as wide as their widest cell. */
function table(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

const shortTime = (iso: string | null) => (iso === null ? '-' : iso.slice(0, 16).replace('T', ' '));

export function printOverview({ kind, status, stats, tools }: Overview): void {
  if (kind === null) console.log('No connector; telemetry that is pushed is taken in.');
  else {
    console.log(
      `Connector ${kind}: ${status.events_ingested} events, watermark ${shortTime(status.watermark)} UTC`,
    );
    for (const { stream, last_error: error } of status.streams)
      if (error !== null) console.log(`  ${stream}: ${plain(error)}`);
    for (const { of, sight, note } of status.coverage)
      if (sight !== 'full')
        console.log(
          `  ${of.replaceAll('_', ' ')}: seen ${sight === 'none' ? 'not at all' : 'in part'}. ${note}`,
        );
  }
  console.log(
    `${stats.total_detections} detections on ${stats.active_devices_monitored} devices that reported.`,
  );
  if (tools.length === 0) return;
  console.log('');
  table([
    ['TOOL', 'DETECTIONS', 'DEVICES', 'PEOPLE'],
    ...tools.map(({ name, detections, devices, people }) => [
      name,
      String(detections),
      String(devices),
      String(people),
    ]),
  ]);
}

export function printDetections({ events, total }: Detections): void {
  table([
    ['ID', 'STARTED (UTC)', 'DEVICE', 'PERSON', 'TOOL', 'EVENTS', 'SIGNS'],
    ...events.map((each) => [
      String(each.id),
      shortTime(each.started_at),
      plain(each.device_name),
      plain(each.account_name ?? '-'),
      each.agent_framework,
      String(each.total_events),
      each.activity_tags.join(' '),
    ]),
  ]);
  if (total > events.length) console.log(`${events.length} of ${total}.`);
}

export function printRules({ rules }: Rules): void {
  table([
    ['RULE', 'SEVERITY', 'ON', 'CATEGORY', 'DESCRIPTION'],
    ...rules.map((rule) => [
      rule.id,
      rule.severity_override ?? rule.severity,
      rule.enabled ? 'yes' : 'no',
      rule.category,
      plain(rule.description),
    ]),
  ]);
}
