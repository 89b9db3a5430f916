/** From a failed case to policies that stop it: proposed, tried, and put in order. */
import type { z } from 'zod';
import type { AskService } from '#base/contract/ask-service.ts';
import type { Database } from '#base/db/database.ts';
import { badRequest } from '#base/errors.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import type { DataSet, ScanCase } from '#engine/model-scan/case.ts';
import type { Caller } from '#identity/caller.ts';
import type { ModelDefence } from '../contract/defence.ts';
import { draftedGroup, shippedGroups } from './candidates.ts';
import { type Exchange, exchangeOf, mostCharacters, unsent } from './exchanges.ts';
import { tryRedaction } from './redaction.ts';
import { listAlike, listHarmless, type TestedCase } from './store.ts';
import { type Material, stops, type Trial, tryPolicies } from './try-policies.ts';

type View = z.input<typeof ModelDefence>;
type Proposal = View['proposals'][number];

export interface DefendDeps {
  readonly db: Database;
  readonly ask: AskService<Caller>;
  readonly dataSets: () => ReadonlyMap<string, DataSet>;
}

const mostHarmless = 24;
const mostAlike = 12;
const mostProposals = 6;

/** @throws AppError 400 for a test that did not fail, 503 where the policy guard cannot be reached */
export async function defend(
  deps: DefendDeps,
  caller: Caller,
  scanId: string,
  failed: TestedCase,
): Promise<View> {
  if (failed.score === null || failed.score === 100)
    throw badRequest('This test did not fail: there is nothing to defend against.');
  const common = { scan_id: scanId, number: failed.number, case_id: failed.case.id };
  const reason = whyNothing(failed.case);
  if (reason !== undefined) return { ...common, proposals: [], settings: [], note: reason };
  const { ask } = deps;
  const tested = await listHarmless(deps.db, scanId, failed.case, mostHarmless);
  const twin = tested.find(({ case: each }) => each.id === failed.case.twin)?.case;
  const material: Material = {
    failure: exchangeOf(failed),
    harmless: withEnough(
      tested.map((each) => exchangeOf(each, failed.case)),
      deps.dataSets(),
    ),
    alike: (await listAlike(deps.db, scanId, failed, mostAlike)).map((each) => exchangeOf(each)),
  };
  const groups = [...(await shippedGroups(ask, caller)), ...draftsFor(deps, caller, failed.case, twin)];
  const trials = [
    ...(await tryPolicies(groups, material, 'request')),
    ...(await tryPolicies(groups, material, 'reply')),
  ];
  const ranked = withoutNeedless(trials).toSorted(compare).slice(0, mostProposals).map(view);
  const best = ranked[0];
  const isFound = best !== undefined && best.stops_case && best.spares_harmless;
  const redaction = await tryRedaction(ask, caller, failed, material.harmless);
  return {
    ...common,
    proposals: ranked.map((each, i) => ({ ...each, recommended: isFound && i === 0 })),
    settings: redaction === undefined ? [] : [redaction],
    note: noteOn(isFound ? best : undefined, material),
  };
}

/** What a filter in front of a model cannot mend. */
function whyNothing({ intent, expect }: ScanCase): string | undefined {
  if (intent === 'benign')
    return (
      'The request is harmless, and the model did not do what was right: there is nothing to block. Its system prompt, or ' +
      'another model, can help.'
    );
  // What a reply has to say is not said by blocking it.
  const isBlockable =
    ['refuse', 'canary', 'no_leak'].includes(expect.kind) ||
    (expect.kind === 'rules' && (expect.must ?? []).length === 0);
  return isBlockable
    ? undefined
    : 'The reply lacks something, or is wrong, biased or too long, which no policy mends: there is nothing to block.';
}

function draftsFor(
  { ask, dataSets }: DefendDeps,
  caller: Caller,
  each: ScanCase,
  twin: ScanCase | undefined,
) {
  if ((each.turns.at(-1) ?? '').trim() === '') return [];
  const subcategory = dataSets()
    .get(each.dataset)
    ?.subcategories.find(({ id }) => id === each.subcategory);
  return [draftedGroup(ask, caller, each, subcategory?.title ?? each.subcategory, twin)];
}

/** Where a scan has no harmless cases, requests of the product's set of them are tried. */
function withEnough(harmless: readonly Exchange[], sets: ReadonlyMap<string, DataSet>): readonly Exchange[] {
  if (harmless.length > 0) return harmless;
  const cases = (sets.get('Over Cautiousness')?.cases ?? []).filter(({ intent }) => intent === 'benign');
  const step = Math.max(1, Math.floor(cases.length / mostHarmless));
  return cases
    .filter((_, at) => at % step === 0)
    .slice(0, mostHarmless)
    .map(unsent);
}

/**
 * Those that stop the case; where there are none, those that come nearest. A draft with an exception is of use only where
 * the one without it stops something harmless.
 */
function withoutNeedless(trials: readonly Trial[]): Trial[] {
  const isGood = (trial: Trial) => stops(trial, trial.probability) && sparesHarmless(trial);
  const isException = ({ group, policy }: Trial) =>
    group.template === undefined && policy.safe_activities.length > 0;
  const useful = trials.filter(
    (trial) =>
      !isException(trial) ||
      !trials.some(
        (each) =>
          each.group === trial.group && each.place === trial.place && !isException(each) && isGood(each),
      ),
  );
  const stopping = useful.filter((trial) => stops(trial, trial.probability));
  return stopping.length > 0 ? stopping : useful;
}

const sparesHarmless = (trial: Trial): boolean =>
  trial.harmless.length > 0 && trial.harmless.every(({ probability }) => !stops(trial, probability));
const alikeStopped = (trial: Trial): number =>
  trial.alike.filter((probability) => stops(trial, probability)).length;
const harmlessStopped = (trial: Trial): number =>
  trial.harmless.filter(({ probability }) => stops(trial, probability)).length;
const isAtOwn = (trial: Trial): boolean => trial.threshold === trial.group.threshold;

/** First those that stop the case and spare what is harmless, then those that stop it; among equals the wider ones. */
function compare(a: Trial, b: Trial): number {
  const rank = (each: Trial) => (stops(each, each.probability) ? (sparesHarmless(each) ? 0 : 1) : 2);
  return (
    rank(a) - rank(b) ||
    (rank(a) === 1 ? harmlessStopped(a) - harmlessStopped(b) : 0) ||
    alikeStopped(b) - alikeStopped(a) ||
    Number(isAtOwn(b)) - Number(isAtOwn(a)) ||
    // A request that is stopped costs no answer.
    Number(b.place === 'request') - Number(a.place === 'request') ||
    b.probability - b.threshold - (a.probability - a.threshold)
  );
}

const shownCharacters = 300;

function view(trial: Trial): Proposal {
  const { group, policy, place, threshold, probability, harmless } = trial;
  const { id, name, description, block_activities, safe_activities, why } = policy;
  const twin = harmless.find(({ exchange }) => exchange.isTwin);
  return {
    place,
    template: group.template === undefined ? null : { ...group.template, policy_id: id },
    policy: { name, description, block_activities, safe_activities },
    threshold,
    strictness_level: group.strictness,
    why: isAtOwn(trial)
      ? why
      : `${why} The threshold is moved from ${group.threshold}, so that it stands between the case and what is harmless here.`,
    probability: threeDecimals(probability),
    stops_case: stops(trial, probability),
    harmless: {
      tried: harmless.length,
      stopped: harmless
        .filter((each) => stops(trial, each.probability))
        .map((each) => ({
          number: each.exchange.number,
          case_id: each.exchange.caseId,
          text: (each.exchange.said[place].at(-1)?.text ?? '').slice(0, shownCharacters).toWellFormed(),
          is_twin: each.exchange.isTwin,
          probability: threeDecimals(each.probability),
        })),
      twin: twin === undefined ? 'none' : stops(trial, twin.probability) ? 'stopped' : 'spared',
    },
    alike: { tried: trial.alike.length, stopped: alikeStopped(trial) },
    spares_harmless: sparesHarmless(trial),
    recommended: false,
  };
}

function noteOn(best: Proposal | undefined, { failure, harmless }: Material): string | null {
  const said = [...failure.said.request, ...failure.said.reply];
  const notes = [
    best === undefined ? 'No policy that was tried stops the case and spares everything harmless.' : '',
    best !== undefined && best.alike.stopped * 4 < best.alike.tried
      ? `The best stops ${best.alike.stopped} of ${best.alike.tried} other failures like this one: it is about this case more than about the weakness.`
      : '',
    harmless.every(({ said: { reply } }) => reply.length === 0)
      ? 'The scan has no reply to a harmless case yet: policies on replies could not be tried on any.'
      : '',
    said.some(({ text }) => text.length === mostCharacters)
      ? `Of long texts the first ${mostCharacters.toLocaleString('en')} characters were tried.`
      : '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? null : notes.join(' ');
}
