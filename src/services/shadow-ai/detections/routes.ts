import { Readable } from 'node:stream';
import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { detectionOperations } from '../contract/detections.ts';
import type { Rules, TenantRule } from '../rules/rules.ts';
import { windowOf } from '../window.ts';
import { csvHeader, csvLine, ocsfLine } from './export.ts';
import {
  allDetections,
  countDetections,
  countDevices,
  type Detection,
  findDetection,
  findEvaluatedAt,
  findTopRule,
  listDetections,
} from './store.ts';
import { listTimeline } from './timeline.ts';
import { viewDetection, viewTree } from './view.ts';

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly rules: Rules;
  /** Of the product. */
  readonly version: string;
}

/** Events of a tree. */
const mostEvents = 10_000;

interface Asked {
  readonly tenant_id?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly device_os?: string[] | undefined;
  readonly 'device_os[]'?: string[] | undefined;
}

/** The systems that are asked for under both names; undefined: all. */
const systemsOf = ({ device_os: named, 'device_os[]': listed }: Asked) =>
  named === undefined && listed === undefined ? undefined : [...(named ?? []), ...(listed ?? [])];

interface Narrowed {
  readonly detection_mode?: string | undefined;
  readonly agent_framework?: string | undefined;
}

const narrowed = ({ detection_mode: mode, agent_framework: ruleId }: Narrowed) => ({ mode, ruleId });

type LineOf = (detection: Detection, rule: TenantRule | undefined) => string;

async function* withHeader(header: string, lines: AsyncIterable<string>) {
  yield header;
  yield* lines;
}

export function detectionHandlers({
  db,
  clock,
  identity,
  rules,
  version,
}: Deps): Handlers<typeof detectionOperations, Caller> {
  async function filterOf(caller: Caller, query: Asked) {
    const tenantId = await identity.tenantFor(caller, query.tenant_id);
    return {
      tenantId,
      ...windowOf(clock, query.start_date, query.end_date, ['start_date', 'end_date']),
      deviceOs: systemsOf(query),
      disabled: await rules.disabled(tenantId),
    };
  }

  async function getDetection(caller: Caller, wantedTenant: string | undefined, id: number) {
    const tenantId = await identity.tenantFor(caller, wantedTenant);
    const detection = await findDetection(db, tenantId, id);
    if (detection === undefined) throw notFound('The detection');
    return detection;
  }

  async function exportLines(caller: Caller, query: Asked & Narrowed, lineOf: LineOf) {
    const filter = { ...(await filterOf(caller, query)), ...narrowed(query) };
    const ruleOf = new Map((await rules.list(caller, query.tenant_id)).map((each) => [each.rule.id, each]));
    async function* lines() {
      for await (const detection of allDetections(db, filter))
        yield lineOf(detection, ruleOf.get(detection.ruleId));
    }
    return lines();
  }

  return {
    async listDetections({ caller, query }) {
      const filter = { ...(await filterOf(caller, query)), ...narrowed(query) };
      const events = await listDetections(db, filter, query);
      const at = await findEvaluatedAt(db, filter.tenantId);
      return {
        events: events.map(viewDetection),
        total: await countDetections(db, filter),
        scanned_at: at === undefined ? null : toIsoTime(at.getTime()),
      };
    },
    async getDetectionStats({ caller, query }) {
      const filter = await filterOf(caller, query);
      return {
        total_detections: await countDetections(db, filter),
        top_application: (await findTopRule(db, filter)) ?? null,
        active_devices_monitored: await countDevices(db, filter),
      };
    },
    async exportDetectionsAsCsv({ caller, query }) {
      const lines = await exportLines(caller, query, csvLine);
      return Readable.from(withHeader(csvHeader, lines));
    },
    async exportDetectionsAsOcsf({ caller, query }) {
      const asFinding: LineOf = (detection, rule) => ocsfLine(detection, rule, version);
      return Readable.from(await exportLines(caller, query, asFinding));
    },
    async getDetectionTree({ caller, params, query }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      const detection = await getDetection(caller, query.tenant_id, params.event_id);
      const events = await listTimeline(db, tenantId, detection, mostEvents + 1);
      return viewTree(detection, events.slice(0, mostEvents), events.length > mostEvents);
    },
    async getGuardResult({ caller, params, query }) {
      await getDetection(caller, query.tenant_id, params.event_id);
      return { evaluated: false, allowed: null, violations: [], violations_count: 0, explanation: null };
    },
    async evaluateAllDetections({ caller, query }) {
      await identity.tenantFor(caller, query.tenant_id);
      return { message: 'Not yet implemented', evaluated: 0, total: 0 };
    },
  };
}
