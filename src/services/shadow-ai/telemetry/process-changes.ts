import type { Queries } from '#base/db/database.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { mergeFacts, type MergedFacts, ownersOf, type Recognised } from '#engine/shadow-ai/processes.ts';
import { processIdOf } from './ids.ts';
import {
  addProcesses,
  findBelow,
  findProcesses,
  ownerOf,
  type ProcessRow,
  updateProcesses,
} from './process-store.ts';

/** What a batch tells of one process. */
export interface Told {
  readonly deviceUid: string;
  readonly processUid: string;
  facts: MergedFacts;
  atMs: number;
}

/** The ids of processes in a batch: each is made once. */
export class ProcessIds {
  readonly #tenantId: string;
  readonly #known = new Map<string, Map<string, string>>();

  constructor(tenantId: string) {
    this.#tenantId = tenantId;
  }

  of(deviceUid: string, processUid: string): string {
    let device = this.#known.get(deviceUid);
    if (device === undefined) this.#known.set(deviceUid, (device = new Map()));
    let id = device.get(processUid);
    if (id === undefined) device.set(processUid, (id = processIdOf(this.#tenantId, deviceUid, processUid)));
    return id;
  }
}

/** The processes that a batch is about, as they are after it. */
export interface Processes {
  readonly byId: ReadonlyMap<string, ProcessRow>;
  /** Nothing was known of them before, so nothing is kept of them. */
  readonly fresh: ReadonlySet<string>;
  /** Roots of sessions that may be others now because processes are: to be made anew as a whole. */
  readonly unsettled: ReadonlySet<string>;
}

/** Adds what is known now of processes, and says anew whose session they and all below them belong to. */
export class ProcessChanges {
  readonly #tx: Queries;
  readonly #tenantId: string;
  readonly #matcher: Matcher;
  readonly #ids: ProcessIds;
  readonly #before = new Map<string, ProcessRow>();
  readonly #now = new Map<string, ProcessRow>();
  readonly #fresh = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(tx: Queries, matcher: Matcher, { tenantId, ids }: { tenantId: string; ids: ProcessIds }) {
    this.#tx = tx;
    this.#tenantId = tenantId;
    this.#matcher = matcher;
    this.#ids = ids;
  }

  async apply(told: ReadonlyMap<string, Told>): Promise<Processes> {
    this.#know(await findProcesses(this.#tx, told.keys()));
    for (const [id, each] of told) this.#merge(id, each);
    const affected = new Set([...this.#fresh, ...this.#changed]);
    if (affected.size > 0) {
      const below = await findBelow(this.#tx, affected);
      this.#know(below.filter(({ id }) => !this.#now.has(id)));
      for (const { id } of below) affected.add(id);
    }
    await this.#knowParents(affected);
    this.#settle(affected);
    await this.#write(told);
    return { byId: this.#now, fresh: this.#fresh, unsettled: this.#unsettled() };
  }

  #know(rows: readonly ProcessRow[]): void {
    for (const row of rows) {
      this.#before.set(row.id, row);
      this.#now.set(row.id, row);
    }
  }

  #merge(id: string, { deviceUid, processUid, facts }: Told): void {
    const before = this.#before.get(id);
    const merged = before === undefined ? facts : mergeFacts(before.facts, facts);
    if (merged === before?.facts) return;
    const [ownerId, ownerRule] = [before?.ownerId ?? null, before?.ownerRule ?? null];
    const row = { id, deviceUid, processUid, facts: merged, ...this.#match(merged), ownerId, ownerRule };
    this.#now.set(id, { ...row, parentId: this.#parentIn(merged, deviceUid) });
    (before === undefined ? this.#fresh : this.#changed).add(id);
  }

  #match({ image, commandLine }: MergedFacts): Pick<ProcessRow, 'ruleId' | 'signal' | 'weak'> {
    const match = this.#matcher.matchProcess(image?.[1] ?? '', commandLine?.[1] ?? '');
    if (match === undefined) return { ruleId: null, signal: null, weak: false };
    return { ruleId: match.rule.id, signal: match.signal, weak: match.weak };
  }

  #parentIn({ parentUid }: MergedFacts, deviceUid: string): string | null {
    return parentUid === undefined ? null : this.#ids.of(deviceUid, parentUid[1]);
  }

  /** Whose owners say whose session the affected ones belong to. */
  async #knowParents(affected: ReadonlySet<string>): Promise<void> {
    const missing = new Set<string>();
    for (const id of affected) {
      const parentId = this.#now.get(id)?.parentId ?? null;
      if (parentId !== null && !this.#now.has(parentId)) missing.add(parentId);
    }
    if (missing.size > 0) this.#know(await findProcesses(this.#tx, missing));
  }

  #settle(affected: ReadonlySet<string>): void {
    const recognised = new Map<string, Recognised>();
    for (const id of affected) {
      const row = this.#now.get(id);
      if (row !== undefined) recognised.set(id, this.#recognise(row));
    }
    const owners = ownersOf(recognised, (id) => {
      const row = this.#now.get(id);
      return row && ownerOf(row);
    });
    for (const [id, owner] of owners) {
      const row = this.#now.get(id);
      if (row === undefined) continue;
      const [ownerId, ownerRule] = [owner?.rootUid ?? null, owner?.ruleId ?? null];
      if (row.ownerId === ownerId && row.ownerRule === ownerRule) continue;
      this.#now.set(id, { ...row, ownerId, ownerRule });
      if (!this.#fresh.has(id)) this.#changed.add(id);
    }
  }

  /** Ids stand in the place of uids, so that devices are kept apart. */
  #recognise({ id, parentId, ruleId, weak }: ProcessRow): Recognised {
    const serves = ruleId !== null && this.#matcher.findRule(ruleId)?.category === 'MCP_RUNTIME';
    return { uid: id, parentUid: parentId ?? undefined, ruleId: ruleId ?? undefined, weak, serves };
  }

  async #write(told: ReadonlyMap<string, Told>): Promise<void> {
    const rows = (ids: ReadonlySet<string>) => [...ids].flatMap((id) => this.#now.get(id) ?? []);
    const at = (id: string) => new Date(told.get(id)?.atMs ?? 0);
    await addProcesses(
      this.#tx,
      this.#tenantId,
      rows(this.#fresh).map((row) => ({ ...row, at: at(row.id) })),
    );
    await updateProcesses(
      this.#tx,
      rows(this.#changed).map((row) => ({ ...row, at: told.has(row.id) ? at(row.id) : undefined })),
    );
  }

  #unsettled(): Set<string> {
    const roots = new Set<string>();
    for (const id of this.#changed)
      for (const root of [id, this.#before.get(id)?.ownerId, this.#now.get(id)?.ownerId])
        if (root !== null && root !== undefined) roots.add(root);
    return roots;
  }
}
