/** Targets: channels of one rule alone. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { AppError, conflict, invalid } from '#base/errors.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import { newUuid } from '#base/ids.ts';
import type { z } from 'zod';
import { findChannel, insertChannel, leaveTargets, listTargets, type Channel } from './channels-store.ts';
import type { frontDoorAlertOperations } from './contract/front-door.ts';

type Body = z.output<(typeof frontDoorAlertOperations)['createAlert']['body']>;
export type TargetInput = NonNullable<Body['targets']>[number];

interface TargetDeps {
  readonly clock: Clock;
  readonly webhooks: Webhooks;
}

/** Not of a rule yet. */
type NewTarget = Omit<Channel, 'ruleId'>;

/** What a rule is to tell: those that stay, and new ones whose destinations are there already. */
export interface Prepared {
  readonly keptIds: ReadonlySet<string>;
  readonly added: readonly NewTarget[];
  /** Of new webhooks, by the target's id. */
  readonly secrets: ReadonlyMap<string, string>;
}

const urlOf = (input: TargetInput) => (input.kind === 'mail' ? null : (input.url ?? null));
const mailOf = (input: TargetInput) => (input.kind === 'mail' ? input.mail_to : []);

/** Whether the target goes to where it went, so that its secret and what waits there stay. */
function staysAt(input: TargetInput, known: Channel): boolean {
  if (input.kind !== known.kind) return false;
  if (input.kind === 'mail') return input.mail_to.join('\n') === known.mailTo.join('\n');
  return urlOf(input) === null || input.url === known.url;
}

/**
 * The target of the rule that an input leaves as it is; undefined where a new one is wanted.
 * @throws AppError 422 that names the field
 */
function keptBy(input: TargetInput, field: string, known: readonly Channel[]): Channel | undefined {
  if (input.target_id === undefined) return undefined;
  const before = known.find(({ channelId }) => channelId === input.target_id);
  if (before === undefined)
    throw invalid(`'${field}.target_id' is not a target of this alert; leave it out for a new one.`);
  if (staysAt(input, before)) return before;
  if (input.kind !== 'mail' && urlOf(input) === null)
    throw invalid(`'${field}.url' must be given: the target was of another kind.`);
  return undefined;
}

/**
 * Opens destinations for the targets that are new. Before the transaction, so {@link discard} them if that fails.
 * @param known those that the rule has
 * @throws AppError 422 that names the field
 */
export async function prepareTargets(
  { clock, webhooks }: TargetDeps,
  tenantId: string,
  inputs: readonly TargetInput[],
  known: readonly Channel[],
): Promise<Prepared> {
  const keptIds = new Set<string>();
  const wanted: { field: string; input: TargetInput }[] = [];
  for (const [i, input] of inputs.entries()) {
    const field = `targets[${i}]`;
    const kept = keptBy(input, field, known);
    if (kept === undefined) wanted.push({ field, input });
    else if (keptIds.has(kept.channelId))
      throw invalid(`'${field}.target_id' is the id of another target of the list too; name each once.`);
    else keptIds.add(kept.channelId);
  }
  const added: NewTarget[] = [];
  const secrets = new Map<string, string>();
  try {
    for (const { field, input } of wanted) {
      const url = urlOf(input);
      const opened = url === null ? undefined : await openDestination(webhooks, { tenantId, url, field });
      const channelId = newUuid(clock.now());
      if (opened !== undefined && input.kind === 'webhook') secrets.set(channelId, opened.secret);
      added.push({
        channelId,
        tenantId,
        name: '',
        kind: input.kind,
        mailTo: mailOf(input),
        url,
        destinationId: opened?.destinationId ?? null,
        createdAt: new Date(clock.now()),
      });
    }
  } catch (error) {
    for (const target of added) await close(webhooks, target);
    throw error;
  }
  return { keptIds, added, secrets };
}

/** @throws AppError 422 for a forbidden address, naming the field */
async function openDestination(
  webhooks: Webhooks,
  { tenantId, url, field }: { tenantId: string; url: string; field: string },
) {
  try {
    return await webhooks.add({ owner: `alerts ${tenantId}`, url });
  } catch (error) {
    if (error instanceof AppError && error.status === 422) throw invalid(`'${field}.url': ${error.detail}`);
    throw error;
  }
}

async function close(webhooks: Webhooks, { destinationId }: NewTarget): Promise<void> {
  if (destinationId !== null) await webhooks.remove(destinationId);
}

/** Takes back what was opened for targets that were not stored. */
export async function discard(
  { db, webhooks }: { readonly db: Queries; readonly webhooks: Webhooks },
  { added }: Prepared,
): Promise<void> {
  for (const target of added)
    if ((await findChannel(db, target.tenantId, target.channelId)) === undefined)
      await close(webhooks, target);
}

/** Stores the targets of a new rule. */
export async function insertTargets(
  tx: Queries,
  ruleId: string,
  { added }: Pick<Prepared, 'added'>,
): Promise<void> {
  for (const channel of added) await insertChannel(tx, { ...channel, ruleId });
}

/**
 * What is to be done so that the rule, which is locked, tells these; undefined where it does already.
 * @throws AppError 409 where the targets have been changed meanwhile
 */
export async function changeOfTargets(
  tx: Queries,
  ruleId: string,
  prepared: Prepared,
  at: Date,
): Promise<((tx: Queries) => Promise<void>) | undefined> {
  const ids = new Set((await listTargets(tx, [ruleId])).map(({ channelId }) => channelId));
  if ([...prepared.keptIds].some((id) => !ids.has(id)))
    throw conflict('The targets of the alert were changed meanwhile. Read it again and repeat the change.');
  const left = [...ids].filter((id) => !prepared.keptIds.has(id));
  if (left.length === 0 && prepared.added.length === 0) return undefined;
  return async (inTx) => {
    await leaveTargets(inTx, left, at);
    await insertTargets(inTx, ruleId, prepared);
  };
}
