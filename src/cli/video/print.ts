import { plain } from '#base/log/plain.ts';
import type { VideoReport } from './open.ts';

/** For people, at a terminal. */
export function printReport(report: VideoReport): void {
  const { summary, coverage, notes, findings, clips } = report;
  console.log(
    `${report.flag ? 'FLAGGED' : 'Nothing flagged'}: ${report.duration_seconds.toFixed(1)} s, ${report.frames.length} frames, ${clips.length} clips, judged in ${(report.latency_ms / 1000).toFixed(1)} s`,
  );
  for (const [category, level] of Object.entries(coverage)) {
    const isFlagged = summary.categories[category] === true;
    const probability = (summary.probs[category] ?? 0).toFixed(2);
    const looked = level === 'none' ? 'not looked for' : `looked for: ${level}`;
    console.log(`${isFlagged ? '!' : ' '} ${probability}  ${category.padEnd(28)} ${looked}`);
  }
  for (const finding of findings.slice(0, 10))
    console.log(
      `  ${finding.start_seconds.toFixed(1)}–${finding.end_seconds.toFixed(1)} s  ${finding.category}  ${finding.probability.toFixed(2)}  ${plain(finding.explanation)}`,
    );
  for (const { message } of notes) console.log(`  Note: ${plain(message)}`);
}

/** One line that is written over, where standard error is a terminal. */
export function progressLine(name: string) {
  const { stderr } = process;
  return {
    show(analyzed: number, duration: number | null) {
      if (!stderr.isTTY) return;
      const share = duration === null ? '' : ` of ${duration.toFixed(0)} s`;
      stderr.write(`\r\u001B[K${plain(name)}: ${analyzed.toFixed(1)} s${share}`);
    },
    [Symbol.dispose]() {
      if (stderr.isTTY) stderr.write('\r\u001B[K');
    },
  };
}
