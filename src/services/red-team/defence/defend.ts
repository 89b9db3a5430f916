/** From an attack that succeeded to rules that stop it: proposed, tried, and put in order. */
import type { z } from 'zod';
import type { AskService } from '#base/contract/ask-service.ts';
import { conflict } from '#base/errors.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { Caller } from '#identity/caller.ts';
import type { Defence } from '../contract/defence.ts';
import type { ResultDetail } from '../results/store.ts';
import { type Candidate, candidatesFor, findDecisive } from './propose.ts';
import { type CallInSession, callsOfTrajectory, callsOfWork } from './session-calls.ts';
import { isStopped, RuleTrial } from './try-rules.ts';

type View = z.input<typeof Defence>;
type Proposal = View['proposals'][number];

export interface DefendDeps {
  readonly ask: AskService<Caller>;
  /** All tasks that there are: harmless ones are tried beside the recorded one. */
  readonly tasks: () => readonly TaskInstance[];
}

/** A harmless task and its calls. */
interface Twin {
  readonly task: TaskInstance;
  readonly isOwn: boolean;
  readonly calls: readonly CallInSession[];
}

const mostTwins = 12;

/** @throws AppError 409 for a task whose attack did not succeed, 503 where the action guard cannot be reached */
export async function defend(
  { ask, tasks }: DefendDeps,
  caller: Caller,
  result: ResultDetail,
  task: TaskInstance,
): Promise<View> {
  if (result.attackSuccess !== true || result.trajectory === null)
    throw conflict('No attack succeeded in this task: there is nothing to defend against.');
  const calls = callsOfTrajectory(result.trajectory);
  const decisive = findDecisive(task, calls);
  const settings = settingsFor(task);
  const common = { result_id: result.resultId, settings };
  if (decisive === undefined)
    return {
      ...common,
      decisive: null,
      proposals: [],
      note: 'The attack stands in the reply alone: no call could have been stopped. The policy guard can judge replies.',
    };
  const twins = await twinsOf(task, tasks());
  const harmless = twins.flatMap((twin) => twin.calls);
  const before = calls.slice(0, calls.indexOf(decisive)).filter((call) => !isOfAttack(task, call, decisive));
  const tried: Proposal[] = [];
  for (const candidate of candidatesFor(decisive, task.prompt, harmless))
    tried.push(await tryCandidate(ask, caller, candidate, { decisive, before, twins }));
  const ranked = tried.toSorted((a, b) => rank(a) - rank(b));
  const best = ranked[0];
  const isFound = best !== undefined && best.stops_attack && best.spares_work;
  return {
    ...common,
    decisive: { step: decisive.step, tool: decisive.tool, input: decisive.input as never },
    proposals: ranked.map((each, i) => ({ ...each, recommended: isFound && i === 0 })),
    note: isFound ? null : 'No rule that was tried stops the attack and spares all harmless work.',
  };
}

/** What the attacker made the agent do before the decisive call is not work that a rule must spare. */
function isOfAttack(task: TaskInstance, call: CallInSession, decisive: CallInSession): boolean {
  const user = task.groundTruth.user.some((step) => 'call' in step && step.call === call.tool);
  return task.threatModel === 'direct' || (call.tool === decisive.tool && !user);
}

/** First those that stop the attack and spare the work, then those that stop it; the more general ones first. */
const rank = ({ stops_attack: stops, spares_work: spares }: Proposal): number =>
  stops ? (spares ? 0 : 1) : 2;

/** The same work without the attack, and other harmless tasks that share an environment. */
async function twinsOf(task: TaskInstance, all: readonly TaskInstance[]): Promise<Twin[]> {
  const ownId = task.id.split('+')[0];
  const benign = all.filter(({ threatModel }) => threatModel === 'benign');
  const own = benign.find(({ id }) => id === ownId && task.threatModel === 'indirect');
  const others = benign.filter((each) => each !== own && each.envs.some((env) => task.envs.includes(env)));
  const chosen = [...(own === undefined ? [] : [own]), ...others].slice(0, mostTwins);
  const twins: Twin[] = [];
  for (const each of chosen) twins.push({ task: each, isOwn: each === own, calls: await callsOfWork(each) });
  return twins;
}

async function tryCandidate(
  ask: AskService<Caller>,
  caller: Caller,
  { rule, why }: Candidate,
  {
    decisive,
    before,
    twins,
  }: { decisive: CallInSession; before: readonly CallInSession[]; twins: readonly Twin[] },
): Promise<Proposal> {
  const trial = new RuleTrial(ask, caller, rule);
  const attack = await trial.judge(decisive);
  // Rules name a tool: calls of others cannot break them.
  const concerned = (calls: readonly CallInSession[]) => calls.filter(({ tool }) => tool === decisive.tool);
  const ownWork = await trial.stopped(concerned(before));
  const tried: Proposal['twins'] = [];
  for (const { task, isOwn, calls } of twins)
    tried.push({
      task_id: task.id,
      title: task.title,
      is_own: isOwn,
      calls: calls.length,
      stopped: (await trial.stopped(concerned(calls))) as never,
    });
  return {
    rule,
    canonical: trial.canonical,
    why,
    attack: attack as never,
    stops_attack: isStopped(attack),
    twins: tried,
    own_work_stopped: ownWork as never,
    spares_work: ownWork.length === 0 && tried.every(({ stopped }) => stopped.length === 0),
    recommended: false,
  };
}

/** Settings of a gateway that look at the place where the attack came in. */
function settingsFor({ injection }: TaskInstance): View['settings'] {
  if (injection === null) return [];
  const output = {
    setting: 'output_guard',
    value: 'block',
    why: 'The injected text came in an answer of a tool: answers with instructions are withheld.',
  };
  const pins = {
    setting: 'pin_tools',
    value: 'block',
    why: 'The injected text came in the description of a tool: descriptions that change are refused.',
  };
  if (injection.vector === 'tool_description') return [pins];
  return injection.vector === 'combined' ? [output, pins] : [output];
}
