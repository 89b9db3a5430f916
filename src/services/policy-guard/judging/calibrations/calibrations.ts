import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, invalid, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import {
  calibrate,
  contextualCalibration,
  fitPlatt,
  fitTemperature,
  type Calibration,
  type LabelledProbability,
} from '#llm/calibration.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { calibrationError } from '#engine/evaluation/calibration.ts';
import type { PolicySource } from '#engine/text/types.ts';
import { fewestExamples } from '../../contract/calibrations.ts';
import { textHash } from '../../library/exemplars/exemplar.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import { inParallel } from '../in-parallel.ts';
import type { LanguageModelBackend } from '../judges/language-model/language-model-backend.ts';
import { promptVersion } from '../judges/language-model/prompt.ts';
import type { CalibrationMethod, StoredCalibration } from './calibration.ts';
import type { LiveCalibrations } from './live-calibrations.ts';
import * as store from './store.ts';

export interface CalibrationsDeps {
  readonly db: Database;
  readonly live: Pick<LiveCalibrations, 'changed'>;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly groups: Pick<PolicyGroups, 'attachable' | 'judgedGroups'>;
  /** Undefined where no language model is configured. */
  readonly judge:
    | { readonly model: Pick<LanguageModel, 'model'>; readonly backend: LanguageModelBackend }
    | undefined;
}

export interface LabelledText {
  readonly text: string;
  readonly violates: boolean;
}

interface Request {
  readonly groupUuid: string;
  readonly policyId: string;
  readonly examples: readonly LabelledText[];
}

/** The number of examples from which Platt scaling, with its two parameters, is used. */
const enoughForPlatt = 50;
/** For all examples together. */
const timeoutMs = 300_000;
const examplesAtATime = 16;
/** Texts without content: the model's probabilities for them show its bias (contextual calibration). */
const emptyTexts = ['N/A', '…', '[text]'];

/** Calibrations of the language model: fitted to examples, versioned, activated and deactivated. */
export class Calibrations {
  readonly #deps: CalibrationsDeps;

  constructor(deps: CalibrationsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 403, 404, 409, 422, and LanguageModelError if the model does not respond. */
  async create(asking: Asking, request: Request): Promise<StoredCalibration> {
    const { caller } = asking;
    refuseMembers(caller);
    const { db, live, clock, judge } = this.#deps;
    if (judge === undefined)
      throw conflict('There is nothing to calibrate: BULWARK_LLM_BASE_URL names no language model.');
    refuseUnusable(request.examples);
    const policy = await this.#policyOf(caller, request);
    const fitted = await fit(judge.backend, caller.tenantId, policy, request.examples);
    const made = {
      calibrationId: newUuid(clock.now()),
      tenantId: caller.tenantId,
      model: judge.model.model,
      promptVersion,
      textHash: textHash(policy),
      policyName: policy.name,
      ...fitted,
      examples: request.examples.length,
      createdBy: caller.userId,
      createdAt: new Date(clock.now()),
    };
    const stored = await db.transaction(async (tx) => {
      const inserted = await store.insertCalibration(tx, made);
      await this.#record('calibration_created', asking, { after: inserted }, tx);
      return inserted;
    });
    await live.changed(caller.tenantId);
    return stored;
  }

  list(caller: Caller, page: { limit: number; offset: number }) {
    return store.listCalibrations(this.#deps.db, caller.tenantId, page);
  }

  activate(asking: Asking, calibrationId: string) {
    return this.#setInForce(asking, calibrationId, true);
  }

  deactivate(asking: Asking, calibrationId: string) {
    return this.#setInForce(asking, calibrationId, false);
  }

  async #setInForce(asking: Asking, calibrationId: string, inForce: boolean) {
    const { caller } = asking;
    refuseMembers(caller);
    const { db, live } = this.#deps;
    const changed = await db.transaction(async (tx) => {
      const { before, after } = await store.setInForce(tx, caller.tenantId, calibrationId, inForce);
      const event = inForce ? 'calibration_activated' : 'calibration_deactivated';
      await this.#record(event, asking, { before, after }, tx);
      return after;
    });
    await live.changed(caller.tenantId);
    return changed;
  }

  #record(
    event: `calibration_${'created' | 'activated' | 'deactivated'}`,
    asking: Asking,
    { before, after }: { readonly before?: StoredCalibration; readonly after: StoredCalibration },
    tx: Queries,
  ): Promise<void> {
    const { calibrationId: id, policyName: name, version, model } = after;
    const changes = changesBetween(before && auditedFields(before), auditedFields(after));
    return this.#deps.audit({ event, ...asking, details: { id, name, version, model, changes } }, tx);
  }

  async #policyOf(caller: Caller, { groupUuid, policyId }: Request): Promise<PolicySource> {
    const { groups } = this.#deps;
    const readable = await groups.attachable(caller, [groupUuid]);
    const [group] = readable.size === 0 ? [] : await groups.judgedGroups(caller.tenantId, [groupUuid]);
    if (group === undefined) throw notFound('The policy group');
    const policy = group.policies.find(({ id }) => id === policyId);
    if (policy === undefined) throw notFound('The policy, enabled,');
    return policy.source;
  }
}

/** Asks the model about the examples, or about texts without content where there are none. */
async function fit(
  backend: LanguageModelBackend,
  tenantId: string,
  policy: PolicySource,
  examples: readonly LabelledText[],
): Promise<Fitted> {
  const end = performance.now() + timeoutMs;
  const remainingMs = () => Math.max(0, end - performance.now());
  const measure = (text: string) =>
    backend.measure({ tenantId, text, messages: [], readings: [], mayCache: true, remainingMs }, policy);
  if (examples.length === 0) return ofEmptyTexts(await inParallel(emptyTexts, examplesAtATime, measure));
  const texts = examples.map(({ text }) => text);
  const probabilities = await inParallel(texts, examplesAtATime, measure);
  return ofExamples(
    examples.map(({ violates }, i) => ({ probability: probabilities[i] ?? 0, positive: violates })),
  );
}

const auditedFields = ({ inForce, method, calibration, examples }: StoredCalibration) => ({
  inForce,
  method,
  temperature: calibration.temperature,
  bias: calibration.bias,
  examples,
});

function refuseMembers({ roles }: Caller): void {
  if (!roles.includes('admin'))
    throw forbidden('Calibrations hold for a whole tenant: only its administrators may change them.');
}

function refuseUnusable(examples: readonly LabelledText[]): void {
  if (examples.length === 0) return;
  const positives = examples.filter(({ violates }) => violates).length;
  if (examples.length < fewestExamples || positives === 0 || positives === examples.length)
    throw invalid(
      `'examples' must be empty, or hold at least ${fewestExamples}, both that violate the policy and that do not.`,
    );
}

interface Fitted {
  readonly method: CalibrationMethod;
  readonly calibration: Calibration;
  readonly errorBefore: number | null;
  readonly errorAfter: number | null;
}

const ofEmptyTexts = (probabilities: readonly number[]): Fitted => ({
  method: 'contextual',
  calibration: contextualCalibration(probabilities),
  errorBefore: null,
  errorAfter: null,
});

const errorOf = (rows: readonly LabelledProbability[]) =>
  calibrationError(
    rows.map(({ probability }) => probability),
    rows.map(({ positive }) => Number(positive)),
  );

function ofExamples(rows: readonly LabelledProbability[]): Fitted {
  const method = rows.length >= enoughForPlatt ? 'platt' : 'temperature';
  const calibration = method === 'platt' ? fitPlatt(rows) : fitTemperature(rows);
  const after = rows.map((row) => ({ ...row, probability: calibrate(row.probability, calibration) }));
  return {
    method,
    calibration,
    errorBefore: errorOf(rows),
    errorAfter: errorOf(after),
  };
}
