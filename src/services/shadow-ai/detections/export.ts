import { csvLine as lineOfCsv } from '#base/csv.ts';
import type { Severity } from '#engine/shadow-ai/catalogue.ts';
import type { TenantRule } from '../rules/rules.ts';
import type { Detection } from './store.ts';
import { viewDetection } from './view.ts';

/** Detections in the forms of other programs, a line each. */

type View = ReturnType<typeof viewDetection>;

const csvColumns = [
  'id',
  'started_at',
  'ended_at',
  'device_name',
  'device_os',
  'account_name',
  'agent_framework',
  'severity',
  'detection_mode',
  'process_count',
  'network_count',
  'file_count',
  'total_events',
  'activity_tags',
  'prompt',
  'created_at',
] as const satisfies readonly (keyof View | 'severity')[];

export const csvHeader = lineOfCsv(csvColumns);

export function csvLine(detection: Detection, rule: TenantRule | undefined): string {
  const row = { ...viewDetection(detection), severity: severityOf(rule) };
  return lineOfCsv(csvColumns.map((column) => row[column]));
}

const severityOf = (rule: TenantRule | undefined): Severity =>
  rule?.override?.severity ?? rule?.rule.severity ?? 'INFORMATIONAL';

const severityIds: Record<Severity, number> = {
  INFORMATIONAL: 1,
  LOW: 2,
  MEDIUM: 3,
  HIGH: 4,
  CRITICAL: 5,
};
const systems: readonly [RegExp, number][] = [
  [/windows/i, 100],
  [/mac|os x/i, 300],
  [/linux|ubuntu|debian|red hat|fedora/i, 200],
];

const osOf = (name: string) => ({ name, type_id: systems.find(([form]) => form.test(name))?.[1] ?? 0 });

/** A Detection Finding of OCSF 1.3 as a line of JSON. */
export function ocsfLine(detection: Detection, rule: TenantRule | undefined, version: string): string {
  const { id, deviceUid, deviceName, deviceOs, accountName, ruleId, startedAt, endedAt } = detection;
  const severity = severityOf(rule);
  const techniques = (rule?.rule.techniques ?? []).filter((uid) => /^T\d/.test(uid));
  const finding = {
    class_uid: 2004,
    category_uid: 2,
    activity_id: 1,
    type_uid: 200_401,
    time: startedAt.getTime(),
    start_time: startedAt.getTime(),
    end_time: endedAt.getTime(),
    severity_id: severityIds[severity],
    severity: severity.charAt(0) + severity.slice(1).toLowerCase(),
    status_id: 1,
    metadata: {
      version: '1.3.0',
      uid: `shadow-ai-${id}`,
      product: { name: 'Bulwark', vendor_name: 'Bulwark', version, feature: { name: 'Shadow AI' } },
    },
    finding_info: {
      uid: `shadow-ai-${id}`,
      title: `AI tool ${ruleId} on ${deviceName}`,
      desc: rule?.rule.description,
      types: ['Shadow AI', ...detection.tags],
      first_seen_time: startedAt.getTime(),
      last_seen_time: endedAt.getTime(),
      created_time: detection.createdAt.getTime(),
      analytic: { type_id: 1, type: 'Rule', uid: ruleId, version: String(rule?.rule.version ?? 1) },
      attacks: techniques.map((uid) => ({ technique: { uid } })),
    },
    confidence_score: rule && Math.round(rule.rule.confidence * 100),
    device: {
      uid: deviceUid,
      hostname: deviceName,
      type_id: 0,
      ...(deviceOs !== null && { os: osOf(deviceOs) }),
    },
    ...(accountName !== null && { actor: { user: { name: accountName } } }),
    unmapped: {
      detection_mode: detection.mode,
      process_count: detection.processCount,
      network_count: detection.networkCount,
      file_count: detection.fileCount,
    },
  };
  return `${JSON.stringify(finding)}\n`;
}
