/** Whether what a rule is to be about exists: a rule about nothing would never fire, and nobody would notice. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Queries } from '#base/db/database.ts';
import { AppError, invalid } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { alertOperations } from './contract/alerts.ts';
import { measures, serviceWith, type MeasureName, type Source } from './contract/measures.ts';
import { isCounted } from './counts-store.ts';

/** Whether the tenant has it. */
export type HasSubject = (tenantId: string, subject: string) => Promise<boolean>;

/** How services of other processes are asked. */
export interface OtherServices {
  readonly calls: ServiceCalls<Caller>;
  readonly addressOf: (service: string) => string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
}

const timeoutMs = 5000;

/** As they count their own requests. */
const serviceNames: ReadonlySet<string> = new Set([
  'policy_guard',
  'action_guard',
  'agent_gateway',
  'shadow_ai',
  'mcp_scan',
  'video_moderation',
  'model_scan',
  'red_team',
]);

export class Subjects {
  readonly #db: Queries;
  readonly #others: OtherServices | undefined;
  readonly #known = new Map<Source, HasSubject>([
    ['requests', (_, subject) => Promise.resolve(serviceNames.has(subject))],
  ]);

  constructor(db: Queries, others: OtherServices | undefined) {
    this.#db = db;
    this.#others = others;
  }

  /** A service of this process has the subjects of the source. */
  register(source: Source, has: HasSubject): void {
    this.#known.set(source, has);
  }

  /** Whether it exists, as far as this process knows; undefined if it does not. */
  async find(tenantId: string, source: Source, subject: string): Promise<boolean | undefined> {
    // What was counted can be watched, even if it has been deleted since: its counts go on in the window.
    if (await isCounted(this.#db, { tenantId, source, subject })) return true;
    return this.#known.get(source)?.(tenantId, subject);
  }

  /** @throws AppError 422 for what is known not to exist */
  async check(caller: Caller, measure: MeasureName, subject: string | null): Promise<void> {
    if (subject === null) return;
    const { source, subject: noun } = measures[measure];
    const found =
      (await this.find(caller.tenantId, source, subject)) ?? (await this.#elsewhere(caller, source, subject));
    if (found === false)
      throw invalid(
        `'subject': there is no ${noun} ${JSON.stringify(subject)}. Name one of GET /api/v1/alerts/subjects, the id of another, or null for all together.`,
      );
  }

  async #elsewhere(caller: Caller, source: Source, subject: string): Promise<boolean | undefined> {
    if (this.#others === undefined || source === 'requests') return undefined;
    const { calls, addressOf, tokenFor } = this.#others;
    const at = { baseUrl: addressOf(serviceWith(source)), tokenFor, timeoutMs };
    const params = { source, subject };
    try {
      const { exists } = await calls.call(alertOperations.findAlertSubject, caller, { params }, at);
      return exists ?? undefined;
    } catch (error) {
      // A service that does not answer keeps nobody from watching it.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}
