/** Finding a better wording for some examples, without the others. */
import { chooseShift, type Objective } from './operating-point.ts';
import { type Candidate, edits, mined, type Wording } from './wording.ts';

export interface SearchTask {
  readonly wording: Wording;
  readonly words: readonly (readonly string[])[];
  readonly labels: readonly (0 | 1)[];
  readonly objective: Objective;
  readonly cut: number;
  /** Wordings that somebody else proposes. */
  readonly proposed: readonly Candidate[];
  /** The logit of every example by a wording. */
  readonly logitsOf: (wording: Wording) => Promise<readonly number[]>;
}

export interface Found {
  readonly wording: Wording;
  readonly what: readonly string[];
}

/** Changes that are made one after the other; fewer where each costs more. */
const mostChanges = 3;
const many = 200;
/**
 * By how many standard errors a change must lower the surprise of the examples that it was not made from. With some
 * thirty changes tried at once, the best of those that do nothing reaches two.
 */
const sureBy = 2.5;

/** The wording that the examples of `members` ask for; undefined where none is surely better than what is. */
export async function searchWording(
  task: SearchTask,
  members: readonly number[],
): Promise<Found | undefined> {
  const what: string[] = [];
  let { wording } = task;
  const rounds = members.length > many ? 1 : mostChanges;
  for (let round = 0; round < rounds; round += 1) {
    const best = await bestChange(task, wording, members, round === 0 ? task.proposed : []);
    if (best === undefined) break;
    wording = best.wording;
    what.push(best.what);
  }
  return what.length === 0 ? undefined : { wording, what };
}

async function bestChange(
  task: SearchTask,
  wording: Wording,
  members: readonly number[],
  proposed: readonly Candidate[],
): Promise<Candidate | undefined> {
  const now = await losses(task, wording, members);
  const misjudged = { ...task, flagged: now.flagged };
  const halves = [0, 1].map((half) => members.filter((_, at) => at % 2 === half));
  const candidates = [
    ...proposed,
    ...edits(wording),
    ...halves.flatMap((half) => mined(wording, misjudged, half)),
  ];
  let best: { candidate: Candidate; sure: number } | undefined;
  for (const candidate of candidates) {
    const then = await losses(task, candidate.wording, members);
    const unseen = members.filter((i) => !candidate.seen.has(i));
    const sure = sureness(unseen.map((i) => (now.loss[i] ?? 0) - (then.loss[i] ?? 0)));
    if (sure > sureBy && sure > (best?.sure ?? 0)) best = { candidate, sure };
  }
  return best?.candidate;
}

/** Surprise of each example where the wording flags best for the members, both labels weighing alike. */
async function losses(task: SearchTask, wording: Wording, members: readonly number[]) {
  const logits = await task.logitsOf(wording);
  const labels = members.map((i) => task.labels[i] ?? 0);
  const own = members.map((i) => logits[i] ?? 0);
  const judged = { logits: own, labels, ordinary: [], ordinaryNow: 0 };
  const shift = chooseShift(judged, task.cut, task.objective);
  const positives = labels.filter((label) => label === 1).length;
  const weights = [0.5 / Math.max(1, labels.length - positives), 0.5 / Math.max(1, positives)];
  const loss = logits.map((logit, i) => {
    const label = task.labels[i] ?? 0;
    const wrong = (label === 1 ? -1 : 1) * (logit + shift - task.cut);
    return (weights[label] ?? 0) * (Math.max(0, wrong) + Math.log1p(Math.exp(-Math.abs(wrong))));
  });
  return { loss, flagged: logits.map((logit) => logit + shift >= task.cut) };
}

/** By how many standard errors the mean exceeds zero. */
function sureness(differences: readonly number[]): number {
  const count = differences.length;
  if (count < 2) return 0;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
  return variance === 0 ? 0 : mean / Math.sqrt(variance / count);
}
