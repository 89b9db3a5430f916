import type { Report } from './frame.ts';
import type { SourceModule } from '../modules.ts';
import type { Step } from './taints.ts';

const keyOf = ({ taint, sink }: Report, module: SourceModule, at: number): string =>
  `${sink.rule.id}\0${taint.source.id}\0${module.path}\0${at}`;

const isPassing = ({ sink: { sink } }: Report): boolean => sink.passes === true;

/** How many lines one place may have. */
const mostLines = 12;

/** Whether something stands in the same function, not far above. */
function isNear({ module, at, fn }: Report, step: Step): boolean {
  if (step.module !== module || step.at >= at || (fn !== undefined && step.at < fn.at)) return false;
  return module.text.slice(step.at, at).split('\n').length <= mostLines;
}

/** Places where what is used at a report was made, latest first. */
function* madeAt(report: Report, candidates: ReadonlySet<string>): Generator<Step> {
  for (let step: Step | undefined = report.taint.step; step !== undefined; step = step.before) {
    const isOwn = step.module === report.module && step.at === report.at && isPassing(report);
    if (!isOwn && candidates.has(keyOf(report, step.module, step.at))) yield step;
  }
}

/**
 * What is only made at one place and used at another, such as a request that is built and then sent, is one weakness: its
 * place reaches from where it is built to where it is sent.
 */
export function withoutPassedOn(reports: readonly Report[]): Report[] {
  const candidates = new Set(reports.filter(isPassing).map((each) => keyOf(each, each.module, each.at)));
  if (candidates.size === 0) return reports.filter(({ isGuarded }) => isGuarded !== true);
  const used = new Set<string>();
  const whole = reports.map((report) => {
    let { at } = report;
    for (const step of madeAt(report, candidates)) {
      used.add(keyOf(report, step.module, step.at));
      if (isNear(report, step)) at = Math.min(at, step.at);
    }
    return at === report.at ? report : { ...report, at };
  });
  return whole.filter(
    (each, index) =>
      each.isGuarded !== true &&
      (!isPassing(each) || !used.has(keyOf(each, each.module, reports[index]?.at ?? each.at))),
  );
}
